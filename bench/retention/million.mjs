// Many rows out of one life, by the database itself.
import { live } from './lives.mjs';

const series = {
  sqlite: (count) =>
    `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s) s`,
  postgres: (count) => `generate_series(1::bigint, ${count}) s(n)`,
  mariadb: (count) => `(select seq as n from seq_1_to_${count}) s`,
};
const suffixed = (name, column) => (name === 'mariadb' ? `concat(${column}, '-', s.n)` : `${column} || '-' || s.n`);
const suffixedBy = (name, column, rest) =>
  name === 'mariadb' ? `concat(${column}, '-', s.n % ${rest})` : `${column} || '-' || (s.n % ${rest})`;

/** Columns that tell one copy from another; times go on by a minute from one to the next. */
const told = {
  calends_appointments: { ids: ['id'], times: ['start_at', 'end_at', 'created_at', 'updated_at'] },
  calends_actors: { ids: ['appointment_id'], times: ['start_at', 'end_at'], spread: ['actor_id'] },
  calends_notifications: { ids: ['id', 'appointment_id', 'dedupe_key'], times: ['created_at', 'updated_at'] },
  calends_delivery_events: { ids: ['id', 'appointment_id', 'notification_id'], times: ['happened_at'] },
};

/** Copies what one appointment has left until every table has so many rows. */
export async function multiply(name, knex, count) {
  await live(knex, 1);
  for (const [table, { ids, times, spread = [] }] of Object.entries(told)) {
    const columns = Object.keys(await knex(table).columnInfo());
    const copied = columns.map((column) => {
      if (ids.includes(column)) return suffixed(name, `t.${column}`);
      if (spread.includes(column)) return suffixedBy(name, `t.${column}`, 5000);
      return times.includes(column) ? `t.${column} + s.n * 60000` : `t.${column}`;
    });
    const rows = Number((await knex(table).count('* as c').first()).c);
    await knex.raw(
      `insert into ${table} (${columns.join(', ')}) select ${copied.join(', ')} from ${series[name](Math.ceil(count / rows))}
       cross join (select * from ${table}) t`,
    );
    console.log(`  ${table}: ${String((await knex(table).count('* as c').first()).c)} rows`);
  }
  if (name === 'postgres') await knex.raw('vacuum analyze');
}
