// A creation that plans its six messages, by hand: everything in one prepared statement.
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { newAppointment } from '../baseline/appointment.mjs';
import * as sql from '../baseline/statements.mjs';
import { bookingBody, inLanes } from './fill.mjs';

let place = 0;
const numbered = (text) => text.replaceAll('?', () => `$${++place}`);

const create = {
  name: 'create-and-plan',
  text: numbered(`with a as (${sql.insertAppointment}), r as (${sql.insertActors}), c as (${sql.insertCustomer}),
    e as (${sql.insertEvent}),
    n as (insert into calends_notifications select * from json_populate_recordset(null::calends_notifications, ?::json)
      returning organization_id, id, channel, phase, wake_at),
    q as (insert into calends_notification_queue (organization_id, id, channel, phase, due_at) select * from n)
    insert into calends_delivery_events select * from json_populate_recordset(null::calends_delivery_events, ?::json)`),
};

const hour = 3_600_000;

/** CREATE now, and reminders a day and half an hour before, by mail and SMS. */
function messages({ appointment, event, customer }) {
  const [organization_id, appointment_id, application_id] = appointment;
  const start = appointment[7];
  const now = Date.now();
  const kinds = [
    { type: 'CREATE' },
    { type: 'REMINDER', time_offset: 24 * hour, scheduled_for: start - 24 * hour },
    { type: 'REMINDER', time_offset: hour / 2, scheduled_for: start - hour / 2 },
  ];
  return kinds.flatMap((kind) =>
    ['EMAIL', 'SMS'].map((channel) => ({
      organization_id,
      id: randomUUID(),
      application_id,
      appointment_id,
      source_event_id: event[0],
      schedule_version: 0,
      ...kind,
      channel,
      addressee_type: 'CUSTOMER',
      addressee_id: customer[2],
      dedupe_key: createHash('sha256')
        .update(`${appointment_id}${kind.type}${kind.time_offset}${channel}`)
        .digest('base64url'),
      created_at: now,
      phase: 'READY',
      status: 'INITIALIZED',
      wake_at: kind.scheduled_for ?? now,
      revision: 1,
      event_count: 1,
      updated_at: now,
      attempts: 0,
      manual_retries: 0,
      lost_claims: 0,
      unknown_outcomes: 0,
      poll_attempts: 0,
      message: 'planned',
    })),
  );
}

const eventOf = (row) => ({
  organization_id: row.organization_id,
  id: `${row.id}-000001`,
  notification_id: row.id,
  number: 1,
  application_id: row.application_id,
  appointment_id: row.appointment_id,
  type: row.type,
  channel: row.channel,
  status: 'INITIALIZED',
  happened_at: row.created_at,
  scheduled_for: row.scheduled_for,
  message: 'planned',
  attempts: 0,
  poll_attempts: 0,
});

/** Creations a second. */
export async function planByHand(url, count) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  try {
    return await inLanes(count, (index) => {
      const made = newAppointment(bookingBody(index));
      const rows = messages(made);
      const json = [JSON.stringify(rows), JSON.stringify(rows.map(eventOf))];
      return pool.query({
        ...create,
        values: [...made.appointment, ...made.actors.flat(), ...made.customer, ...made.event, ...json],
      });
    });
  } finally {
    await pool.end();
  }
}
