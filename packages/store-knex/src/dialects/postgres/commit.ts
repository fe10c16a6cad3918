import type { CommitResult } from '@calends/core';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { issuesFirstTicket } from '../../commit/prepared-proofs.js';
import type { Connections } from '../../database/connections.js';
import { isDuplicateKey } from './faults.js';
import { commitGuarded } from './guarded-commit.js';
import { onlyInserts, writeBatch, writeInserts } from './write-batch.js';

async function write(connections: Connections, changes: readonly PreparedChange[]): Promise<readonly CommitResult[]> {
  const [first] = changes;
  const guard = first?.change.guard;
  if (first !== undefined && guard !== undefined) return [await commitGuarded(connections, first, guard)];
  if (onlyInserts(changes)) {
    try {
      return await connections.single(() => writeInserts(changes));
    } catch (error) {
      // Something stands already: the statement that looks finds out what that means for each of them.
      if (!isDuplicateKey(error)) throw error;
    }
  }
  return connections.single(() => writeBatch(changes));
}

/** Writes changes with one statement; a guarded one comes alone, in a transaction. */
export async function commitOnPostgres(
  connections: Connections,
  changes: readonly PreparedChange[],
): Promise<readonly CommitResult[]> {
  try {
    return await write(connections, changes);
  } catch (error) {
    if (!isDuplicateKey(error) || !changes.some(({ change }) => issuesFirstTicket(change))) throw error;
    return write(connections, changes);
  }
}
