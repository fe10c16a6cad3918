// The library as a host embeds it: authentication, validation and events on, the worker running; behind the door that is named.
import { schedulingRouter } from '@calends/adapter-express';
import { createScheduling } from '@calends/core';
import { fetchHandler, nodeHandler, schedulingHttp } from '@calends/http';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

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

/** What a host writes for exports; everything else is the library's. */
const listener = listeners[door]();
const service = { id: 'bench', organizationId: 'org-1', roles: ['ROLE_CLIENT_SERVICE'] };
const server = createServer((message, response) => {
  if (!message.url.startsWith('/exports?')) return listener(message, response);
  const primaryEmail = new URL(message.url, 'http://host').searchParams.get('primaryEmail');
  const parts = scheduling.customers.exportText(service, { primaryEmail });
  pipeline(Readable.from(parts), response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

const profiler = new Session();
profiler.connect();
const answers = {
  figures() {
    const { user, system } = process.cpuUsage();
    return { processorTime: user + system, memory: process.memoryUsage.rss() };
  },
  async profile() {
    await profiler.post('Profiler.enable');
    await profiler.post('Profiler.setSamplingInterval', { interval: 200 });
    await profiler.post('Profiler.start');
    return {};
  },
  profiled: () => profiler.post('Profiler.stop'),
};
process.on('message', async (question) => process.send(await answers[question]()));
process.on('disconnect', () => process.exit());
