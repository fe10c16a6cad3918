import type { Instant } from '../appointments/instant.js';

/** Tells the time; nothing in the core reads it from anywhere else. */
export interface Clock {
  /** Now, in epoch milliseconds. */
  now(): Instant;
}
