import { appointmentIdOf } from '../../commit/rivals.js';
import { actorTable, customerTable } from '../../tables/people.js';
import { appointmentTable, isLive } from '../../tables/appointments.js';
import { assignments, insertApplied, isApplied, type Present, sameKey, statementPart } from './statement-part.js';

const place = { organization_id: 'text', id: 'text' } as const;

/** Appointments that are written, that stay as they are, and changes of none. */
export const appointmentStatement = statementPart({
  sets: {
    created: appointmentTable.fields,
    changed: { expected_version: 'integer', ...appointmentTable.fields },
    dropped: { expected_version: 'integer', ...place },
    /** They stay as they are while the change is written, and must be live. */
    kept: place,
    without_appointment: {},
  },
  rows({ change: { organizationId, appointment }, appointment: values = [] }) {
    switch (appointment?.kind) {
      case undefined:
        return { without_appointment: [[]] };
      case 'keep':
        return { kept: [[organizationId, appointment.appointmentId]] };
      case 'insert':
        return { created: [values] };
      case 'update':
        return { changed: [[appointment.expectedVersion, ...values]] };
      case 'remove':
        return { dropped: [[appointment.expectedVersion, organizationId, appointment.appointmentId]] };
    }
  },
  // So that none ends or goes before the commit.
  locks: {
    needs: 'kept',
    steps: () => [
      `live_appointments as (
        select k.position from calends_appointments a join kept k on ${sameKey(appointmentTable, 'a', 'k')}
        where ${isLive} for share of a)`,
    ],
  },
  effects: {},
});

/**
 * The steps that write appointments, and then `applied`: the positions of the changes that take effect.
 *
 * `mayProceed` tells of the rows under an alias that nothing refuses their change.
 */
export function appliedSteps(present: Present, mayProceed: (alias: string) => string): readonly string[] {
  const stands = (alias: string): string => `${sameKey(appointmentTable, 'a', alias)}
    and a.version = ${alias}.expected_version and ${mayProceed(alias)} returning ${alias}.position`;
  const deciding: readonly (readonly [set: string, positions: string, step?: string])[] = [
    [
      'created',
      `select c.position from created c join inserted_appointments i on ${sameKey(appointmentTable, 'i', 'c')}`,
      `inserted_appointments as (
        insert into calends_appointments (${appointmentTable.list})
        select ${appointmentTable.list} from created c where ${mayProceed('c')}
        on conflict (organization_id, id) do nothing returning organization_id, id)`,
    ],
    [
      'changed',
      'select position from updated_appointments',
      `updated_appointments as (
        update calends_appointments a set ${assignments(appointmentTable, 'c')} from changed c where ${stands('c')})`,
    ],
    [
      'dropped',
      'select position from removed_appointments',
      `removed_appointments as (delete from calends_appointments a using dropped d where ${stands('d')})`,
    ],
    [
      'kept',
      `select k.position from kept k where k.position in (select position from live_appointments) and ${mayProceed('k')}`,
    ],
    ['without_appointment', `select l.position from without_appointment l where ${mayProceed('l')}`],
  ];
  const taken = deciding.filter(([set]) => present.has(set));
  return [
    ...taken.flatMap(([, , step]) => step ?? []),
    `applied as (${taken.map(([, positions]) => positions).join(' union all ')})`,
  ];
}

/** Deletes what stands under a removed appointment. */
const deleteUnder = (table: string): string => `
  delete from ${table} t using dropped d
  where t.organization_id = d.organization_id and t.appointment_id = d.id and d.${isApplied}`;

const others = (row: string): string => actorTable.others.map((name) => `${row}.${name}`).join(', ');

export const actorsStatement = statementPart({
  sets: { actors: actorTable.fields },
  rows: ({ actors }) => ({ actors }),
  effects: {
    changed: (present) => [
      `deleted_actors as (
        delete from calends_actors t using changed c
        where t.organization_id = c.organization_id and t.appointment_id = c.id and c.${isApplied}${
          present.has('actors')
            ? ' and not exists (select 1 from actors n where n.position = c.position and n.actor_id = t.actor_id)'
            : ''
        })`,
    ],
    dropped: () => [`actors_of_removed as (${deleteUnder('calends_actors')})`],
    actors: () => [
      `upserted_actors as (${insertApplied(actorTable, 'actors')}
        on conflict (${actorTable.key.join(', ')}) do update set ${assignments(actorTable, 'excluded')}
        where (${others('t')}) is distinct from (${others('excluded')}))`,
    ],
  },
});

export const customersStatement = statementPart({
  sets: {
    customers: customerTable.fields,
    removed_participants: { organization_id: 'text', appointment_id: 'text', participant_id: 'text' },
  },
  rows({ change, customers, removedCustomers }) {
    const id = appointmentIdOf(change);
    const removed = id === undefined ? [] : removedCustomers.map((customer) => [change.organizationId, id, customer]);
    return { customers, removed_participants: removed };
  },
  effects: {
    dropped: () => [`customers_of_removed as (${deleteUnder('calends_customers')})`],
    customers: () => [
      `upserted_customers as (${insertApplied(customerTable, 'customers')}
        on conflict (${customerTable.key.join(', ')}) do update set ${assignments(customerTable, 'excluded')})`,
    ],
    removed_participants: () => [
      `deleted_customers as (
        delete from calends_customers t using removed_participants d
        where ${sameKey(customerTable, 't', 'd')} and d.${isApplied})`,
    ],
  },
});
