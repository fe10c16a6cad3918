import type { Instant } from '../appointments/instant.js';
import type { Clock } from '../ports/clock.js';

/** The system's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** What a change says of now (D80): nothing where the host has a clock of its own, which claims go by as well. */
export const nowByStore = (clock: Clock, now: Instant): Instant | undefined =>
  clock === systemClock ? now : undefined;
