// PostgreSQL by hand: one prepared statement an operation.
import pg from 'pg';
import { listFilters, newAppointment, newEvent, present } from './appointment.mjs';
import * as sql from './statements.mjs';

pg.types.setTypeParser(20, Number);

/** Turns `?` into `$1`, `$2` and so on. */
function numbered(text) {
  let count = 0;
  return text.replaceAll('?', () => `$${++count}`);
}

// Values of a statement inside `with` have no column to take their type from, except as values of an insert.
const create = numbered(`with a as (${sql.insertAppointment}), r as (${sql.insertActors}), c as (${sql.insertCustomer})
  ${sql.insertEvent}`);
const cancel = numbered(`with a as (${sql.cancelOne} returning id), r as (${sql.cancelActors})
  insert into calends_events (id, organization_id, application_id, appointment_id, version, type, occurred_at, payload,
    due_at, actor_id, actor_type, actor_role, correlation_id, attempts)
  select ?::text, ?::text, ?::text, a.id, ?::bigint, ?::text, ?::bigint, ?::text, ?::bigint, 'bench', 'SYSTEM',
    'ROLE_CLIENT_SERVICE', 'bench', 0 from a`);

export function postgresBaseline(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pool.on('error', () => undefined);
  const run = (name, text, values) => pool.query({ name, text, values });
  return {
    async create(body) {
      const made = newAppointment(body);
      await run('create', create, [...made.appointment, ...made.actors.flat(), ...made.customer, ...made.event]);
      return made.answer;
    },
    async get(id) {
      const { rows } = await run('get', numbered(sql.selectOne), ['org-1', id]);
      return rows[0] && present(rows[0]);
    },
    async list(query) {
      const { agent, application, from, to, size } = listFilters(query);
      const filter = ['org-1', agent, application, from, to];
      const { rows } = await run('list', numbered(sql.selectPage), [...filter, ...filter, size, 'org-1']);
      return { content: rows.filter((row) => row.id !== null).map(present), total: rows[0].total, pageSize: size };
    },
    async cancel(id, reason) {
      const [eventId, organization, application, , , type, at, payload, due] = newEvent(
        id,
        2,
        'APCancelledEvent',
        'app-1',
        { reason },
      );
      const values = [Date.now(), reason, 'org-1', id, 'org-1', id];
      const event = [eventId, organization, application, 2, type, at, payload, due];
      const { rowCount } = await run('cancel', cancel, [...values, ...event]);
      return rowCount === 1;
    },
    close: () => pool.end(),
  };
}
