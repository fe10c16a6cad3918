import { actorTable } from '../../tables/actors.js';
import { appointmentTable } from '../../tables/appointments.js';
import { auditTable } from '../../tables/audit.js';
import { customerTable } from '../../tables/customers.js';
import { eventTable } from '../../tables/events.js';
import { isOver, requestTable } from '../../tables/requests.js';
import { nameList, type RowCount, rowSource } from './column-lists.js';
import { acceptanceSteps, additionSteps, cancelSteps, deliveryStep, replacementSteps } from './notification-steps.js';
import {
  consumptionStep,
  droppedTicketsStep,
  forfeitStep,
  issueSteps,
  keptStep,
  revocationStep,
  ticketSteps,
  unusedStep,
} from './proof-steps.js';
import { type RowSet, rowSets } from './row-sets.js';

const sourceOf = (set: RowSet, count: RowCount): string =>
  `${set} as (select * from ${rowSource(rowSets[set], count)} as given (${nameList(rowSets[set])}))`;

function mayProceed(alias: string, present: ReadonlySet<RowSet>): string {
  const conditions = [
    ...(present.has('answered') ? [`${alias}.position not in (select position from answered_before)`] : []),
    ...(present.has('consumptions')
      ? [
          `(${alias}.position in (select position from usable_otps)
            or ${alias}.position not in (select position from consumptions))`,
        ]
      : []),
    ...(present.has('issues') ? [`${alias}.position not in (select position from stale_tickets)`] : []),
    ...(present.has('replacements') ? [`${alias}.position not in (select position from refused)`] : []),
  ];
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

const keyEquals = (key: readonly string[], left: string, right: string): string =>
  key.map((column) => `${left}.${column} = ${right}.${column}`).join(' and ');

const isApplied = 'position in (select position from applied)';
const assignments = (names: readonly string[], source: string): string =>
  names.map((name) => `${name} = ${source}.${name}`).join(', ');

/** Deletes what stands under a removed appointment. */
const deleteUnder = (table: string): string => `
  delete from ${table} t using dropped d
  where t.organization_id = d.organization_id and t.appointment_id = d.id and d.${isApplied}`;

/**
 * The steps of a commit as common table expressions, each with the rows that make it necessary.
 *
 * All of them see the database as it was when the statement began, and hand on to each other what they did:
 * the key of a request must be free for its appointment to be touched, an appointment touched for the rest to be written.
 */
const steps: readonly (readonly [needs: RowSet, (present: ReadonlySet<RowSet>) => readonly string[]])[] = [
  [
    'answered',
    () => [
      `answered_before as (
        select a.position from calends_requests r join answered a on ${keyEquals(requestTable.key, 'r', 'a')}
        where not ${isOver('r.', 'a.at')})`,
    ],
  ],
  ['consumptions', () => [unusedStep]],
  ['kept', () => [keptStep]],
  ['issues', ticketSteps],
  ['replacements', acceptanceSteps],
  [
    'created',
    (present) => [
      `inserted as (
        insert into calends_appointments (${appointmentTable.list})
        select ${appointmentTable.list} from created c where ${mayProceed('c', present)}
        on conflict (organization_id, id) do nothing returning organization_id, id)`,
    ],
  ],
  [
    'changed',
    (present) => [
      `updated as (
        update calends_appointments a set ${assignments(appointmentTable.others, 'c')} from changed c
        where ${keyEquals(appointmentTable.key, 'a', 'c')} and a.version = c.expected_version
          and ${mayProceed('c', present)}
        returning c.position)`,
    ],
  ],
  [
    'dropped',
    (present) => [
      `removed as (
        delete from calends_appointments a using dropped d
        where ${keyEquals(appointmentTable.key, 'a', 'd')} and a.version = d.expected_version
          and ${mayProceed('d', present)}
        returning d.position)`,
    ],
  ],
];

/** The positions of the changes that take effect. */
function appliedStep(present: ReadonlySet<RowSet>): string {
  const parts: string[] = [];
  if (present.has('created')) {
    parts.push(`select c.position from created c join inserted i on ${keyEquals(appointmentTable.key, 'i', 'c')}`);
  }
  if (present.has('changed')) parts.push('select position from updated');
  if (present.has('dropped')) parts.push('select position from removed');
  if (present.has('kept')) {
    parts.push(
      `select k.position from kept k where k.position in (select position from live) and ${mayProceed('k', present)}`,
    );
  }
  if (present.has('without_appointment'))
    parts.push(`select l.position from without_appointment l where ${mayProceed('l', present)}`);
  return `applied as (${parts.join(' union all ')})`;
}

type Step = string | ((present: ReadonlySet<RowSet>) => string);

const effects: readonly (readonly [needs: RowSet, readonly Step[]])[] = [
  [
    'changed',
    [
      `deleted_actors as (
        delete from calends_actors t using changed c
        where t.organization_id = c.organization_id and t.appointment_id = c.id and c.${isApplied}
          and not exists (
            select 1 from actors n
            where n.position = c.position and n.actor_id = t.actor_id))`,
    ],
  ],
  [
    'dropped',
    [
      `actors_of_removed as (${deleteUnder('calends_actors')})`,
      `customers_of_removed as (${deleteUnder('calends_customers')})`,
      droppedTicketsStep,
    ],
  ],
  [
    'actors',
    [
      `upserted_actors as (
        insert into calends_actors as t (${actorTable.list})
        select ${actorTable.list} from actors where ${isApplied}
        on conflict (${actorTable.key.join(', ')}) do update set ${assignments(actorTable.others, 'excluded')}
        where (${actorTable.others.map((name) => `t.${name}`).join(', ')})
          is distinct from (${actorTable.others.map((name) => `excluded.${name}`).join(', ')}))`,
    ],
  ],
  [
    'customers',
    [
      `upserted_customers as (
        insert into calends_customers (${customerTable.list})
        select ${customerTable.list} from customers where ${isApplied}
        on conflict (${customerTable.key.join(', ')}) do update set ${assignments(customerTable.others, 'excluded')})`,
    ],
  ],
  [
    'removed_participants',
    [
      `deleted_customers as (
        delete from calends_customers t using removed_participants d
        where ${keyEquals(customerTable.key, 't', 'd')} and d.${isApplied})`,
    ],
  ],
  [
    'events',
    [
      `inserted_events as (
        insert into calends_events (${eventTable.list})
        select ${eventTable.list} from events where ${isApplied})`,
    ],
  ],
  [
    'audit',
    [
      `inserted_audit as (
        insert into calends_audit (${auditTable.list})
        select ${auditTable.list} from audit where ${isApplied})`,
    ],
  ],
  ['consumptions', [consumptionStep]],
  ['issues', issueSteps],
  ['revocations', [revocationStep]],
  ['dropped_tickets', [forfeitStep]],
  [
    'answered',
    [
      // A rival's of the same key violates it, and undoes the whole statement.
      `updated_requests as (
        update calends_requests r set ${assignments(requestTable.others, 'a')}
        from answered a join applied s on s.position = a.position
        where ${keyEquals(requestTable.key, 'r', 'a')} and ${isOver('r.', 'a.at')} returning a.position)`,
      `inserted_requests as (
        insert into calends_requests (${requestTable.list})
        select ${requestTable.list} from answered
        where ${isApplied} and position not in (select position from updated_requests))`,
    ],
  ],
  ['cancels', cancelSteps],
  ['additions', additionSteps],
  ['replacements', replacementSteps],
  ['deliveries', [deliveryStep]],
];

/** What the statement answers, see {@link commitStatement}. */
function answer(present: ReadonlySet<RowSet>): string {
  const sending = present.has('cancels');
  const id = sending ? ', null as sending_id' : '';
  const parts = [
    `select position, 1 as stands${id} from applied`,
    ...(present.has('answered') ? [`select position, 0${id} from answered_before`] : []),
    ...(present.has('consumptions') ? [`select position, 2${id} from usable_otps`] : []),
    ...(sending ? [`select position, 1, id from cancelled where phase = 'SENDING'`] : []),
  ];
  return parts.join(' union all ');
}

/**
 * The statement that writes a batch in which these kinds of rows occur, so many of each.
 *
 * It answers `position` and `stands` (1) for each change that took effect, with 0 for each whose request is answered
 * already, and with 2 for each whose one-time password may be used; where notifications were taken back, one row more for each that was being sent, with its id
 * as `sending_id`.
 */
export function commitStatement(counts: ReadonlyMap<RowSet, RowCount>): string {
  const present = new Set(counts.keys());
  const parts = [
    ...Array.from(counts, ([set, count]) => sourceOf(set, count)),
    ...steps.flatMap(([needs, write]) => (present.has(needs) ? write(present) : [])),
    appliedStep(present),
    ...effects.flatMap(([needs, written]) =>
      present.has(needs) ? written.map((step) => (typeof step === 'string' ? step : step(present))) : [],
    ),
  ];
  return `with ${parts.join(',\n')}\n${answer(present)}`;
}
