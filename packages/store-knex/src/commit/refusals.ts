import { type CommitRefusal, commitRefusals, type ProofGuard, type RefusalStatus } from '@calends/core/store';
import { done, run, runSingle, type Steps } from '../sql/steps.js';
import { ticketTable } from '../tables/tickets.js';
import { conflictingAppointments, isKept, isStale } from './guard-queries.js';
import { appointmentIdOf, type PreparedChange } from './prepared-change.js';
import { isTaken } from './write-request.js';
import type { WriteDialect } from './write-dialect.js';
import { allowsUpdate } from './write-notifications.js';
import { isReplaced, isUsedUp } from './write-proofs.js';

/** What the look for refusals needs to know of a database. */
export type RefusalDialect = Pick<WriteDialect, 'sql' | 'locking' | 'lockingProofs'>;

/** The look for each kind of refusal: what it is where it applies, else `undefined`. */
export type RefusalChecks = Readonly<Record<RefusalStatus, () => Steps<CommitRefusal | undefined>>>;

/**
 * Tells whether a change must see what was committed before its appointment was locked: the tickets that it depends on,
 * or takes away, may be issued, replaced or revoked until then.
 *
 * Anyone who locks both locks the appointment first, and its tickets then (D65).
 */
export function locksFirst({ change }: PreparedChange): boolean {
  const { appointment, proof, ticket, revokedTickets = [], removedCustomers = [] } = change;
  if (proof !== undefined) return true;
  if (appointment?.kind === 'remove') return true;
  if (appointment?.kind !== 'update') return false;
  // An appointment that ends revokes all its tickets; one that is issued at that moment opens nothing.
  const revokesSome = revokedTickets.some(({ holderIds }) => holderIds !== undefined);
  return ticket !== undefined || removedCustomers.length > 0 || revokesSome;
}

/** Tells whether a change is decided on after locks, one statement after the other: one statement sees no more than was there when it began. */
export const isGuarded = (prepared: PreparedChange): boolean =>
  prepared.change.guard !== undefined || locksFirst(prepared);

function* lockAppointment({ change }: PreparedChange, locking: string): Steps<void> {
  const id = appointmentIdOf(change);
  // Where one writer works at a time nothing has to be locked; a new appointment has no ticket that others could know.
  if (locking === '' || id === undefined || change.appointment?.kind === 'insert') return;
  yield* run(`select 1 as held from calends_appointments where organization_id = ? and id = ?${locking}`, [
    change.organizationId,
    id,
  ]);
}

const ticketHolds = `select 1 as held from calends_tickets
  where ${ticketTable.isKey} and nonce = ? and revoked_at is null`;

function* holdsProof(organizationId: string, proof: ProofGuard, locking: string): Steps<boolean> {
  const values = [...ticketTable.keyValues({ organizationId, ...proof }), proof.nonce];
  return (yield* runSingle(`${ticketHolds}${locking}`, values)) !== undefined;
}

/** How each refusal of a change is told; rows that it depends on are locked as they are looked at. */
export function refusalChecks(dialect: RefusalDialect, prepared: PreparedChange): RefusalChecks {
  const { change, proofs, notifications } = prepared;
  const { organizationId, appointment, request, proof, guard } = change;
  return {
    *requestLost() {
      if (request === undefined || !(yield* isTaken(request, dialect.locking))) return undefined;
      return { status: 'requestLost' };
    },
    *otpUsed() {
      if (proofs === undefined || !(yield* isUsedUp(dialect, organizationId, proofs))) return undefined;
      return { status: 'otpUsed' };
    },
    *proofLost() {
      if (locksFirst(prepared)) yield* lockAppointment(prepared, dialect.lockingProofs);
      if (proof === undefined || (yield* holdsProof(organizationId, proof, dialect.lockingProofs))) return undefined;
      return { status: 'proofLost' };
    },
    *stale() {
      const kept = appointment?.kind !== 'keep' || (yield* isKept(organizationId, appointment, dialect.lockingProofs));
      const stands =
        kept &&
        (proofs === undefined || !(yield* isReplaced(dialect, proofs))) &&
        (notifications === undefined || (yield* allowsUpdate(dialect, organizationId, notifications))) &&
        // Without a look at its time nothing comes after this, and the writing of the row tells it at once.
        (guard === undefined || !(yield* isStale(change, dialect.locking)));
      return stands ? undefined : { status: 'stale' };
    },
    *slotConflict() {
      if (guard === undefined) return yield* done(undefined);
      const appointmentIds = yield* conflictingAppointments(dialect.sql, change, guard, dialect.locking);
      return appointmentIds.length > 0 ? { status: 'slotConflict', appointmentIds } : undefined;
    },
  };
}

/** The first refusal that applies, in the order in which they are told (D75); `among` narrows what is looked for. */
export function* firstRefusal(
  checks: RefusalChecks,
  among: readonly RefusalStatus[] = commitRefusals,
): Steps<CommitRefusal | undefined> {
  for (const status of commitRefusals) {
    const refused = among.includes(status) ? yield* checks[status]() : undefined;
    if (refused !== undefined) return refused;
  }
  return undefined;
}
