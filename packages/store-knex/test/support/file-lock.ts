import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A program that keeps a file locked until its input ends. */
const holder = `
  const [, filename] = process.argv;
  const Database = require(${JSON.stringify(require.resolve('libsql'))});
  const database = new Database(filename);
  database.exec('begin exclusive');
  console.log('locked');
  process.stdin.resume().on('end', () => {
    database.exec('rollback');
    database.close();
  });
`;

/** Has another process lock a SQLite file as backups and shells do; the answer lets go of it. */
export async function lockFile(filename: string): Promise<() => Promise<void>> {
  const other = spawn(process.execPath, ['-e', holder, filename], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(other, 'exit');
  await once(other.stdout, 'data');
  return async () => {
    other.stdin.end();
    await ended;
  };
}
