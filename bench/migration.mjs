// `npm run bench -- migration`: how long the last steps of the schema hold up writes over a big database.
import { migrate, openKnex } from '@calends/store-knex';
import { asked, withDatabase } from './retention/databases.mjs';
import { withOldSchema } from './retention/before.mjs';
import { multiply } from './retention/million.mjs';

const count = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const writtenTo = ['calends_appointments', 'calends_actors', 'calends_notifications', 'calends_delivery_events'];

/** Writes into every big table, one row after another, until it is stopped; the longest waits, in ms, by table. */
function writer(knex, columnsOf) {
  let [isWanted, written] = [true, 0];
  const waits = new Map(writtenTo.map((table) => [table, 0]));
  const loops = writtenTo.map(async (table) => {
    const { key, columns } = columnsOf.get(table);
    for (let index = 0; isWanted; index += 1) {
      const row = { ...columns, [key]: `written-${table}-${index}` };
      if ('dedupe_key' in row) row.dedupe_key = `written-${index}`;
      const began = performance.now();
      await knex(table).insert(row);
      written += 1;
      waits.set(table, Math.max(waits.get(table), performance.now() - began));
    }
  });
  return async () => {
    isWanted = false;
    await Promise.all(loops);
    return { written, waits };
  };
}

for (const name of asked) {
  console.log(`${name}, ${count} rows in each table`);
  await withDatabase(
    name,
    async (knex, url) => {
      const columnsOf = new Map();
      for (const table of writtenTo) {
        const key = table === 'calends_actors' ? 'appointment_id' : 'id';
        columnsOf.set(table, { key, columns: { ...(await knex(table).first()) } });
      }
      const other = url === undefined ? undefined : openKnex(url, { statementTimeout: 600_000 });
      const stop = other === undefined ? undefined : writer(other, columnsOf);
      const began = performance.now();
      const said = ({ type, ...rest }) =>
        console.log(`  ${((performance.now() - began) / 1000).toFixed(1)} s: ${type} ${JSON.stringify(rest)}`);
      const { applied } = await migrate(knex, { onProgress: said });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`  ${applied.join(', ')} in ${seconds} s`);
      if (stop !== undefined) {
        const { written, waits } = await stop();
        console.log(`  ${written} rows written meanwhile; longest waits:`);
        for (const [table, wait] of waits) console.log(`    ${table}: ${Math.round(wait)} ms`);
        await other.destroy();
      }
    },
    async (knex) => {
      await migrate(knex);
      await multiply(name, knex, count);
      await withOldSchema(knex);
    },
  );
}
