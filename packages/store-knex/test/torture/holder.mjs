// A process that holds a time, tells so, and does not come to book it. It runs the built packages.
import { createScheduling } from '@calends/core';
import { knexStore, openKnex } from '@calends/store-knex';

const [, , databaseUrl, settings] = process.argv;
const { secret, now, availability, by, time } = JSON.parse(settings);
const store = knexStore({ knex: openKnex(databaseUrl) });
const scheduling = createScheduling({ store, secret, availability, clock: { now: () => now } });
const { token, until } = await scheduling.availability.hold(by, time);
process.stdout.write(`${JSON.stringify({ token, until })}\n`);
setInterval(() => undefined, 60_000);
