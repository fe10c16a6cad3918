// The library in Express, as a host embeds it: authentication, validation and events on, the worker running.
import { schedulingRouter } from '@calends/adapter-express';
import { createScheduling } from '@calends/core';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import express from 'express';

const [url, secret] = process.argv.slice(2);
const knex = openKnex(url);
await migrate(knex);
const scheduling = createScheduling({ store: knexStore({ knex }), secret });
scheduling.workers.start();

const app = express();
app.disable('x-powered-by');
app.use(schedulingRouter(scheduling, { authentication: { secret } }));

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
