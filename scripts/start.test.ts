import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

// Windows has no SIGTERM.
it.skipIf(process.platform === 'win32')(
  'SIGTERM to npm start ends the server too, whatever the shell between them does',
  async () => {
    const { PATH, HOME } = process.env;
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { PATH, HOME, PORT: '0', DATABASE_URL: 'memory:' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    // Whoever still writes keeps it open: npm, its shell and the server.
    const allEnded = once(npm.stdout, 'close');
    let said = '';
    try {
      await new Promise<void>((resolve) => {
        npm.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          if (said.includes('More tokens:')) resolve();
        });
      });
      npm.kill('SIGTERM');
      await allEnded;
      expect(said).toContain('stopping');
    } finally {
      // What a failed test left behind: npm, its shell and the server are one group.
      if (npm.pid !== undefined) endGroup(npm.pid);
    }
  },
);

function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
