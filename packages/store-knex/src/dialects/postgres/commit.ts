import { type PreparedChange } from '../../commit/prepared-change.js';
import { despiteRivals, isGuarded, lockedActors } from '../../commit/rivals.js';
import { type CommitDialect, writeLive, type Written } from '../../commit/commit-queue.js';
import { isDuplicateKey } from './faults.js';
import { createHash } from 'node:crypto';
import { commitRefusals, type CommitResult, type RefusalStatus, StoreError } from '@calends/core/store';
import { standsUnder } from '../../commit/part.js';
import { firstRefusal } from '../../commit/parts.js';
import type { Connections } from '../../database/connections.js';
import { run, type Steps } from '../../sql/steps.js';
import { commitStatement, toldByTheStatement } from './commit-statement.js';
import { postgresSql } from './sql.js';
import { markOf } from '../../readers/marks.js';
import { integer, optionalText, text } from '../../sql/rows.js';

/** What is told of a change. */
interface Told {
  isApplied: boolean;
  /** Where commits tell their mark. */
  mark?: string;
  readonly refusals: Set<string>;
  readonly sending: string[];
}

function resultOf({ isApplied, mark, refusals, sending }: Told): CommitResult {
  if (isApplied) {
    return { status: 'committed', ...(sending.length > 0 && { sending }), ...(mark !== undefined && { mark }) };
  }
  // What stands in the way of a change that is not guarded, when nothing else does.
  return { status: toldByTheStatement.find((status) => refusals.has(status)) ?? 'stale' };
}

/** Writes changes with one statement that decides on each. */
function* writeBatch(changes: readonly PreparedChange[], marks: boolean): Steps<readonly CommitResult[]> {
  const { rows } = yield commitStatement(changes, marks);
  const told = changes.map((): Told => ({ isApplied: false, refusals: new Set(), sending: [] }));
  for (const row of rows) {
    const change = told[integer(row, 'position')];
    if (change === undefined) continue;
    const refusal = optionalText(row, 'refusal');
    if (refusal === undefined) change.isApplied = true;
    else change.refusals.add(refusal);
    if (marks) change.mark = markOf(text(row, 'transaction_id'));
    // The column is there only where notifications were to be taken back.
    if (typeof row['sending_id'] === 'string') change.sending.push(row['sending_id']);
  }
  return told.map(resultOf);
}

/** Parts advisory locks of this package from those of the host. */
const lockClass = 1_128_352_596;

/** A lock's number for an actor; two actors that share one only wait for each other without need. */
const lockOf = (organizationId: string, actorId: string): number =>
  createHash('sha1')
    .update(JSON.stringify([organizationId, actorId]))
    .digest()
    .readInt32BE();

/** Isolation of transactions whose statements each see what was committed before them. */
const seesCommitted: ReadonlySet<unknown> = new Set(['read committed', 'read uncommitted']);

/** Locks the actors until the transaction ends, in an order that all commits share. */
function* lockActors(organizationId: string, actorIds: readonly string[]): Steps<void> {
  const locks = [...new Set(actorIds.map((actorId) => lockOf(organizationId, actorId)))].sort((a, b) => a - b);
  // Nobody is asked for: nothing can be in the way, whatever the transaction sees.
  if (locks.length === 0) return;
  const { rows } = yield* run(
    `select pg_advisory_xact_lock(?::int4, number::int4), current_setting('transaction_isolation') as isolation
     from unnest(?::int8[]) as number`,
    [lockClass, locks],
  );
  // Others would not see what was committed since the host's transaction began; that of SERIALIZABLE is compared with nothing
  // but transactions of its own kind, and the library's are none.
  if (!seesCommitted.has(rows[0]?.['isolation'])) {
    throw new StoreError('unexpected', 'The overlap guard needs a transaction that reads what is committed.');
  }
}

const toldByStatement: ReadonlySet<RefusalStatus> = new Set(toldByTheStatement);
const toldBefore = commitRefusals.filter((status) => !toldByStatement.has(status));

const looking = { sql: postgresSql, locking: '', lockingProofs: ' for update', stands: standsUnder(' for update') };

/**
 * Writes one change that depends on what others commit until it has its locks: the looks come after them, in statements of
 * their own.
 */
function commitGuarded(
  connections: Connections,
  prepared: PreparedChange,
  marks: boolean,
): Promise<readonly Written[]> {
  return connections.transact(() => writeLive([prepared], () => writeGuarded(prepared, marks)));
}

function* writeGuarded(prepared: PreparedChange, marks: boolean): Steps<readonly CommitResult[]> {
  const { organizationId } = prepared.change;
  yield* lockActors(organizationId, lockedActors(prepared.change));
  const inTheWay = yield* firstRefusal(looking, prepared, toldBefore);
  // What comes before it in the order is looked for only now, so that it costs the usual commit nothing.
  if (inTheWay !== undefined) return [(yield* firstRefusal(looking, prepared, toldByTheStatement)) ?? inTheWay];
  return yield* writeBatch([prepared], marks);
}

async function write(
  connections: Connections,
  changes: readonly PreparedChange[],
  marks: boolean,
): Promise<readonly Written[]> {
  const [first] = changes;
  if (first !== undefined && isGuarded(first)) return commitGuarded(connections, first, marks);
  return connections.single(() => writeLive(changes, (live) => writeBatch(live, marks)));
}

/** Writes changes with one statement; a guarded one comes alone, in a transaction. With `marks` each tells its own. */
export const commitOnPostgres =
  (marks: boolean): CommitDialect['commit'] =>
  (connections, changes) =>
    despiteRivals(changes, isDuplicateKey, () => write(connections, changes, marks));
