import type { Claim, EventOutcome, RequestReservation, ReservationResult } from '@calends/core';
import type { Row } from '../../database/driver.js';
import type { Connections } from '../../database/connections.js';
import { run } from '../../database/steps.js';
import { claimableEvents } from '../../queries/event-claims.js';
import {
  obstacle,
  requestKeyColumns,
  requestKeyValues,
  reservationColumns,
  reservationValues,
} from '../../queries/reservations.js';
import { settledColumns } from '../../queries/settle-event.js';

/** Rows are chosen and locked in a CTE: the limit would not hold if the update's own plan chose them. */
const claimAppointments = `with due as materialized (
    select organization_id, id, wake_at from calends_appointments
    where wake_at <= ? order by wake_at, organization_id, id limit ? for update skip locked
  ), claimed as (
    update calends_appointments a set wake_at = ? from due
    where a.organization_id = due.organization_id and a.id = due.id
    returning a.*, due.wake_at as woken_at
  ) select * from claimed order by woken_at, organization_id, id`;

const claimEvents = `with due as materialized (
    select e.id from calends_events e where ${claimableEvents}
    order by e.due_at, e.id limit ? for update of e skip locked
  ), claimed as (
    update calends_events e set due_at = ?, claim_token = ?, attempts = e.attempts + 1 from due
    where e.id = due.id returning e.*
  ) select * from claimed order by occurred_at, id`;

const settleEvents = `update calends_events e
  set due_at = o.due_at, delivered_at = o.delivered_at, parked_at = o.parked_at, claim_token = null
  from unnest(?::int8[], ?::int8[], ?::int8[], ?::text[], ?::text[])
    as o (due_at, delivered_at, parked_at, id, token)
  where e.id = o.id and e.claim_token = o.token`;

const keyIs = requestKeyColumns.map((column) => `r.${column} = ?`).join(' and ');
const keyColumns = requestKeyColumns.join(', ');

const reserve = `with reserved as (
    insert into calends_requests as r (${reservationColumns.join(', ')}) values (?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (${keyColumns}) do update
      set fingerprint = excluded.fingerprint, token = excluded.token, lease_until = excluded.lease_until,
        expires_at = excluded.expires_at, answer = null
      where r.expires_at <= ? or (r.answer is null and r.lease_until <= ?)
    returning 1
  )
  select 1 as reserved, null as fingerprint, null as answer from reserved
  union all
  select 0, r.fingerprint, r.answer from calends_requests r where ${keyIs} and not exists (select 1 from reserved)`;

/** Claims due appointments with one statement. */
export async function claimAppointmentsOnPostgres(connections: Connections, claim: Claim): Promise<readonly Row[]> {
  const { now, limit, leaseUntil } = claim;
  const { rows } = await connections.use(() => run(claimAppointments, [now, limit, leaseUntil]));
  return rows;
}

/** Claims events with one statement. */
export async function claimEventsOnPostgres(
  connections: Connections,
  { now, limit, leaseUntil }: Claim,
  token: string,
): Promise<readonly Row[]> {
  const values = [now, limit, leaseUntil, token];
  const { rows } = await connections.use(() => run(claimEvents, values));
  return rows;
}

/** Records outcomes with one statement. */
export async function settleEventsOnPostgres(
  connections: Connections,
  outcomes: readonly EventOutcome[],
): Promise<void> {
  const columns = outcomes.map((outcome) => [...settledColumns(outcome), outcome.eventId, outcome.token]);
  const lists = [0, 1, 2, 3, 4].map((index) => columns.map((column) => column[index] as string | number | null));
  await connections.use(() => run(settleEvents, lists));
}

/** Reserves with one statement; again in the rare case that a rival's reservation came after it began. */
export async function reserveOnPostgres(
  connections: Connections,
  reservation: RequestReservation,
): Promise<ReservationResult> {
  const { now } = reservation;
  const values = [...reservationValues(reservation), now, now, ...requestKeyValues(reservation)];
  return connections.use(function* () {
    for (;;) {
      const { rows } = yield* run(reserve, values);
      const [row] = rows;
      if (row !== undefined) return Number(row['reserved']) === 1 ? { status: 'reserved' } : obstacle(row, reservation);
    }
  });
}
