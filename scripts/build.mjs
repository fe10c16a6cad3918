// `npm run build`: every package with its declarations. `--force` builds also what has not changed.
import { build, install } from './prepare.mjs';

await install();
await build({ declarations: true, force: process.argv.includes('--force') });
