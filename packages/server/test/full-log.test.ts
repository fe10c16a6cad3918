import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from './free-port.js';
import { secrets } from './scheduling-client.js';
import { cli } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
/** A disk without room, on Linux. */
const full = '/dev/full';

function start(words: readonly string[], variables: NodeJS.ProcessEnv) {
  const output = openSync(full, 'w');
  const child = spawn(process.execPath, [cli, ...words], {
    cwd: folder(),
    env: { PATH: process.env['PATH'], ...secrets, ...variables },
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as unknown, stderr })) };
}

describe.skipIf(!existsSync(full))('calends whose output has no room on its disk', () => {
  it('calends serve goes on without its log, says so once, and ends in order', async () => {
    const port = await freePort();
    const variables = { NODE_ENV: 'production', DATABASE_URL: 'memory:', PORT: String(port) };
    const { child, ended } = start(['serve'], variables);
    const health = () => fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(5_000) });
    while (!(await health().catch(() => undefined))?.ok);
    for (let asked = 0; asked < 20; asked += 1) expect((await health()).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual({
      code: 0,
      stderr: 'calends: the log cannot be written (ENOSPC): the server goes on, and the lines wait until they can be\n',
    });
  });

  it('calends openapi says so in one line, and exits with 1', async () => {
    const { ended } = start(['openapi'], {});
    expect(await ended).toEqual({ code: 1, stderr: 'calends: the output cannot be written (ENOSPC)\n' });
  });
});
