// The schema as it was before the steps 0006 and 0009, for measuring what taking them costs.
import { migrate } from '@calends/store-knex';

const undone = {
  calends_appointments: ['service'],
  calends_actors: ['busy_from', 'busy_to', 'service_actor'],
  calends_audit_seals: ['anchor'],
};

/** Migrates an empty database and takes those steps back. */
export async function withOldSchema(knex) {
  await migrate(knex);
  const mysql = knex.client.config.client === 'mysql2';
  const dropIndex = (table, name) =>
    knex.raw(mysql ? `alter table ${table} drop index ${name}` : `drop index if exists ${name}`);
  await dropIndex('calends_actors', 'calends_actors_by_time');
  if (!mysql) await dropIndex('calends_delivery_events', 'calends_delivery_events_by_notification');
  for (const [table, columns] of Object.entries(undone)) {
    for (const column of columns) await knex.raw(`alter table ${table} drop column ${column}`);
  }
  for (const table of ['calends_holds', 'calends_availability', 'calends_leases'])
    await knex.raw(`drop table ${table}`);
  await knex.raw(
    `create index calends_actors_by_start on calends_actors
      (organization_id, actor_id, start_at, appointment_id, relations, application_id, state, end_at, blocks)`,
  );
  await knex('calends_migrations').whereIn('name', ['0006_availability', '0009_retention']).del();
}
