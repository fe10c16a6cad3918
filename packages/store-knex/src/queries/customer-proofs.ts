import type {
  AuditRefusal,
  AuditSeal,
  CustomerProfile,
  CustomerSearch,
  OtpChallenge,
  OtpContactNote,
  OtpTry,
  Ticket,
  TicketKey,
} from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import type { Row } from '../sql/rows.js';
import { type Sql, type SqlValue, concat, sql } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import type { InsertNew } from './insert-new.js';
import { customerTable, readCustomer } from '../tables/customers.js';
import { otpTable, readOtp } from '../tables/otp-challenges.js';
import { readTicket, ticketTable } from '../tables/tickets.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** How a database counts tries, and writes the audit record outside of commits. */
export interface ProofDialect {
  /** Counts a try at a one-time password; the row as it is then, if there is one to compare with. */
  readonly countOtpTry: (connections: Connections, attempt: OtpTry) => Promise<Row | undefined>;

  /** Appends refused calls to the audit record. */
  readonly recordRefusals: (connections: Connections, refusals: readonly AuditRefusal[]) => Promise<void>;

  /** Appends a seal; false when its number is taken, or an entry is sealed, with nothing written. */
  readonly sealAudit: (connections: Connections, seal: AuditSeal) => Promise<boolean>;
}

const otpIs = otpTable.isKey;
const findOtp = `select * from calends_otp_challenges where ${otpIs}`;

/** The challenge of a subject, or `undefined`. */
export function* findOtpChallenge(organizationId: string, subject: string): Steps<OtpChallenge | undefined> {
  const row = yield* runSingle(findOtp, [organizationId, subject]);
  return row === undefined ? undefined : readOtp(row);
}

/** Puts a challenge in the place of the expected one. */
export function* putOtpChallenge(
  { insertNew }: { readonly insertNew: InsertNew },
  next: OtpChallenge,
  expectedChallengeId: string | undefined,
): Steps<boolean> {
  if (expectedChallengeId === undefined) return yield* insertNew(otpTable, otpTable.values(next));
  const { affected } = yield* run(`${otpTable.replace} ${otpIs} and challenge_id = ?`, [
    ...otpTable.otherValues(next),
    ...otpTable.keyValues(next),
    expectedChallengeId,
  ]);
  return affected > 0;
}

const noteContact = `update calends_otp_challenges set sent_to = ? where ${otpIs} and challenge_id = ?`;

/** Keeps where the code of a challenge went. */
export function* noteOtpContact({ organizationId, subject, challengeId, sentTo }: OtpContactNote): Steps<void> {
  yield* run(noteContact, [sentTo, organizationId, subject, challengeId]);
}

/** The conditional step of {@link countOtpTryStepwise}; values by {@link otpTryValues}. */
export const countOtpTry = `update calends_otp_challenges set tries = tries + 1
  where ${otpIs} and consumed_at is null and expires_at > ? and tries < ?`;

/** The values of {@link countOtpTry}. */
export const otpTryValues = ({ organizationId, subject, now, limit }: OtpTry): readonly SqlValue[] => [
  organizationId,
  subject,
  now,
  limit,
];

/** Counts a try within a transaction, which keeps the row as it was counted; the row as it is then. */
export function* countOtpTryStepwise(attempt: OtpTry): ReturnType<typeof runSingle> {
  if ((yield* run(countOtpTry, otpTryValues(attempt))).affected === 0) return undefined;
  return yield* runSingle(findOtp, [attempt.organizationId, attempt.subject]);
}

const findCurrent = `select * from calends_tickets where ${ticketTable.isKey}`;

/** The current ticket of a key, or `undefined`. */
export function* findTicket(key: TicketKey): Steps<Ticket | undefined> {
  const row = yield* runSingle(findCurrent, ticketTable.keyValues(key));
  return row === undefined ? undefined : readTicket(row);
}

/** Sets how often sessions were ended, never lower. */
export function* endSessions(key: TicketKey, sessionsEnded: number): Steps<void> {
  yield* run(
    `update calends_tickets set sessions_ended = ? where ${ticketTable.isKey} and coalesce(sessions_ended, 0) < ?`,
    [sessionsEnded, ...ticketTable.keyValues(key), sessionsEnded],
  );
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Profiles that carry one of the addresses; reads those of the whole organization. */
export function* findCustomersByContact(
  { asciiLower }: SqlDialect,
  { organizationId, username, primaryEmail, primaryPhone, limit }: CustomerSearch,
): Steps<readonly CustomerProfile[]> {
  const alternatives: readonly Sql[] = [
    ...(username === undefined ? [] : [sql(' or username = ?', username)]),
    ...(primaryEmail === undefined ? [] : [sql(` or ${asciiLower('primary_email')} = ?`, lowerAscii(primaryEmail))]),
    ...(primaryPhone === undefined ? [] : [sql(' or primary_phone = ?', primaryPhone)]),
  ];
  if (alternatives.length === 0) return [];
  const { text, values } = concat(
    sql(`select ${customerTable.as('c')} from calends_customers c`),
    sql(' where organization_id = ? and removal_reason is null and (1 = 0', organizationId),
    ...alternatives,
    sql(') order by appointment_id, participant_id limit ?', limit),
  );
  const { rows } = yield* run(text, values);
  return rows.map(readCustomer);
}
