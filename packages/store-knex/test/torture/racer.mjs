// The library over a database in a process of its own, which calls what its parent says. It runs the built packages.
import { CalendsError, createScheduling } from '@calends/core';
import { knexStore, openKnex } from '@calends/store-knex';

const [, , databaseUrl, options] = process.argv;
const scheduling = createScheduling({ ...JSON.parse(options), store: knexStore({ knex: openKnex(databaseUrl) }) });

process.on('message', async ({ number, room, operation, args }) => {
  try {
    process.send({ number, value: await scheduling[room][operation](...args) });
  } catch (error) {
    const { code, message, reasons } = CalendsError.is(error) ? error : { code: 'internal', message: String(error) };
    process.send({ number, error: { code, message, reasons } });
  }
});
process.on('disconnect', () => process.exit());
