import { isGuarded, type PreparedChange } from '../../commit/prepared-change.js';
import { mayMeetRival } from '../../commit/proofs-of-change.js';
import { writeLive, type Written } from '../../commit/write-live.js';
import type { Connections } from '../../database/connections.js';
import { isDuplicateKey } from './faults.js';
import { commitGuarded } from './guarded-commit.js';
import { writeBatch } from './write-batch.js';

async function write(connections: Connections, changes: readonly PreparedChange[]): Promise<readonly Written[]> {
  const [first] = changes;
  if (first !== undefined && isGuarded(first)) return commitGuarded(connections, first);
  return connections.single(() => writeLive(changes, writeBatch));
}

/** Writes changes with one statement; a guarded one comes alone, in a transaction. */
export async function commitOnPostgres(
  connections: Connections,
  changes: readonly PreparedChange[],
): Promise<readonly Written[]> {
  try {
    return await write(connections, changes);
  } catch (error) {
    if (!isDuplicateKey(error) || !changes.some(({ change }) => mayMeetRival(change))) throw error;
    return write(connections, changes);
  }
}
