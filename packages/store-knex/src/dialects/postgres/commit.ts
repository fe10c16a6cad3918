import { createHash } from 'node:crypto';
import { type CommitResult, type OverlapGuard, StoreError } from '@calends/core';
import { appointmentIdOf, type PreparedChange } from '../../commit/prepared-change.js';
import { conflictingAppointments, isStale } from '../../commit/guard-queries.js';
import type { SqlValue } from '../../database/driver.js';
import type { Connections } from '../../database/connections.js';
import { run, type Steps } from '../../database/steps.js';
import { integer } from '../../rows/fields.js';
import { isTakenId } from './faults.js';
import { insertStatement, onlyInserts } from './insert-statement.js';
import { rowCount, rowValues } from './column-lists.js';
import { commitStatement, type RowSet, rowSetNames, rowSets } from './commit-statement.js';
import { postgresSql } from './sql.js';

type Rows = Record<RowSet, (readonly SqlValue[])[]>;

/** Statements by the kinds of rows that occur and how many; few in practice. */
const statements = new Map<string, string>();
const rememberedStatements = 500;

/** The kinds of rows that occur; an update may leave no actor, and still takes the old ones away. */
const occurring = (rows: Rows): readonly RowSet[] =>
  rowSetNames.filter((set) => rows[set].length > 0 || (set === 'actors' && rows.changed.length > 0));

function statementFor(rows: Rows, sets: readonly RowSet[]): string {
  const counts = new Map(sets.map((set) => [set, rowCount(rows[set])]));
  const key = Array.from(counts, ([set, count]) => `${set} ${count}`).join(' ');
  const known = statements.get(key);
  if (known !== undefined) return known;
  const statement = onlyInserts(sets) ? insertStatement(counts) : commitStatement(counts);
  if (statements.size < rememberedStatements) statements.set(key, statement);
  return statement;
}

function addRows(rows: Rows, prepared: PreparedChange, position: number): void {
  const { change, appointment: values = [], actors, customers, removedCustomers, events } = prepared;
  const { appointment, request } = change;
  const asks = request === undefined ? 0 : 1;
  switch (appointment?.kind) {
    case undefined:
      rows.loose.push([position, asks]);
      break;
    case 'insert':
      rows.created.push([position, asks, ...values]);
      break;
    case 'update':
      rows.changed.push([position, asks, appointment.expectedVersion, ...values]);
      break;
    case 'remove':
      rows.dropped.push([
        position,
        asks,
        appointment.expectedVersion,
        change.organizationId,
        appointment.appointmentId,
      ]);
  }
  const appointmentId = appointmentIdOf(change);
  if (appointmentId !== undefined) {
    for (const id of removedCustomers) rows.departed.push([position, change.organizationId, appointmentId, id]);
  }
  for (const actor of actors) rows.actors.push([position, ...actor]);
  for (const customer of customers) rows.customers.push([position, ...customer]);
  for (const event of events) rows.events.push([position, ...event]);
  if (request !== undefined) {
    const { organizationId, callerId, operation, key, token, answer } = request;
    rows.answered.push([position, organizationId, callerId, operation, key, token, answer]);
  }
}

function rowsOf(changes: readonly PreparedChange[]): Rows {
  const rows = Object.fromEntries(rowSetNames.map((set) => [set, []])) as unknown as Rows;
  for (const [position, prepared] of changes.entries()) addRows(rows, prepared, position);
  return rows;
}

const committed: CommitResult = { status: 'committed' };

/** Writes changes with one statement, in a transaction or as one. */
function* write(changes: readonly PreparedChange[]): Steps<readonly CommitResult[]> {
  const rows = rowsOf(changes);
  const sets = occurring(rows);
  const values = sets.flatMap((set) => rowValues(rowSets[set], rows[set]));
  const outcome = yield* run(statementFor(rows, sets), values);
  if (onlyInserts(sets)) return changes.map(() => committed);
  const stands = new Set<number>();
  const owned = new Set<number>();
  for (const row of outcome.rows) (integer(row, 'stands') === 1 ? stands : owned).add(integer(row, 'position'));
  return changes.map(({ change }, position) => {
    if (stands.has(position)) return committed;
    return { status: change.request === undefined || owned.has(position) ? 'stale' : 'requestLost' };
  });
}

/** Parts advisory locks of this package from those of the host. */
const lockClass = 1_128_352_596;

/** A lock's number for an actor; two actors that share one only wait for each other without need. */
const lockOf = (organizationId: string, actorId: string): number =>
  createHash('sha1')
    .update(JSON.stringify([organizationId, actorId]))
    .digest()
    .readInt32BE();

/** Locks the actors until the transaction ends, in an order that all commits share. */
function* lockActors(organizationId: string, { actorIds }: OverlapGuard): Steps<void> {
  const locks = [...new Set(actorIds.map((actorId) => lockOf(organizationId, actorId)))].sort((a, b) => a - b);
  const { rows } = yield* run(
    `select pg_advisory_xact_lock(?::int4, number::int4), current_setting('transaction_isolation') as isolation
     from unnest(?::int8[]) as number`,
    [lockClass, locks],
  );
  // Would not see what was committed since the host's transaction began.
  if (rows[0]?.['isolation'] === 'repeatable read') {
    throw new StoreError('unexpected', 'The overlap guard needs a transaction that reads what is committed.');
  }
}

/** Writes one guarded change: the look for overlaps must come after the lock, in a statement of its own. */
function writeGuarded(connections: Connections, prepared: PreparedChange, guard: OverlapGuard): Promise<CommitResult> {
  return connections.transact(function* () {
    yield* lockActors(prepared.change.organizationId, guard);
    if (yield* isStale(prepared.change, '')) return { status: 'stale' };
    const appointmentIds = yield* conflictingAppointments(postgresSql, prepared.change, guard, '');
    if (appointmentIds.length > 0) return { status: 'slotConflict', appointmentIds };
    const [result = { status: 'stale' }] = yield* write([prepared]);
    return result;
  });
}

/** Writes changes with one statement; a guarded one comes alone, in a transaction. */
export async function commitOnPostgres(
  connections: Connections,
  changes: readonly PreparedChange[],
): Promise<readonly CommitResult[]> {
  const [first] = changes;
  const guard = first?.change.guard;
  try {
    if (first !== undefined && guard !== undefined) return [await writeGuarded(connections, first, guard)];
    return await connections.single(() => write(changes));
  } catch (error) {
    // Of several it is not known whose id was taken: then each is written alone.
    if (changes.length === 1 && isTakenId(error)) return [{ status: 'stale' }];
    throw error;
  }
}
