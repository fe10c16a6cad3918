import type { Instant } from '@calends/model';
import { CalendsError } from '../domain/calls/errors.js';
import { performance } from 'node:perf_hooks';
import { dropRejectionsIn } from '../support/host-answers.js';

/** Tells the time; nothing in the core reads it from anywhere else. */
export interface Clock {
  /** Now, in epoch milliseconds; parts of one are cut off, and what is no number fails the operation with `internal`. */
  now(): Instant;
}

/** The system's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock of the host, in the whole milliseconds that stores keep; a time that is none is told before anything is made of it. */
export function checkedClock(clock: Clock): Clock {
  if (clock === systemClock) return clock;
  return {
    now: () => {
      const now: unknown = clock.now();
      if (Number.isFinite(now)) return Math.floor(now as number);
      dropRejectionsIn(now);
      const cause = new TypeError('clock: now must answer epoch milliseconds');
      throw new CalendsError('internal', 'There is no time for what is to be made.', { cause });
    },
  };
}

/** What a change says of now (D80): nothing where the host has a clock of its own, which claims go by as well. */
export const nowByStore = (clock: Clock, now: Instant): Instant | undefined =>
  clock === systemClock ? now : undefined;

/** The time by which holds live, where the host has a clock of its own; else the store asks its own after the locks. */
export const holdsAt = (clock: Clock): Instant | undefined => (clock === systemClock ? undefined : clock.now());

/** Milliseconds since some moment, which never go back. */
export function monotonicTime(): number {
  return performance.now();
}
