import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnavailableError } from '../exit-codes.js';
import { openDatabase, progressText } from './open-database.js';

let folder = '';
let filename = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'calends-open-'));
  filename = join(folder, 'calends.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function migrateFile(create = true): Promise<unknown> {
  const database = openDatabase({ kind: 'sqlite', filename }, create);
  try {
    return await database.migrate().catch((error: unknown) => error);
  } finally {
    await database.close();
  }
}

describe('a SQLite file at the start of the server', () => {
  it('a SQLite file at the start of the server is made where it is missing, when that is asked for', async () => {
    expect(await migrateFile()).toMatchObject({ applied: expect.arrayContaining(['0001_first_schema']) });
    expect(await migrateFile(false)).toEqual({ applied: [] });
  });

  it.each([
    ['missing', () => undefined],
    ['empty', () => writeFileSync(filename, '')],
  ])(
    'a SQLite file at the start of the server is a fault where it is %s and none shall be made',
    async (_what, arrange) => {
      arrange();
      const before = existsSync(filename);
      const fault = await migrateFile(false);
      expect(fault).toBeInstanceOf(UnavailableError);
      expect(fault).toMatchObject({ message: expect.stringMatching(/no database file.*CALENDS_CREATE_DATABASE=on/) });
      expect(existsSync(filename)).toBe(before);
    },
  );

  it.each<readonly [what: string, damage: (content: Buffer) => Buffer]>([
    ['is text', () => Buffer.from('no database '.repeat(1000))],
    ['has lost its header', (content) => content.fill(0, 0, 100)],
    ['has lost its first page', (content) => content.fill(0xff, 100, 4096)],
    ['was cut off', (content) => content.subarray(0, 4096)],
    ['has other pages than it had', (content) => content.fill(0x5a, 4096)],
  ])(
    'a SQLite file at the start of the server that %s is told to be damaged, with what to do',
    async (_what, damage) => {
      await migrateFile();
      writeFileSync(filename, damage(readFileSync(filename)));
      const fault = await migrateFile(false);
      expect(fault).toBeInstanceOf(UnavailableError);
      expect(fault).toMatchObject({
        message: expect.stringMatching(/damaged.*integrity_check.*restore a backup.*-wal.*-shm/),
      });
    },
  );

  it('a SQLite file at the start of the server that cannot be opened is told with what may be wrong: a folder, rights, the disk', async () => {
    filename = folder;
    expect(await migrateFile()).toMatchObject({
      name: 'UnavailableError',
      message: expect.stringMatching(/cannot be opened.*a folder, .*user of this process.*read-only/),
    });
  });
});

describe('What a migration says', () => {
  const rows = { type: 'rows', name: '0006_availability', table: 'calends_actors', rows: 1000 } as const;

  it.each([
    [{ type: 'step', name: '0001_x' }, 'Migrating: 0001_x'],
    [rows, '0006_availability goes through about 1000 rows of calends_actors; writes go on.'],
    [
      { ...rows, writesWait: 1200 },
      '0006_availability goes through about 1000 rows of calends_actors; writes wait, for about 2 s.',
    ],
    [{ type: 'percent', percent: 40 }, 'Built: 40 %'],
  ] as const)('what a migration says of %j is a sentence: %s', (progress, said) => {
    expect(progressText(progress)).toBe(said);
  });
});
