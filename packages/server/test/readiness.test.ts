import { sqliteKnex } from '@calends/store-knex';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itOnPostgres, makeDatabase } from './postgres-database.js';
import { agentToken, SchedulingClient, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();

interface Told {
  readonly readers?: readonly string[];
}

/** Asks until the answer is the one that is waited for; the worker's first pass and the database's end take a moment. */
async function readyz(address: string, status: number, isIt = (_told: Told) => true): Promise<unknown> {
  for (;;) {
    const response = await fetch(`${address}/readyz`);
    const content = (await response.json()) as Told;
    if (response.status === status && isIt(content)) return content;
  }
}

describe('/readyz', () => {
  it('/readyz is green when the store answers with its migrations current, and the worker goes round', async () => {
    const variables = { ...secrets, PORT: '0', DATABASE_URL: 'sqlite::memory:', CALENDS_AVAILABILITY: 'off' };
    const address = await calends(['serve'], variables, folder()).listening();
    expect(await readyz(address, 200)).toEqual({
      status: 'ready',
      store: 'ok',
      worker: 'ok',
      engine: expect.stringMatching(/^SQLite \S+ \(proven\)$/),
      warnings: [expect.stringMatching(/^CALENDS_JWT_ISSUER and CALENDS_JWT_AUDIENCE not set: /)],
    });
  });

  it('/readyz is red when only newer programs may write (D76)', async () => {
    const filename = join(folder(), 'c.db');
    const variables = { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${filename}` };
    const address = await calends(['serve'], variables, folder()).listening();
    await readyz(address, 200);
    const knex = sqliteKnex({ filename });
    try {
      await knex('calends_schema').insert({ step: '9999_from_the_future', written_from: 9999 });
    } finally {
      await knex.destroy();
    }
    expect(await readyz(address, 503)).toMatchObject({ status: 'unavailable', store: 'program too old' });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
  });

  it('/readyz is red while the file of the database is not in its place, and green once it is put back', async () => {
    const filename = join(folder(), 'put-back.db');
    const variables = { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${filename}` };
    const address = await calends(['serve'], variables, folder()).listening();
    await readyz(address, 200);
    renameSync(filename, `${filename}.away`);
    expect(await readyz(address, 503)).toMatchObject({ status: 'unavailable', store: 'file removed or replaced' });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    renameSync(`${filename}.away`, filename);
    expect(await readyz(address, 200)).toMatchObject({ status: 'ready', store: 'ok' });
  });

  itOnPostgres('/readyz tells of a reader that is none, and stays green (CALENDS_TEST_POSTGRES_URL)', async () => {
    const { url, drop } = await makeDatabase('no_standby');
    const variables = { ...secrets, PORT: '0', DATABASE_URL: url, CALENDS_READERS: `${url},${url}_misspelt` };
    const server = calends(['serve'], variables, folder());
    const address = await server.listening();
    expect(await readyz(address, 200)).toMatchObject({ readers: ['reading', 'reading'] });
    const client = new SchedulingClient(address, await agentToken());
    // They are asked in turns.
    for (const page of [1, 2])
      await client.send('GET', `/api/v2/appointments/?applicationId=app-1&page=${String(page)}`);
    // What was found the first time holds for a second.
    const told = await readyz(address, 200, ({ readers }) => !readers?.includes('reading'));
    expect(told).toMatchObject({ status: 'ready', readers: ['notAStandby', 'away'] });
    await server.signal('SIGTERM');
    await drop();
  });

  itOnPostgres('/readyz is red when the database is gone (CALENDS_TEST_POSTGRES_URL)', async () => {
    const { url, drop } = await makeDatabase('readyz');
    const server = calends(['serve'], { ...secrets, PORT: '0', DATABASE_URL: url }, folder());
    const address = await server.listening();
    await readyz(address, 200);
    await drop();
    let answer = await readyz(address, 503);
    // The connections that it cut come first: they tell nothing but their end.
    while ((answer as { readonly store: string }).store === 'unreachable') answer = await readyz(address, 503);
    expect(answer).toMatchObject({ status: 'unavailable', store: 'unknown database' });
    expect(Object.keys(answer as object)).toEqual(['status', 'store', 'worker', 'warnings']);
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });
});
