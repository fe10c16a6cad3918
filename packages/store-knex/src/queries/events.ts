import type { Claim, EventOutcome, EventQuery, EventRelease } from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import type { Row } from '../sql/rows.js';
import { sql, type SqlValue } from '../sql/sql.js';
import { listRows, run, type Steps } from '../sql/steps.js';
import { appointmentColumns } from '../tables/appointments.js';
import { eventColumns, readEvent } from '../tables/events.js';

/** How a database claims what is due. */
export interface ClaimDialect {
  /** Claims due appointments; rows with the `wake_at` that had come as `woken_at`. */
  readonly claimAppointments: (connections: Connections, claim: Claim) => Promise<readonly Row[]>;

  /** Claims events under a token; rows as they are after the claim. */
  readonly claimEvents: (connections: Connections, claim: Claim, token: string) => Promise<readonly Row[]>;
}

/**
 * `due_at` of a parked event: the last instant that there is. So it is undelivered like any other that waits, for every
 * statement and for programs of before. (`parked_at` is from those: what they parked lets the later ones go.)
 */
const never = 8_640_000_000_000_000;

const isNextOfAppointment = `not exists (
    select 1 from calends_events p
    where p.organization_id = e.organization_id and p.appointment_id = e.appointment_id and p.due_at is not null
      and (p.version < e.version or (p.version = e.version and p.id < e.id)))`;

/** The appointments that are due, with the `wake_at` that has come as `woken_at`. */
export const dueAppointments = `select ${appointmentColumns}, a.wake_at as woken_at from calends_appointments a
  where a.wake_at <= ? order by a.wake_at, a.organization_id, a.id limit ?`;

/** Which events may be claimed at a time: due, and none of a lower version of the same appointment undelivered. */
export const claimableEvents = `e.due_at <= ? and ${isNextOfAppointment}`;

/** When the first event can be claimed that no undelivered one of its appointment holds back. */
export const nextClaimableEvent = `select min(e.due_at) from calends_events e
  where e.due_at < ${never} and ${isNextOfAppointment}`;

const dueAt = { retry: (at: number) => at, delivered: () => null, parked: () => never } as const;

/** What an outcome makes of the columns `due_at` and `delivered_at`. */
export function settledColumns({ status, at }: Pick<EventOutcome, 'status' | 'at'>): readonly SqlValue[] {
  return [dueAt[status](at), status === 'delivered' ? at : null];
}

/** Records one outcome, if its token still holds the claim. */
export function* settleEvent(outcome: EventOutcome): Steps<void> {
  yield* run(
    `update calends_events set due_at = ?, delivered_at = ?, attempts = coalesce(?, attempts), claim_token = null
     where id = ? and claim_token = ?`,
    [...settledColumns(outcome), outcome.attempts ?? null, outcome.eventId, outcome.token],
  );
}

/** Lets parked events go on; answers how many. */
export function* releaseEvents({ organizationId, appointmentId, as, at }: EventRelease): Steps<number> {
  const ofAppointment = appointmentId === undefined ? [] : [appointmentId];
  const { affected } = yield* run(
    `update calends_events set due_at = ?, delivered_at = ?, attempts = 0
     where due_at = ${never} and organization_id = ?${ofAppointment.map(() => ' and appointment_id = ?').join('')}`,
    [...settledColumns({ status: as, at }), organizationId, ...ofAppointment],
  );
  return affected;
}

/** Events of an appointment in version order. */
export const listEvents = ({ organizationId, appointmentId }: EventQuery) =>
  listRows(
    sql(
      `select ${eventColumns} from calends_events e where organization_id = ? and appointment_id = ? order by version, id`,
      ...[organizationId, appointmentId],
    ),
    readEvent,
  );
