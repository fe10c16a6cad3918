import type { Random } from '../ports/random.js';

/** The run time's own source; good enough for jitter, not for secrets. */
export const systemRandom: Random = { next: () => Math.random() };
