import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { arrayText } from '../src/dialects/postgres/driver.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

describeEach(
  'a list as PostgreSQL reads it',
  (kind) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openDatabase(kind);
    });
    afterAll(() => database.drop());

    const read = async (list: readonly (string | null)[]): Promise<unknown> => {
      const query = database.knex.raw<{ rows: readonly { readonly list: unknown }[] }>(
        'select to_json((?::text)::text[]) as list',
        [arrayText(list)],
      );
      const [row] = (await query).rows;
      return row?.list;
    };

    it.each([
      ['none', []],
      ['nothing', [null, null]],
      ['an empty text', ['']],
      ['the word that means nothing', ['NULL', 'null', null]],
      ['what lists are written with', ['{', '}', ',', '{}', '"', '""', '\\', '\\"', '\\\\', 'a,b', ' a ', "'"]],
      ['lines and tabs', ['a\nb', '\r\n', '\t', '\\n']],
      ['signs of more than one unit', ['é', '日本', '👩‍👩‍👧', '\u{10FFFF}']],
    ])('a list as PostgreSQL reads it has %s', async (_what, list) => {
      expect(await read(list)).toEqual(list);
    });

    it('a list as PostgreSQL reads it has whatever texts are in it', async () => {
      const anyText = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', ' ', '\n', 'é', '👩', 'NULL') });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.option(anyText)), async (list) => {
          expect(await read(list)).toEqual(list);
        }),
      );
    });
  },
  { families: ['postgres'] },
);
