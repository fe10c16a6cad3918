// `npm run bench`: works alone on a fresh clone. Arguments after `--` name the databases to measure
// on; `delivery` measures the delivery of notifications instead, `availability` the search for free times, `doors` and `processes` what
// serves the requests, `streams` long answers, `layers` where the processor time of a request goes,
// `lists` what totals and pages cost at a million appointments.
import { join } from 'node:path';
import { build, install, npm, root, say } from './prepare.mjs';

await install();
await build();
const subject = process.argv[2];
const measuresDelivery = subject === 'delivery';
if (measuresDelivery) {
  // Apart from the project's own dependencies: a lock with them is refused where a platform's package was dropped. Their
  // scripts compile what they also work without, and npm can be set to refuse packages that have any.
  const { code } = await npm(['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: join(root, 'bench', 'delivery'),
  });
  if (code !== 0) process.exit(code);
}
say('measuring; this takes some minutes');
const scripts = {
  delivery: '../bench/delivery.mjs',
  availability: '../bench/availability.mjs',
  doors: '../bench/doors.mjs',
  processes: '../bench/doors.mjs',
  streams: '../bench/streams.mjs',
  sizes: '../bench/sizes.mjs',
  retention: '../bench/retention.mjs',
  migration: '../bench/migration.mjs',
  partitions: '../bench/partitions.mjs',
  layers: '../bench/layers.mjs',
  lists: '../bench/lists.mjs',
};
await import(scripts[subject] ?? '../bench/run.mjs');
