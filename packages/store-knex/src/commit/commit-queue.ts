import { type Change, type CommitResult, StoreError } from '@calends/core/store';
import { Coalescer, type Pressure, type QueueParts } from '../database/coalescer.js';
import type { Connections } from '../database/connections.js';
import { type Circumstances, prepareChange, type PreparedChange } from './prepared-change.js';
import { batchKeys, isGuarded } from './rivals.js';
import type { Steps } from '../sql/steps.js';

/** How a database commits. */
export interface CommitDialect {
  readonly commits: Pressure;
  /** Commits that are decided on after locks (`isGuarded`), where they cannot share a batch with others; absent = they can. */
  readonly guardedCommits?: Pressure;

  /**
   * Writes changes, each whole or not at all and answered for itself; a fault writes none of them.
   *
   * No two of them share an appointment or a request.
   */
  readonly commit: (connections: Connections, changes: readonly PreparedChange[]) => Promise<readonly Written[]>;
}

/** Commits a change, with others when the database is busy. */
export type CommitQueue = (change: Change, circumstances: Circumstances) => Promise<CommitResult>;

/** What commits run on. */
export interface CommitQueueParts extends QueueParts<CommitDialect> {
  /** False inside a transaction of the host, where every commit goes out alone. */
  readonly joins: boolean;
}

/** The queue of a store's commits. */
export function commitQueue({ dialect, connections, attempt, joins, tracer }: CommitQueueParts): CommitQueue {
  const writeAlone = async (change: PreparedChange): Promise<CommitResult> => {
    const [result] = await attempt(() => {
      requireLive([change]);
      return dialect.commit(connections, [change]);
    });
    if (result === undefined) throw new StoreError('unexpected', 'A commit came back without a result.');
    return inTime(result);
  };
  if (!joins) return async (change, circumstances) => writeAlone(prepareChange(change, circumstances));

  /** Each stands or falls by itself: when one makes a batch fail, all of it is written one by one. */
  const write = async (
    batch: readonly PreparedChange[],
  ): Promise<readonly (CommitResult | Promise<CommitResult>)[]> => {
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) return [await writeAlone(first)];
    try {
      const results = await attempt(() => {
        requireLive(batch);
        return dialect.commit(connections, batch);
      });
      return results.map(inTime);
    } catch (error) {
      const wroteNothing = error instanceof StoreError && error.code === 'unexpected';
      if (!wroteNothing) throw error;
      return batch.map(writeAlone);
    }
  };
  const queue = (pressure: Pressure): Coalescer<PreparedChange, CommitResult> =>
    new Coalescer({ ...pressure, keysOf: batchKeys, perform: write, traced: tracer && { tracer, name: 'commit' } });

  const commits = queue(dialect.commits);
  const guardedCommits = dialect.guardedCommits === undefined ? commits : queue(dialect.guardedCommits);
  return async (change, circumstances) => {
    const prepared = prepareChange(change, circumstances);
    return (isGuarded(prepared) ? guardedCommits : commits).submit(prepared);
  };
}

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
function requireLive(changes: readonly PreparedChange[]): void {
  if (changes.every(isLate)) throw tooLate();
}

/** The result for who asked for the commit. */
function inTime(written: Written): CommitResult | Promise<CommitResult> {
  return written.status === 'late' ? Promise.reject(tooLate()) : written;
}

const tooLate = (): StoreError =>
  new StoreError('unavailable', 'The time of the call passed before its commit began.', { outcome: 'none' });
