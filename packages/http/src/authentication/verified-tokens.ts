import type { Caller } from '@calends/core';
import { hash } from 'node:crypto';

interface Entry {
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly until: number;
}

/**
 * Callers of tokens that were verified before (performance: Token verification).
 *
 * Found by the SHA-256 of the exact token, so that a token with other trailing signature bits is another one; kept
 * until the token expires and never longer, at max so many, the oldest going first.
 */
export class VerifiedTokens {
  readonly #entries = new Map<string, Entry>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, now: number): Caller | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (now < entry.until) return entry.caller;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, caller: Caller, until: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#max) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
    if (this.#max > 0) this.#entries.set(key, { caller, until });
  }
}

/** The key of a token; the token itself is not kept. */
export function tokenKey(token: string): string {
  return hash('sha256', token, 'base64');
}
