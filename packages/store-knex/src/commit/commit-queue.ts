import { type Change, type CommitResult, StoreError } from '@calends/core';
import { Coalescer } from '../database/coalescer.js';
import type { Connections } from '../database/connections.js';
import type { Dialect, Pressure } from '../dialects/dialect.js';
import { batchKeys, prepareChange, type PreparedChange } from './prepared-change.js';

/** Commits a change, with others when the database is busy. */
export type CommitQueue = (change: Change) => Promise<CommitResult>;

/** What commits run on. */
export interface CommitQueueParts {
  readonly dialect: Dialect;
  readonly connections: Connections;
  readonly attempt: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** False inside a transaction of the host, where every commit goes out alone. */
  readonly joins: boolean;
}

/** The queue of a store's commits. */
export function commitQueue({ dialect, connections, attempt, joins }: CommitQueueParts): CommitQueue {
  const writeAlone = async (change: PreparedChange): Promise<CommitResult> => {
    const [result] = await attempt(() => dialect.commit(connections, [change]));
    if (result === undefined) throw new StoreError('unexpected', 'A commit came back without a result.');
    return result;
  };
  if (!joins) return async (change) => writeAlone(prepareChange(change));

  /** Each stands or falls by itself: when one makes a batch fail, all of it is written one by one. */
  const write = async (
    batch: readonly PreparedChange[],
  ): Promise<readonly (CommitResult | Promise<CommitResult>)[]> => {
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) return [await writeAlone(first)];
    try {
      return await attempt(() => dialect.commit(connections, batch));
    } catch (error) {
      const wroteNothing = error instanceof StoreError && error.code === 'unexpected';
      if (!wroteNothing) throw error;
      return batch.map(writeAlone);
    }
  };
  const queue = (pressure: Pressure): Coalescer<PreparedChange, CommitResult> =>
    new Coalescer({ ...pressure, keysOf: batchKeys, perform: write });

  const commits = queue(dialect.commits);
  const guardedCommits = dialect.guardedCommits === undefined ? commits : queue(dialect.guardedCommits);
  return async (change) => (change.guard === undefined ? commits : guardedCommits).submit(prepareChange(change));
}
