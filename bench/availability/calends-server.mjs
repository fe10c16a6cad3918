// The library in Express with availability on, services and hours in its tables.
import { schedulingRouter } from '@calends/adapter-express';
import { createScheduling } from '@calends/core';
import { knexStore, openKnex } from '@calends/store-knex';
import express from 'express';

const [url, secret] = process.argv.slice(2);
const scheduling = createScheduling({ store: knexStore({ knex: openKnex(url) }), secret, availability: {} });

const app = express();
app.disable('x-powered-by');
app.use(schedulingRouter(scheduling, { authentication: { secret }, availability: true }));

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
