import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKnex } from '@calends/store-knex';
import { afterAll, describe, expect, it } from 'vitest';
import { codeBlocks, read, root } from './documents.js';
import { runExample } from './run-example.js';

const serverUrl = process.env['CALENDS_TEST_POSTGRES_URL'];
const addressInGuide = 'postgres://calends:secret@127.0.0.1:5432/calends';

mkdirSync(join(root, 'reports'), { recursive: true });
const folder = mkdtempSync(join(root, 'reports', 'transactions-'));
const shown = codeBlocks(read('docs/guides/own-transactions.md'))
  .filter(({ code }) => code.includes(addressInGuide))
  .map(({ code, line }) => ({
    code,
    line,
    library: /from '(?<name>drizzle-orm|kysely)/.exec(code)?.groups?.['name'] ?? 'pg',
  }));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(serverUrl === undefined)('In the transactions of other libraries', () => {
  it('the guide shows its transactions with pg, Drizzle and Kysely', () => {
    expect(shown.map(({ library }) => library)).toEqual(['pg', 'drizzle-orm', 'kysely']);
  });

  it.each(shown)('the example of $library books as the guide says', async ({ code, line }) => {
    const name = `calends_test_${randomUUID().replaceAll('-', '')}`;
    const url = new URL(serverUrl ?? '');
    url.pathname = `/${name}`;
    const server = openKnex(serverUrl ?? '');
    await server.raw(`create database ${name}`);
    const host = openKnex(url.href);
    try {
      await host.schema.createTable('orders', (table) => void table.text('appointment_id').primary());
      const path = join(folder, `line-${String(line)}.ts`);
      writeFileSync(path, `${code.replace(addressInGuide, url.href)}\nexport {};\n`);
      expect(await runExample(path)).toEqual(['1']);
      const booked = await host('orders').join('calends_appointments', 'id', 'appointment_id').select('state');
      expect(booked).toEqual([{ state: 'SCHEDULED' }]);
    } finally {
      await host.destroy();
      await server.raw(`drop database ${name}`);
      await server.destroy();
    }
  });
});
