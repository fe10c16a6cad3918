import { CalendsError } from '@calends/core';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Racer, racingOptions } from './races.js';

interface Answer {
  readonly number: number;
  readonly value?: unknown;
  readonly error?: Pick<CalendsError, 'code' | 'message' | 'reasons'>;
}

/** A library that runs in another process, over the same database. */
export interface RacerProcess extends Racer {
  close(): Promise<void>;
}

/** Starts a process with the library over a database. */
export function startRacer(databaseUrl: string): RacerProcess {
  const script = join(import.meta.dirname, '..', 'torture', 'racer.mjs');
  // Without the test runner's own flags.
  const child = fork(script, [databaseUrl, JSON.stringify(racingOptions())], { execArgv: [] });
  const waiting = new Map<number, (answer: Answer) => void>();
  child.on('message', (answer: Answer) => waiting.get(answer.number)?.(answer));
  child.on('exit', () => {
    for (const [number, tell] of waiting)
      tell({ number, error: { code: 'internal', message: 'The process has ended.', reasons: [] } });
  });
  let last = 0;
  const call =
    (room: string, operation: string) =>
    async (...args: readonly unknown[]): Promise<never> => {
      const number = (last += 1);
      const answer = new Promise<Answer>((resolve) => waiting.set(number, resolve));
      child.send({ number, room, operation, args });
      const { value, error } = await answer;
      waiting.delete(number);
      if (error !== undefined) throw new CalendsError(error.code, error.message, error);
      return value as never;
    };
  return {
    availability: { hold: call('availability', 'hold'), explain: call('availability', 'explain') },
    appointments: { schedule: call('appointments', 'schedule') },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
