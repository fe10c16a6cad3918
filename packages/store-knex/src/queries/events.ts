import type { Claim, EventOutcome, EventQuery } from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import type { Row } from '../sql/rows.js';
import { sql, type SqlValue } from '../sql/sql.js';
import { listRows, run, type Steps } from '../sql/steps.js';
import { readEvent } from '../tables/events.js';

/** How a database claims what is due. */
export interface ClaimDialect {
  /** Claims due appointments; rows with the `wake_at` that had come as `woken_at`. */
  readonly claimAppointments: (connections: Connections, claim: Claim) => Promise<readonly Row[]>;

  /** Claims events under a token; rows as they are after the claim. */
  readonly claimEvents: (connections: Connections, claim: Claim, token: string) => Promise<readonly Row[]>;
}

const isNextOfAppointment = `not exists (
    select 1 from calends_events p
    where p.organization_id = e.organization_id and p.appointment_id = e.appointment_id and p.due_at is not null
      and (p.version < e.version or (p.version = e.version and p.id < e.id)))`;

/** The appointments that are due, with the `wake_at` that has come as `woken_at`. */
export const dueAppointments = `select a.*, a.wake_at as woken_at from calends_appointments a
  where a.wake_at <= ? order by a.wake_at, a.organization_id, a.id limit ?`;

/** Which events may be claimed at a time: due, and none of a lower version of the same appointment undelivered. */
export const claimableEvents = `e.due_at <= ? and ${isNextOfAppointment}`;

/** When the first event can be claimed that no undelivered one of its appointment holds back. */
export const nextClaimableEvent = `select min(e.due_at) from calends_events e
  where e.due_at is not null and ${isNextOfAppointment}`;

/** What an outcome makes of the columns `due_at`, `delivered_at` and `parked_at`. */
export function settledColumns(outcome: EventOutcome): readonly SqlValue[] {
  return [
    outcome.status === 'retry' ? outcome.at : null,
    outcome.status === 'delivered' ? outcome.at : null,
    outcome.status === 'parked' ? outcome.at : null,
  ];
}

/** Records one outcome, if its token still holds the claim. */
export function* settleEvent(outcome: EventOutcome): Steps<void> {
  yield* run(
    `update calends_events set due_at = ?, delivered_at = ?, parked_at = ?, claim_token = null
     where id = ? and claim_token = ?`,
    [...settledColumns(outcome), outcome.eventId, outcome.token],
  );
}

/** Events of an appointment in version order. */
export const listEvents = ({ organizationId, appointmentId }: EventQuery) =>
  listRows(
    sql(
      'select * from calends_events where organization_id = ? and appointment_id = ? order by version, id',
      ...[organizationId, appointmentId],
    ),
    readEvent,
  );
