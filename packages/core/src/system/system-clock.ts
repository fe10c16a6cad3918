import type { Clock } from '../ports/clock.js';

/** The system's clock. */
export const systemClock: Clock = { now: () => Date.now() };
