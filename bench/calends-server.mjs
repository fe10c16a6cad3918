// The library as a host embeds it: authentication, validation and events on, the worker running; behind the door that is named.
import { schedulingRouter } from '@calends/adapter-express';
import { createScheduling } from '@calends/core';
import { fetchHandler, nodeHandler, schedulingHttp } from '@calends/http';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { createServer } from 'node:http';

const [url, secret, door = 'Express'] = process.argv.slice(2);
const knex = openKnex(url);
await migrate(knex);
const scheduling = createScheduling({ store: knexStore({ knex }), secret });
scheduling.workers.start();

const options = { authentication: { secret }, calendarFeeds: true };
const listeners = {
  Express() {
    const app = express();
    app.disable('x-powered-by');
    return app.use(schedulingRouter(scheduling, options));
  },
  nodeHandler: () => nodeHandler(schedulingHttp(scheduling, options)),
  fetchHandler: () =>
    getRequestListener(fetchHandler(schedulingHttp(scheduling, options)), { overrideGlobalObjects: false }),
};

const server = createServer(listeners[door]());
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ processorTime: user + system, memory: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
