// `npm run bench -- partitions`: the outbox on PostgreSQL as one table and as a partition for each month: what an insert, a claim, a look
// by appointment and the end of a month take, in turns.
import { withDatabase } from './retention/databases.mjs';

const rows = Number(process.env['BENCH_ROWS'] ?? 120_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const perRound = Number(process.env['BENCH_REQUESTS'] ?? 1500);
const months = 12;
const month = 30 * 24 * 60 * 60_000;
const first = Date.UTC(2030, 0, 1);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Milliseconds that each of so many calls takes. */
async function each(count, call) {
  const began = performance.now();
  for (let index = 0; index < count; index += 1) await call(index);
  return (performance.now() - began) / count;
}

await withDatabase('postgres', async (knex) => {
  // With the columns, checks and indices of the real one; its key has to hold the time by which it is parted.
  await knex.raw('create table one (like calends_events including all)');
  await knex.raw(
    'create table parted (like calends_events including defaults including constraints) partition by range (occurred_at)',
  );
  await knex.raw('alter table parted add primary key (id, occurred_at)');
  await knex.raw('create index on parted (organization_id, appointment_id, version, id)');
  await knex.raw('create index on parted (due_at, id) where due_at is not null');
  await knex.raw('create index on parted (delivered_at) where delivered_at is not null');
  for (let index = 0; index < months; index += 1)
    await knex.raw(
      `create table parted_${index} partition of parted for values from (${first + index * month}) to (${first + (index + 1) * month})`,
    );
  const step = (months * month) / rows;
  for (const table of ['one', 'parted'])
    await knex.raw(
      `insert into ${table} select 'event-' || n, 'org-1', 'app-1', 'appointment-' || (n / 3), 1 + n % 3, 'APCreatedEvent',
         ${first} + floor(n * ${step})::int8, 'agent-1', 'AGENT', 'ROLE_AGENT', 'request', repeat('x', 400), null, null, 1,
         ${first} + floor(n * ${step})::int8, null from generate_series(0::bigint, ${rows - 1}) n`,
    );
  await knex.raw('vacuum analyze');
  const last = first + months * month - 1;
  let count = 0;
  const calls = {
    insert: (table) => {
      count += 1;
      return knex.raw(
        `insert into ${table} values (?, 'org-1', 'app-1', ?, 1, 'APCreatedEvent', ?, 'agent-1', 'AGENT', 'ROLE_AGENT', 'r', ?, ?, null, 0, null, null)`,
        [`new-${count}`, `new-${count}`, last, 'x'.repeat(400), last],
      );
    },
    claim: (table) =>
      knex.raw(
        `select e.id from ${table} e where e.due_at <= ? and not exists (select 1 from ${table} p
           where p.organization_id = e.organization_id and p.appointment_id = e.appointment_id and p.due_at is not null
             and (p.version < e.version or (p.version = e.version and p.id < e.id)))
         order by e.due_at, e.id limit 50`,
        [last],
      ),
    'look by appointment': (table) =>
      knex.raw(`select * from ${table} where organization_id = 'org-1' and appointment_id = ? order by version, id`, [
        `appointment-${(count += 7) % (rows / 3)}`,
      ]),
  };
  const found = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const table of round % 2 === 0 ? ['one', 'parted'] : ['parted', 'one'])
      for (const [name, call] of Object.entries(calls))
        ((found[name] ??= { one: [], parted: [] })[table] ??= []).push(
          await each(name === 'claim' ? perRound / 5 : perRound, () => call(table)),
        );
  }
  for (const [name, { one, parted }] of Object.entries(found)) {
    const ratio = median(parted.map((time, index) => time / one[index]));
    console.log(
      `${name}: one ${median(one).toFixed(3)} ms, parted ${median(parted).toFixed(3)} ms, ratio ${ratio.toFixed(2)}`,
    );
  }
  const began = performance.now();
  let [deleted, longest] = [0, 0];
  for (let gone = 1; gone > 0;) {
    const step_ = performance.now();
    gone = (
      await knex.raw(
        `delete from one where id in (select id from one where delivered_at < ? order by delivered_at limit 500 for update skip locked)`,
        [first + month],
      )
    ).rowCount;
    longest = Math.max(longest, performance.now() - step_);
    deleted += gone;
  }
  console.log(
    `a month of ${deleted} rows deleted in steps: ${Math.round(performance.now() - began)} ms, a step ${longest.toFixed(0)} ms at most`,
  );
  const dropping = performance.now();
  await knex.raw('drop table parted_0');
  console.log(`a month dropped: ${Math.round(performance.now() - dropping)} ms, under a lock of the whole table`);
});
