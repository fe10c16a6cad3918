import { createHash } from 'node:crypto';
import { type CommitResult, type OverlapGuard, StoreError } from '@calends/core';
import { conflictingAppointments, isStale } from '../../commit/guard-queries.js';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { refusalOfRequestAndProofs } from '../../commit/write-change.js';
import type { Connections } from '../../database/connections.js';
import { run, type Steps } from '../../database/steps.js';
import { postgresSql } from './sql.js';
import { writeBatch } from './write-batch.js';

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

function* refusalOfSlot({ change }: PreparedChange, guard: OverlapGuard): Steps<CommitResult | undefined> {
  if (yield* isStale(change, '')) return { status: 'stale' };
  const appointmentIds = yield* conflictingAppointments(postgresSql, change, guard, '');
  return appointmentIds.length > 0 ? { status: 'slotConflict', appointmentIds } : undefined;
}

/** Writes one guarded change: the look for overlaps must come after the lock, in a statement of its own. */
export function commitGuarded(
  connections: Connections,
  prepared: PreparedChange,
  guard: OverlapGuard,
): Promise<CommitResult> {
  return connections.transact(function* () {
    yield* lockActors(prepared.change.organizationId, guard);
    const inTheWay = yield* refusalOfSlot(prepared, guard);
    // What else refuses the change is told first, and costs the usual commit no further look.
    if (inTheWay !== undefined) return (yield* refusalOfRequestAndProofs({ locking: '' }, prepared)) ?? inTheWay;
    const [result = { status: 'stale' }] = yield* writeBatch([prepared]);
    return result;
  });
}
