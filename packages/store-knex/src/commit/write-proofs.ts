import type { TicketRevocation } from '@calends/core/store';
import { inList, type SqlValue } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { text } from '../sql/rows.js';
import { ticketTable } from '../tables/tickets.js';
import type { PreparedProofs, PreparedTicket } from './prepared-proofs.js';
import type { WriteDialect } from './write-dialect.js';

type Locking = Pick<WriteDialect, 'locking'>;

const otpIs = 'organization_id = ? and subject = ? and challenge_id = ? and consumed_at is null';
const ticketIs = ticketTable.isKey;
const keyOf = ({ values }: PreparedTicket): readonly SqlValue[] => values.slice(0, ticketTable.key.length);

/** Tells whether the one-time password of a change was used up or replaced. */
export function* isUsedUp({ locking }: Locking, organizationId: string, { otp }: PreparedProofs): Steps<boolean> {
  if (otp === undefined) return false;
  const query = `select 1 as unused from calends_otp_challenges where ${otpIs}${locking}`;
  return (yield* runSingle(query, [organizationId, otp.subject, otp.challengeId])) === undefined;
}

/** Tells whether the key of a change's ticket has another one than was looked at. */
export function* isReplaced({ locking }: Locking, { ticket }: PreparedProofs): Steps<boolean> {
  if (ticket === undefined) return false;
  const query = `select nonce from calends_tickets where ${ticketIs}${locking}`;
  const row = yield* runSingle(query, keyOf(ticket));
  return (row === undefined ? null : text(row, 'nonce')) !== ticket.expectedNonce;
}

/** Takes the manage tickets of an appointment away: those of some participants, or all with it. */
export function* dropManageTickets(
  organizationId: string,
  appointmentId: string,
  participantIds?: readonly string[],
): Steps<void> {
  if (participantIds?.length === 0) return;
  const holders = participantIds === undefined ? undefined : inList('holder_id', participantIds);
  yield* run(
    `delete from calends_tickets where organization_id = ? and kind = 'MANAGE' and subject_id = ?${
      holders === undefined ? '' : ` and ${holders.text}`
    }`,
    [organizationId, appointmentId, ...(holders?.values ?? [])],
  );
}

function* revoke(organizationId: string, { kind, subjectId, holderIds, at }: TicketRevocation): Steps<void> {
  if (holderIds?.length === 0) return;
  const holders = holderIds === undefined ? undefined : inList('holder_id', holderIds);
  yield* run(
    `update calends_tickets set revoked_at = ? where organization_id = ? and kind = ? and subject_id = ?
       and revoked_at is null${holders === undefined ? '' : ` and ${holders.text}`}`,
    [at, organizationId, kind, subjectId, ...(holders?.values ?? [])],
  );
}

function* issue(dialect: WriteDialect, ticket: PreparedTicket): Steps<void> {
  const { values, expectedNonce } = ticket;
  if (expectedNonce === null) yield* dialect.insertRows(ticketTable, [values]);
  else yield* run(`${ticketTable.replace} ${ticketIs}`, [...values.slice(ticketTable.key.length), ...keyOf(ticket)]);
}

/** Revokes and issues tickets, and uses a one-time password up; `refusalChecks` have allowed it. */
export function* writeProofs(
  dialect: WriteDialect,
  organizationId: string,
  { otp, ticket, revocations }: PreparedProofs,
): Steps<void> {
  for (const revocation of revocations) yield* revoke(organizationId, revocation);
  if (ticket !== undefined) yield* issue(dialect, ticket);
  if (otp !== undefined) {
    yield* run(`update calends_otp_challenges set consumed_at = ? where ${otpIs}`, [
      otp.at,
      organizationId,
      otp.subject,
      otp.challengeId,
    ]);
  }
}
