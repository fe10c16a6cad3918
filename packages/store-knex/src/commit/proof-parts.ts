import type { Change, TicketRevocation } from '@calends/core/store';
import { text } from '../sql/rows.js';
import { inList, type Sql, sql } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { ticketTable } from '../tables/tickets.js';
import type { CommitPart } from './part.js';
import { appointmentIdOf, locksFirst } from './rivals.js';

const isUnused = 'organization_id = ? and subject = ? and challenge_id = ? and consumed_at is null';

/** A one-time password that the change uses up, unless it was used or replaced. */
export const otpPart: CommitPart = {
  refusal: {
    status: 'otpUsed',
    *isRefused({ locking }, { change: { organizationId, otp } }) {
      if (otp === undefined) return false;
      const query = `select 1 as unused from calends_otp_challenges where ${isUnused}${locking}`;
      return (yield* runSingle(query, [organizationId, otp.subject, otp.challengeId])) === undefined;
    },
  },

  *write({ prepared, organizationId }) {
    const { otp } = prepared.change;
    if (otp === undefined) return;
    const values = [otp.at, organizationId, otp.subject, otp.challengeId];
    yield* run(`update calends_otp_challenges set consumed_at = ? where ${isUnused}`, values);
  },
};

const ticketHolds = `${ticketTable.isKey} and nonce = ? and revoked_at is null`;
const sessionHolds = ' and coalesce(sessions_ended, 0) <= ?';

/** The ticket that the change is made with: it must hold until then. */
export const proofPart: CommitPart = {
  refusal: {
    status: 'proofLost',
    *isRefused({ lockingProofs, stands }, { change }) {
      const { organizationId, appointment, proof } = change;
      const id = appointmentIdOf(change);
      // Where one writer works at a time nothing has to be locked; a new appointment has no ticket that others could know.
      if (locksFirst(change) && lockingProofs !== '' && id !== undefined && appointment?.kind !== 'insert') {
        const lock = `select 1 as held from calends_appointments where organization_id = ? and id = ?${lockingProofs}`;
        yield* run(lock, [organizationId, id]);
      }
      if (proof === undefined) return false;
      const { nonce, session } = proof;
      const values = [...ticketTable.keyValues({ organizationId, ...proof }), nonce];
      const holds =
        session === undefined ? sql(ticketHolds, ...values) : sql(`${ticketHolds}${sessionHolds}`, ...values, session);
      return !(yield* stands('calends_tickets', holds));
    },
  },
};

function ofHolders(holderIds: readonly string[] | undefined): Sql {
  if (holderIds === undefined) return sql('');
  const { text: isHolder, values } = inList('holder_id', holderIds);
  return sql(` and ${isHolder}`, ...values);
}

/** Takes the manage tickets of an appointment away: those of some participants, or all with it. */
function* dropManageTickets(
  organizationId: string,
  appointmentId: string,
  participantIds?: readonly string[],
): Steps<void> {
  if (participantIds?.length === 0) return;
  const holders = ofHolders(participantIds);
  yield* run(
    `delete from calends_tickets where organization_id = ? and kind = 'MANAGE' and subject_id = ?${holders.text}`,
    [organizationId, appointmentId, ...holders.values],
  );
}

function* revoke(organizationId: string, { kind, subjectId, holderIds, at }: TicketRevocation): Steps<void> {
  if (holderIds?.length === 0) return;
  const holders = ofHolders(holderIds);
  yield* run(
    `update calends_tickets set revoked_at = ? where organization_id = ? and kind = ? and subject_id = ?
       and revoked_at is null${holders.text}`,
    [at, organizationId, kind, subjectId, ...holders.values],
  );
}

/** Participants whose manage tickets go with them; not the one that gets a ticket in the same change. */
export function forfeitsOf({ ticket, removedCustomers = [] }: Change): readonly string[] {
  const holder = ticket?.next.kind === 'MANAGE' ? ticket.next.holderId : undefined;
  return [...new Set(removedCustomers)].filter((id) => id !== holder);
}

/** Tickets that are taken away, revoked, and issued while their key has the one that was looked at. */
export const ticketsPart: CommitPart = {
  refusal: {
    status: 'stale',
    *isRefused({ locking }, { change: { ticket } }) {
      if (ticket === undefined) return false;
      const query = `select nonce from calends_tickets where ${ticketTable.isKey}${locking}`;
      const row = yield* runSingle(query, ticketTable.keyValues(ticket.next));
      return (row === undefined ? undefined : text(row, 'nonce')) !== ticket.expectedNonce;
    },
  },

  *write({ dialect, prepared: { change }, organizationId }) {
    const { ticket, revokedTickets = [] } = change;
    const appointmentId = appointmentIdOf(change);
    if (appointmentId !== undefined) {
      if (change.appointment?.kind === 'remove') yield* dropManageTickets(organizationId, appointmentId);
      yield* dropManageTickets(organizationId, appointmentId, forfeitsOf(change));
    }
    for (const revocation of revokedTickets) yield* revoke(organizationId, revocation);
    if (ticket === undefined) return;
    const { next, expectedNonce } = ticket;
    if (expectedNonce === undefined) return yield* dialect.insertRows(ticketTable, [ticketTable.values(next)]);
    const replacing = [...ticketTable.otherValues(next), ...ticketTable.keyValues(next)];
    yield* run(`${ticketTable.replace} ${ticketTable.isKey}`, replacing);
  },
};
