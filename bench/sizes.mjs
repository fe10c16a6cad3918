// `npm run bench -- sizes`: how much of the disk an appointment takes over its whole life, by table.
import { asked, sizes, withDatabase } from './retention/databases.mjs';
import { live } from './retention/lives.mjs';

const count = Number(process.env['BENCH_APPOINTMENTS'] ?? 10_000);

for (const name of asked) {
  await withDatabase(name, async (knex) => {
    const empty = await sizes(name, knex);
    await live(knex, count);
    const full = await sizes(name, knex);
    const rows = [...full]
      .map(([table, { rows: ofRows, indices }]) => {
        const before = empty.get(table) ?? { rows: 0, indices: 0 };
        return [table, (ofRows - before.rows) / count, (indices - before.indices) / count];
      })
      .filter(([, ofRows, indices]) => ofRows + indices >= 1)
      .toSorted((a, b) => b[1] + b[2] - a[1] - a[2]);
    console.log(`\n${name}, ${count} appointments: bytes of each (rows, indices)`);
    for (const [table, ofRows, indices] of rows) {
      const { c } = await knex(table).count('* as c').first();
      console.log(
        `  ${table.padEnd(28)} ${String(Math.round(ofRows + indices)).padStart(6)}  (${Math.round(ofRows)}, ${Math.round(indices)}; ${(Number(c) / count).toFixed(2)} rows)`,
      );
    }
    console.log(`  in all ${Math.round(rows.reduce((sum, [, a, b]) => sum + a + b, 0))}`);
  });
}
