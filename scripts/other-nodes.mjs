// Other versions of Node, for what must hold on each of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { npm, run } from './prepare.mjs';

/** The oldest Node that is supported, and the newest of each later line that was tried. */
export const otherNodes = ['20.19.0', '22.23.3', '24.21.0', '26.10.0'];

/**
 * The program of another Node, put into the folder; `undefined` where it cannot be had or does not run here.
 *
 * Only the program is unpacked: 120 MB of 180, without npm's care for each file of the rest.
 */
export async function fetchNode(version, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  const fetched = await npm(['pack', `${name}@${version}`, '--prefer-offline', '--silent'], {
    cwd: folder,
    capture: true,
  });
  if (fetched.code !== 0) return undefined;
  const unpacked = await run('tar', ['-xzf', `${name}-${version}.tgz`, 'package/bin/node'], {
    cwd: folder,
    capture: true,
  }).catch(() => ({ code: 1 }));
  if (unpacked.code !== 0) return undefined;
  const path = join(folder, 'package', 'bin', 'node');
  const answer = await run(path, ['-v'], { capture: true }).catch(() => ({ code: 1 }));
  return answer.code === 0 && answer.output.trim() === `v${version}` ? path : undefined;
}
