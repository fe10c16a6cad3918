// A worker process of the delivery torture: delivers what is due until it is killed. It runs the built packages.
import { createScheduling } from '@calends/core';
import { knexStore, openKnex } from '@calends/store-knex';

const [, , databaseUrl, providerUrl, settings] = process.argv;
const { applications, secret, worker, timeout } = JSON.parse(settings);
const knex = openKnex(databaseUrl);

const scheduling = createScheduling({
  store: knexStore({ knex }),
  secret,
  applications,
  worker,
  notifiers: {
    email: {
      capability: 'idempotent',
      timeout,
      async send(message, { idempotencyKey, signal }) {
        const body = JSON.stringify({ key: idempotencyKey, type: message.type, began: Date.now() });
        try {
          const response = await fetch(providerUrl, { method: 'POST', body, signal });
          if (response.ok) return { status: 'delivered' };
          return { status: 'failed', permanent: false, error: `HTTP ${response.status}` };
        } catch {
          return { status: 'unknown', error: 'the connection broke' };
        }
      },
    },
  },
});
scheduling.workers.start();
process.stdout.write('ready\n');
// The loops keep no process alive by themselves.
setInterval(() => undefined, 60_000);
