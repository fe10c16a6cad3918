// `npm run bench -- delivery`: the delivery of notifications beside a loop by hand and beside queues, in turns, as ratios.
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import { drainByHand } from './delivery/by-hand.mjs';
import { book, bookOne, doTheRest, inLanes, remindersAlone, schedulingOver, sixRows } from './delivery/fill.mjs';
import { planByHand } from './delivery/plan-by-hand.mjs';
import { bullMq, graphileWorker } from './delivery/queues.mjs';
import { median } from './load.mjs';

const serverUrl = process.env['CALENDS_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const redisUrl = process.env['CALENDS_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const jobs = Number(process.env['BENCH_JOBS'] ?? 20_000);
const creationCount = 4000;
const reminders = Number(process.env['BENCH_REMINDERS'] ?? 300_000);

/** Runs with a database of its own, which is taken away afterwards. */
async function withDatabase(name, use) {
  const server = openKnex(serverUrl);
  const database = `calends_bench_${name}_${process.pid}`;
  await server.raw(`drop database if exists ${database}`);
  await server.raw(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  // The statement that fills the history takes minutes on a slow machine.
  const knex = openKnex(url.href, { statementTimeout: 600_000 });
  try {
    await migrate(knex);
    return await use({ knex, url: url.href });
  } finally {
    await knex.destroy();
    await server.raw(`drop database ${database}`);
    await server.destroy();
  }
}

const analyze = (knex) => knex.raw('analyze calends_notifications, calends_notification_queue, calends_appointments');

/** Rows a second that a drain works off. */
async function timed(drain) {
  const began = performance.now();
  const count = await drain();
  if (count !== jobs) throw new Error(`delivered ${count} of ${jobs}`);
  return (count * 1000) / (performance.now() - began);
}

const contenders = {
  calends: ({ scheduling }) => timed(async () => (await scheduling.workers.runOnce()).notifications),
  'by hand': ({ url }) => timed(() => drainByHand(url)),
  'by hand, with its message': ({ url }) => timed(() => drainByHand(url, { withMessage: true })),
};

async function drainOf(name) {
  return withDatabase('drain', async ({ knex, url }) => {
    const store = knexStore({ knex });
    const scheduling = schedulingOver(store);
    await book(scheduling, jobs);
    await doTheRest(store);
    await analyze(knex);
    return contenders[name]({ knex, url, scheduling });
  });
}

/** The same with reminders that lie far ahead in the same table. */
async function drainWithReminders() {
  return withDatabase('reminders', async ({ knex, url }) => {
    const store = knexStore({ knex });
    await book(schedulingOver(store, { notifications: remindersAlone }), Math.ceil(reminders / 30));
    await multiplyReminders(knex);
    const scheduling = schedulingOver(store);
    await book(scheduling, jobs);
    await doTheRest(store);
    await analyze(knex);
    return contenders.calends({ knex, url, scheduling });
  });
}

/** Thirty of each: booking three hundred thousand would take longer than everything else. */
async function multiplyReminders(knex) {
  const columns = Object.keys(await knex('calends_notifications').columnInfo());
  const copied = columns.map((name) => (name === 'id' || name === 'dedupe_key' ? `${name} || '-' || copy` : name));
  await knex.raw(
    `insert into calends_notifications (${columns.join(', ')})
     select ${copied.join(', ')} from calends_notifications cross join generate_series(1, 29) as copy
     where type = 'REMINDER'`,
  );
  await knex.raw(
    `insert into calends_notification_queue (organization_id, id, channel, phase, due_at)
     select organization_id, id, channel, phase, wake_at from calends_notifications on conflict do nothing`,
  );
}

/** Creations a second through the library, with six notification rows or without. */
async function creations(notifications) {
  return withDatabase('plan', async ({ knex }) => {
    const scheduling = schedulingOver(knexStore({ knex }), { notifications });
    await inLanes(500, bookOne(scheduling));
    return inLanes(creationCount, bookOne(scheduling));
  });
}

const creationsByHand = () =>
  withDatabase('plan', async ({ url }) => {
    await planByHand(url, 500);
    return planByHand(url, creationCount);
  });

const measured = {
  'by hand': () => drainOf('by hand'),
  'by hand, with its message': () => drainOf('by hand, with its message'),
  calends: () => drainOf('calends'),
  'graphile-worker, local batch, 24 slots': () => withDatabase('graphile', ({ url }) => graphileWorker(url, jobs)),
  'BullMQ on Redis, 50 slots': () => bullMq(redisUrl, jobs),
  [`calends, ${reminders} reminders ahead`]: drainWithReminders,
  'creations without notifications': () => creations({ active: false }),
  'creations that plan six rows': () => creations(sixRows),
  'creations that plan six rows, by hand': creationsByHand,
};

const figures = Object.fromEntries(Object.keys(measured).map((name) => [name, []]));
for (let round = 1; round <= rounds; round += 1) {
  for (const [name, measure] of Object.entries(measured)) {
    figures[name].push(await measure());
    process.stderr.write(`round ${round}: ${name}: ${Math.round(figures[name].at(-1))}/s\n`);
  }
}

const ratio = (name, beside) => median(figures[name].map((figure, index) => figure / figures[beside][index]));
const line = (name, beside) =>
  `${name.padEnd(42)} ${String(Math.round(median(figures[name]))).padStart(8)}/s   ${ratio(name, beside).toFixed(2)} of ${beside}`;
const [bare, byHand, own, graphile, bull, ahead, creationsAlone, planning, planningByHand] = Object.keys(measured);
process.stdout.write(
  [
    `${jobs} notifications that are sent to nowhere, medians of ${rounds} rounds`,
    line(own, byHand),
    line(own, bare),
    line(own, bull),
    line(own, graphile),
    line(ahead, own),
    line(byHand, bare),
    line(graphile, byHand),
    line(bull, byHand),
    line(planning, planningByHand),
    line(planning, creationsAlone),
    '',
  ].join('\n'),
);
