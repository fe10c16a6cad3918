// `npm run bench -- retention`: what creations take while retention removes, in turns with what they take without.
import { asked, withDatabase } from './retention/databases.mjs';
import { book, libraryOver } from './retention/lives.mjs';
import { multiply } from './retention/million.mjs';

const count = Number(process.env['BENCH_ROWS'] ?? 60_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 6);
const day = 24 * 60 * 60_000;

const sorted = (values) => values.toSorted((a, b) => a - b);
const quantile = (values, part) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))];

let index = 0;

/** One after another, as one caller waits for them. */
async function creations(scheduling) {
  const took = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const began = performance.now();
    index += 1;
    await book(scheduling, Date.UTC(2900, 0, 1) + index * 60_000, index);
    took.push(performance.now() - began);
  }
  return took;
}

for (const name of asked) {
  await withDatabase(name, async (knex) => {
    await multiply(name, knex, count);
    const { scheduling, clock } = libraryOver(knex, { notifiers: {} });
    let removed = 0;
    const observer = {
      observe: (signal) => {
        if (signal.type === 'rowsRemoved' && signal.kind === 'notifications') removed += signal.count;
        if (signal.type === 'workerFailed') console.error(signal.error);
      },
    };
    await creations(scheduling);
    const found = { without: [], beside: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const way of round % 2 === 0 ? ['without', 'beside'] : ['beside', 'without']) {
        // A process of its own in time: far enough ahead for all that was copied to be over.
        const other = libraryOver(knex, { notifiers: {}, observer, retention: { notifications: 7 * day } });
        // Later in each round: the lease of the one before is over.
        other.clock.time = clock.time + 300 * 365 * day + round * 60_000;
        if (way === 'beside') other.scheduling.workers.start();
        found[way].push(await creations(scheduling));
        await other.scheduling.close();
      }
    }
    console.log(`${name}: ${removed} notifications removed in ${rounds * seconds} s`);
    for (const [way, all] of Object.entries(found)) {
      const told = [0.5, 0.95, 0.99].map((part) => quantile(all.flat(), part).toFixed(1));
      console.log(
        `  ${way}: median ${told[0]} ms, 95 % ${told[1]} ms, 99 % ${told[2]} ms, ${all.flat().length} creations`,
      );
    }
  });
}
