// `npm start`: works alone on a fresh clone. Arguments after `--` are handed to `calends serve`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, root, say } from './prepare.mjs';

// npm runs a shell that runs this, and the sh of Debian ends at SIGTERM without handing it on: the server must not stay when both are gone.
if (process.env['npm_lifecycle_event'] === 'start') {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

await install();
await build();
say('starting the server');

// In this process, not in a child: signals reach the server itself, and its exit code is ours.
const cli = join(root, 'packages', 'server', 'dist', 'cli.js');
process.argv = [process.execPath, cli, 'serve', ...process.argv.slice(2)];
await import(pathToFileURL(cli).href);
