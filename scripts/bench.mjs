// `npm run bench`: works alone on a fresh clone. Arguments after `--` name the databases to measure
// on; `delivery` measures the delivery of notifications instead, `availability` the search for free times, `doors` and `processes` what
// serves the requests, `streams` long answers, `layers` where the processor time of a request goes,
// `lists` what totals and pages cost at a million appointments.
import { join } from 'node:path';
import { build, install, npm, root, run, say } from './prepare.mjs';

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
  delivery: 'delivery.mjs',
  availability: 'availability.mjs',
  doors: 'doors.mjs',
  processes: 'doors.mjs',
  streams: 'streams.mjs',
  sizes: 'sizes.mjs',
  retention: 'retention.mjs',
  migration: 'migration.mjs',
  partitions: 'partitions.mjs',
  layers: 'layers.mjs',
  lists: 'lists.mjs',
};
// Half a megabyte of each long answer is garbage of the client: without room for it the client collects every few requests, on the processors
// of the server, and that is what the slowest requests would tell of.
const flags = subject === 'availability' ? ['--initial-old-space-size=512'] : [];
const script = scripts[subject] ?? 'run.mjs';
const { code } = await run(process.execPath, [...flags, join(root, 'bench', script), ...process.argv.slice(2)]);
process.exitCode = code;
