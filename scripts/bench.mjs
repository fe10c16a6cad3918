// `npm run bench`: works alone on a fresh clone. Arguments after `--` name the databases to measure on.
import { build, install, say } from './prepare.mjs';

await install();
await build();
say('measuring; this takes some minutes');
await import('../bench/run.mjs');
