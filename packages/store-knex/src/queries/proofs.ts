import type { AuditRefusal, AuditSeal, OtpChallenge, OtpContactNote, OtpTry, TicketKey } from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import type { Row } from '../sql/rows.js';
import { type SqlValue } from '../sql/sql.js';
import { findRow, type InsertNew, run, runSingle, type Steps } from '../sql/steps.js';
import { otpTable, readOtp } from '../tables/otp-challenges.js';
import { readTicket, ticketColumns, ticketTable } from '../tables/tickets.js';

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
const findOtp = `select ${otpTable.list} from calends_otp_challenges where ${otpIs}`;

/** The challenge of a subject, or `undefined`. */
export const findOtpChallenge = (organizationId: string, subject: string) =>
  findRow(findOtp, [organizationId, subject], readOtp);

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

const findCurrent = `select ${ticketColumns} from calends_tickets where ${ticketTable.isKey}`;

/** The current ticket of a key, or `undefined`. */
export const findTicket = (key: TicketKey) => findRow(findCurrent, ticketTable.keyValues(key), readTicket);

/** Sets how often sessions were ended, never lower. */
export function* endSessions(key: TicketKey, sessionsEnded: number): Steps<void> {
  yield* run(
    `update calends_tickets set sessions_ended = ? where ${ticketTable.isKey} and coalesce(sessions_ended, 0) < ?`,
    [sessionsEnded, ...ticketTable.keyValues(key), sessionsEnded],
  );
}
