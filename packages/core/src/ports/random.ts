/** Where chance comes from, for the jitter of waits. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
}

/** The run time's own source; good enough for jitter, not for secrets. */
export const systemRandom: Random = { next: () => Math.random() };
