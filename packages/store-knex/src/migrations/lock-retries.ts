import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from '@calends/core/store';
import type { Fault } from '../faults/store-fault.js';

/** What a migration tells on its way. */
export type MigrationProgress =
  /** The step begins. */
  | { readonly type: 'step'; readonly name: string }
  /** The step `name` will go through the rows of a table, of which there are about so many. */
  | {
      readonly type: 'rows';
      readonly name: string;
      readonly table: string;
      readonly rows: number;
      /** Milliseconds, about, for which writes wait meanwhile; absent = they go on. */
      readonly writesWait?: number;
    }
  /** How much of a table has been gone through. */
  | { readonly type: 'percent'; readonly percent: number }
  /** Others hold what the migration needs: everything it had locked is let go, and it tries again after a pause. */
  | { readonly type: 'waiting'; readonly attempt: number; readonly holders: readonly string[] };

/** How a migration waits for locks. */
export interface LockRetries {
  readonly readFault: (error: unknown) => Fault;
  /** Who holds locks on the tables now, in words for an operator; best effort. */
  readonly holders: () => Promise<readonly string[]>;
  readonly onProgress: (progress: MigrationProgress) => void;
  /** Milliseconds until it gives up. */
  readonly patience: number;
}

/** Milliseconds between two tries: much longer than one try holds up others. */
const pauses = [500, 1000, 2000, 4000];

/** Faults that say that a lock was not to be had in the short time that a migration waits for one. */
const lockSigns: ReadonlySet<string> = new Set(['55P03', 'errno 1205']);

/**
 * Does work that waits for locks only briefly, and does it again after a pause until it has them all: anyone who comes
 * behind somebody that waits for a table waits as well.
 *
 * @throws StoreError `contention` that names who holds the locks
 */
export async function withLockRetries<Result>(retries: LockRetries, work: () => Promise<Result>): Promise<Result> {
  const { readFault, onProgress, patience } = retries;
  const began = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { code, sign = '' } = error instanceof StoreError ? { code: error.code } : readFault(error);
      if (!lockSigns.has(sign) && code !== 'contention') throw error;
      const holders = await retries.holders().catch(() => []);
      if (performance.now() - began > patience) {
        const who = holders.length === 0 ? 'somebody' : holders.join(', ');
        throw new StoreError('contention', `The migration does not get its locks: ${who} holds tables of Calends.`);
      }
      onProgress({ type: 'waiting', attempt, holders });
      await pause(pauses[Math.min(attempt, pauses.length) - 1]);
    }
  }
}
