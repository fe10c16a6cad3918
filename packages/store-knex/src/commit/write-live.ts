import { type CommitResult, StoreError } from '@calends/core/store';
import type { Steps } from '../sql/steps.js';
import type { PreparedChange } from './prepared-change.js';

/** What became of a change: `late` when nobody waits for it any more, and nothing of it was written. */
export type Written = CommitResult | { readonly status: 'late' };

const isLate = ({ signal }: PreparedChange): boolean => signal?.aborted === true;

/** Writes those changes whose time has not passed; asked when there is a connection, right before the first statement. */
export function* writeLive<Change extends PreparedChange>(
  changes: readonly Change[],
  write: (live: readonly Change[]) => Steps<readonly CommitResult[]>,
): Steps<readonly Written[]> {
  const live = changes.filter((change) => !isLate(change));
  const results = live.length === 0 ? [] : yield* write(live);
  const byChange = new Map(live.map((change, index) => [change, results[index]]));
  return changes.map((change) => byChange.get(change) ?? { status: 'late' });
}

/** @throws StoreError `unavailable` when the time of every change has passed: not even a connection is taken then */
export function requireLive(changes: readonly PreparedChange[]): void {
  if (changes.every(isLate)) throw tooLate();
}

/** The result for who asked for the commit. */
export function inTime(written: Written): CommitResult | Promise<CommitResult> {
  return written.status === 'late' ? Promise.reject(tooLate()) : written;
}

const tooLate = (): StoreError =>
  new StoreError('unavailable', 'The time of the call passed before its commit began.', { outcome: 'none' });
