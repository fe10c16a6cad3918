import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { oneFile } from './one-file.js';

/** Worker processes of which one is killed now and then, and replaced at once. */
export interface DyingWorkers {
  readonly kills: number;
  /** Kills no more. */
  spare(): void;
  /** What the processes wrote to their standard error. */
  complaints(): string;
  /** Ends every process by its id. */
  end(): Promise<void>;
}

export async function dyingWorkers(count: number, argumentsOf: readonly string[]): Promise<DyingWorkers> {
  const script = await oneFile(join(import.meta.dirname, 'delivery-worker.mjs'));
  const faults: string[] = [];
  const living = new Set<ChildProcess>();
  /** In the order in which they began to work; one that is still starting is not killed, or none would ever work. */
  const working: ChildProcess[] = [];
  const start = (): void => {
    const child = spawn(process.execPath, [script.path, ...argumentsOf], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr.on('data', (part: Buffer) => void faults.push(part.toString()));
    child.stdout.once('data', () => void working.push(child));
    child.once('exit', () => living.delete(child));
    living.add(child);
  };
  for (let index = 0; index < count; index += 1) start();
  let kills = 0;
  let timer: NodeJS.Timeout | undefined;
  const kill = (): void => {
    timer = setTimeout(kill, pauseAfter(kills));
    const [oldest] = working;
    if (oldest === undefined || working.length < 2) return;
    working.shift();
    oldest.kill('SIGKILL');
    start();
    kills += 1;
  };
  timer = setTimeout(kill, pauseAfter(0));
  return {
    get kills() {
      return kills;
    },
    spare: () => {
      clearTimeout(timer);
    },
    complaints: () => faults.join(''),
    async end() {
      clearTimeout(timer);
      await Promise.all(
        [...living].map(async (child) => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }),
      );
      await script.remove();
    },
  };
}

/** From 150 to 400 ms, in an order that is the same in every run. */
const pauseAfter = (kills: number): number => 150 + ((kills * 97) % 251);
