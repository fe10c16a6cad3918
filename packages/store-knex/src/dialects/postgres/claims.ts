import { claimableEvents, type ClaimDialect, settledColumns } from '../../queries/events.js';
import type { EventOutcome } from '@calends/core/store';
import type { Connections } from '../../database/connections.js';
import { run } from '../../sql/steps.js';
import { appointmentColumns } from '../../tables/appointments.js';
import { eventColumns } from '../../tables/events.js';

/** Rows are chosen and locked in a CTE: the limit would not hold if the update's own plan chose them. */
const claimAppointments = `with due as materialized (
    select organization_id, id, wake_at from calends_appointments
    where wake_at <= ? order by wake_at, organization_id, id limit ? for update skip locked
  ), claimed as (
    update calends_appointments a set wake_at = ? from due
    where a.organization_id = due.organization_id and a.id = due.id
    returning ${appointmentColumns}, due.wake_at as woken_at
  ) select * from claimed order by woken_at, organization_id, id`;

const claimEvents = `with due as materialized (
    select e.id from calends_events e where ${claimableEvents}
    order by e.due_at, e.id limit ? for update of e skip locked
  ), claimed as (
    update calends_events e set due_at = ?, claim_token = ?, attempts = e.attempts + 1 from due
    where e.id = due.id returning ${eventColumns}
  ) select * from claimed order by occurred_at, id`;

const settleEvents = `update calends_events e
  set due_at = o.due_at, delivered_at = o.delivered_at, attempts = coalesce(o.attempts, e.attempts), claim_token = null
  from unnest(?::int8[], ?::int8[], ?::int4[], ?::text[], ?::text[])
    as o (due_at, delivered_at, attempts, id, token)
  where e.id = o.id and e.claim_token = o.token`;

/** Records outcomes with one statement. */
export async function settleEventsOnPostgres(
  connections: Connections,
  outcomes: readonly EventOutcome[],
): Promise<void> {
  const columns = outcomes.map((outcome) => [
    ...settledColumns(outcome),
    outcome.attempts ?? null,
    ...[outcome.eventId, outcome.token],
  ]);
  const lists = [0, 1, 2, 3, 4].map((index) => columns.map((column) => column[index] as string | number | null));
  await connections.use(() => run(settleEvents, lists));
}

/** Claims with one statement. */
export const postgresClaims: ClaimDialect = {
  async claimAppointments(connections, claim) {
    const { now, limit, leaseUntil } = claim;
    const { rows } = await connections.use(() => run(claimAppointments, [now, limit, leaseUntil]));
    return rows;
  },

  async claimEvents(connections, { now, limit, leaseUntil }, token) {
    const values = [now, limit, leaseUntil, token];
    const { rows } = await connections.use(() => run(claimEvents, values));
    return rows;
  },
};
