import { type Change, type CommitResult, StoreError } from '@calends/core/store';
import { Coalescer, type Pressure, type QueueParts } from '../database/coalescer.js';
import type { Connections } from '../database/connections.js';
import { batchKeys, type Circumstances, isGuarded, prepareChange, type PreparedChange } from './prepared-change.js';
import { inTime, requireLive, type Written } from './write-live.js';

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
