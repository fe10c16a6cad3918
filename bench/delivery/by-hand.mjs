// The same work by hand on the same tables: claim with SKIP LOCKED and a fence, one promise a row, settles of one tick
// in one statement with an event each. It checks nothing; `withMessage` reads the appointment and composes the web hook's body, as
// whoever sends something must, without it the rows alone are claimed and settled.
import pg from 'pg';

const take = `with due as materialized (
      select ctid as entry, organization_id, id from calends_notification_queue
      where channel = 'WEBHOOKS' and due_at <= $1 and (held_until is null or held_until <= $1)
      order by due_at, id limit $2 for update skip locked
    ), moved as (
      update calends_notification_queue q set phase = 'SENDING', held_until = $3 from due where q.ctid = due.entry
    )`;

const claim = {
  name: 'claim',
  text: `${take} update calends_notifications n
      set phase = 'SENDING', status = 'PENDING', wake_at = $3, revision = n.revision + 1, attempts = n.attempts + 1,
        updated_at = $1
      from due where n.organization_id = due.organization_id and n.id = due.id
      returning n.organization_id, n.id, n.revision, n.appointment_id, n.application_id, n.type, n.event_count,
        n.dedupe_key`,
};

const claimWithAppointment = {
  name: 'claim-with-appointment',
  text: `${take}, claimed as (
      update calends_notifications n
      set phase = 'SENDING', status = 'PENDING', wake_at = $3, revision = n.revision + 1, attempts = n.attempts + 1,
        updated_at = $1
      from due where n.organization_id = due.organization_id and n.id = due.id
      returning n.organization_id, n.id, n.revision, n.appointment_id, n.application_id, n.type, n.created_at
    )
    select c.*, a.version, a.state, a.start_at, a.end_at, a.timezone, a.organizer, a.participants, a.interaction
    from claimed c join calends_appointments a on a.organization_id = c.organization_id and a.id = c.appointment_id`,
};

const settle = {
  name: 'settle',
  text: `with written as (
      update calends_notifications n
      set phase = 'DONE', status = 'DELIVERED', wake_at = null, message = 'delivered', revision = n.revision + 1,
        event_count = n.event_count + 1
      from unnest($1::text[], $2::text[], $3::int8[]) as o (organization_id, id, revision)
      where n.organization_id = o.organization_id and n.id = o.id and n.revision = o.revision
      returning n.organization_id, n.id, n.application_id, n.appointment_id, n.type, n.event_count
    ), gone as (
      delete from calends_notification_queue q using written w where q.organization_id = w.organization_id and q.id = w.id
    ) insert into calends_delivery_events (organization_id, id, notification_id, number, application_id,
        appointment_id, type, channel, status, happened_at, message, attempts, poll_attempts)
      select organization_id, id || '-' || lpad(event_count::text, 6, '0'), id, event_count, application_id,
        appointment_id, type, 'WEBHOOKS', 'DELIVERED', $4::int8, 'delivered', 1, 0 from written`,
};

const instant = (milliseconds) => new Date(Number(milliseconds)).toISOString();

const bodyOf = (row) =>
  JSON.stringify({
    id: row.id,
    type: row.type,
    timestamp: instant(row.created_at),
    payload: {
      organizationId: row.organization_id,
      applicationId: row.application_id,
      appointmentId: row.appointment_id,
      version: Number(row.version),
      state: row.state,
      interactionState: JSON.parse(row.interaction).state,
      schedule: { start: instant(row.start_at), end: instant(row.end_at), timezone: row.timezone },
      organizer: JSON.parse(row.organizer),
      participants: JSON.parse(row.participants).map(({ id, type }) => ({ id, type })),
    },
  });

/** Delivers everything that is due; answers how many. */
export async function drainByHand(url, { batch = 500, withMessage = false } = {}) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  let outcomes = [];
  const flush = () => {
    const done = outcomes;
    outcomes = [];
    const column = (name) => done.map(({ row }) => row[name]);
    pool
      .query({ ...settle, values: [column('organization_id'), column('id'), column('revision'), Date.now()] })
      .then(() => done.forEach(({ resolve }) => resolve()));
  };
  const settled = (row) =>
    new Promise((resolve) => {
      if (outcomes.length === 0) setImmediate(flush);
      outcomes.push({ row, resolve });
    });
  const send = async (row) => (withMessage ? bodyOf(row) : undefined);
  let sum = 0;
  try {
    for (;;) {
      const now = Date.now();
      const { rows } = await pool.query({
        ...(withMessage ? claimWithAppointment : claim),
        values: [now, batch, now + 25_000],
      });
      if (rows.length === 0) return sum;
      sum += rows.length;
      await Promise.all(rows.map((row) => send(row).then(() => settled(row))));
    }
  } finally {
    await pool.end();
  }
}
