import type { Instant } from '@calends/model';
import { performance } from 'node:perf_hooks';

/** Tells the time; nothing in the core reads it from anywhere else. */
export interface Clock {
  /** Now, in epoch milliseconds; parts of one are cut off. */
  now(): Instant;
}

/** The system's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock of the host, in the whole milliseconds that stores keep. */
export const wholeClock = (clock: Clock): Clock =>
  clock === systemClock ? clock : { now: () => Math.floor(clock.now()) };

/** What a change says of now (D80): nothing where the host has a clock of its own, which claims go by as well. */
export const nowByStore = (clock: Clock, now: Instant): Instant | undefined =>
  clock === systemClock ? now : undefined;

/** The time by which holds live, where the host has a clock of its own; else the store asks its own after the locks. */
export const holdsAt = (clock: Clock): Instant | undefined => (clock === systemClock ? undefined : clock.now());

/** Milliseconds since some moment, which never go back. */
export function monotonicTime(): number {
  return performance.now();
}
