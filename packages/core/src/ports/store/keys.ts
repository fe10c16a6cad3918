import type { Instant } from '@calends/model';

/** A key that the store names: only who has its secret may write, until it is retired (D67). */
export interface NamedKey {
  /** 1 for the first, then one more than the greatest: of two that name a key at once, one is refused. */
  readonly number: number;
  /** Short fingerprint; at most 32 characters. */
  readonly id: string;
  /** Tells the secret from every other one, and nothing of it. */
  readonly check: string;
  /** Since when no process is known to sign with it; absent = it signs. */
  readonly quietSince?: Instant | undefined;
  /**
   * Its key of the audit chain, encrypted under a later key. Present = retired: nothing else names it, nobody signs with it
   * again, and no process needs its secret.
   */
  readonly keptAudit?: string | undefined;
}

/** The names of the keys in use. */
export interface KeyStore {
  /** Every named key, by number. */
  list(): Promise<readonly NamedKey[]>;

  /** Names a key in one atomic step; answers false, and writes nothing, when its number is taken. */
  add(key: NamedKey): Promise<boolean>;

  /**
   * Sets `quietSince` and `keptAudit` of the key with this number in one atomic step; answers false, and writes nothing,
   * when they are not as expected any more.
   */
  change(next: NamedKey, expected: NamedKey): Promise<boolean>;
}
