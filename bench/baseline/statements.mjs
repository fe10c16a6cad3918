// The same rows in the same tables as the library's store writes and reads, `?` for each value.
const appointmentColumns = `organization_id, id, application_id, title, notes, metadata, locale, start_at, end_at, duration,
  timezone, organizer, participants, target_assignment, interaction, created_at, wake_at, updated_at, version,
  schedule_version, state, notification_headers, notifications_active, customer_reschedules`;

export const insertAppointment = `insert into calends_appointments (${appointmentColumns})
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1, 0, 'SCHEDULED', '{}', 0, 0)`;

const actorColumns = `organization_id, appointment_id, actor_id, relations, application_id, start_at, end_at, state, blocks`;
export const insertActors = `insert into calends_actors (${actorColumns})
  values (?, ?, ?, ?, ?, ?, ?, 'SCHEDULED', 1), (?, ?, ?, ?, ?, ?, ?, 'SCHEDULED', 1)`;

export const insertCustomer = `insert into calends_customers
  (organization_id, appointment_id, participant_id, primary_email, primary_phone, first_name, last_name, metadata)
  values (?, ?, ?, ?, ?, ?, ?, '{}')`;

export const insertEvent = `insert into calends_events
  (id, organization_id, application_id, appointment_id, version, type, occurred_at, payload, due_at, actor_id, actor_type,
   actor_role, correlation_id, attempts)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'bench', 'SYSTEM', 'ROLE_CLIENT_SERVICE', 'bench', 0)`;

export const selectOne = `select * from calends_appointments where organization_id = ? and id = ?`;

const listed = `organization_id = ? and actor_id = ? and application_id = ? and start_at >= ? and start_at < ?`;
/** A page and the total in one statement. */
export const selectPage = `select a.*, t.total from (select count(*) as total from calends_actors where ${listed}) t
  left join (select appointment_id, start_at from calends_actors where ${listed}
    order by start_at, appointment_id limit ?) p on 1 = 1
  left join calends_appointments a on a.organization_id = ? and a.id = p.appointment_id
  order by p.start_at, p.appointment_id`;

export const cancelOne = `update calends_appointments set state = 'CANCELLED', cancelled_at = ?, cancelled_by = 'bench',
  cancel_reason = ?, version = version + 1, wake_at = null
  where organization_id = ? and id = ? and state = 'SCHEDULED'`;

export const cancelActors = `update calends_actors set state = 'CANCELLED', blocks = 0
  where organization_id = ? and appointment_id = ?`;
