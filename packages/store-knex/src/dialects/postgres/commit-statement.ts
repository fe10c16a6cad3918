import { actorFields, actorKey } from '../../rows/actor-row.js';
import { appointmentFields } from '../../rows/appointment-row.js';
import { auditFields } from '../../rows/audit-row.js';
import { customerFields, customerKey } from '../../rows/customer-row.js';
import { eventFields } from '../../rows/event-row.js';
import { isOver, requestFields, requestKey } from '../../commit/write-request.js';
import { type Fields, fieldNames } from '../../rows/fields.js';
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
    ...(present.has('answered') ? [`${alias}.position not in (select position from taken)`] : []),
    ...(present.has('consumptions')
      ? [
          `(${alias}.position in (select position from unused)
            or ${alias}.position not in (select position from consumptions))`,
        ]
      : []),
    ...(present.has('issues') ? [`${alias}.position not in (select position from untimely)`] : []),
    ...(present.has('replacements') ? [`${alias}.position not in (select position from refused)`] : []),
  ];
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

const keyEquals = (key: readonly string[], left: string, right: string): string =>
  key.map((column) => `${left}.${column} = ${right}.${column}`).join(' and ');

const standing = 'position in (select position from standing)';
const withoutKey = (fields: Fields, key: readonly string[]): readonly string[] =>
  fieldNames(fields).filter((name) => !key.includes(name));
const assignments = (names: readonly string[], source: string): string =>
  names.map((name) => `${name} = ${source}.${name}`).join(', ');

const appointmentKey = ['organization_id', 'id'];
const changedColumns = withoutKey(appointmentFields, appointmentKey);
const answerColumns = withoutKey(requestFields, requestKey);
const customerColumns = withoutKey(customerFields, customerKey);
const actorColumns = withoutKey(actorFields, actorKey);

/** Deletes what stands under a removed appointment. */
const deleteUnder = (table: string): string => `
  delete from ${table} t using dropped d
  where t.organization_id = d.organization_id and t.appointment_id = d.id and d.${standing}`;

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
      `taken as (
        select a.position from calends_requests r join answered a on ${keyEquals(requestKey, 'r', 'a')}
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
        insert into calends_appointments (${nameList(appointmentFields)})
        select ${nameList(appointmentFields)} from created c where ${mayProceed('c', present)}
        on conflict (organization_id, id) do nothing returning organization_id, id)`,
    ],
  ],
  [
    'changed',
    (present) => [
      `updated as (
        update calends_appointments a set ${assignments(changedColumns, 'c')} from changed c
        where ${keyEquals(appointmentKey, 'a', 'c')} and a.version = c.expected_version
          and ${mayProceed('c', present)}
        returning c.position)`,
    ],
  ],
  [
    'dropped',
    (present) => [
      `removed as (
        delete from calends_appointments a using dropped d
        where ${keyEquals(appointmentKey, 'a', 'd')} and a.version = d.expected_version
          and ${mayProceed('d', present)}
        returning d.position)`,
    ],
  ],
];

/** The positions of the changes that take effect. */
function standingStep(present: ReadonlySet<RowSet>): string {
  const parts: string[] = [];
  if (present.has('created')) {
    parts.push(`select c.position from created c join inserted i on ${keyEquals(appointmentKey, 'i', 'c')}`);
  }
  if (present.has('changed')) parts.push('select position from updated');
  if (present.has('dropped')) parts.push('select position from removed');
  if (present.has('kept')) {
    parts.push(
      `select k.position from kept k where k.position in (select position from live) and ${mayProceed('k', present)}`,
    );
  }
  if (present.has('loose')) parts.push(`select l.position from loose l where ${mayProceed('l', present)}`);
  return `standing as (${parts.join(' union all ')})`;
}

type Step = string | ((present: ReadonlySet<RowSet>) => string);

const effects: readonly (readonly [needs: RowSet, readonly Step[]])[] = [
  [
    'changed',
    [
      `unrelated as (
        delete from calends_actors t using changed c
        where t.organization_id = c.organization_id and t.appointment_id = c.id and c.${standing}
          and not exists (
            select 1 from actors n
            where n.position = c.position and n.actor_id = t.actor_id))`,
    ],
  ],
  [
    'dropped',
    [
      `actors_gone as (${deleteUnder('calends_actors')})`,
      `customers_gone as (${deleteUnder('calends_customers')})`,
      droppedTicketsStep,
    ],
  ],
  [
    'actors',
    [
      `related as (
        insert into calends_actors as t (${nameList(actorFields)})
        select ${nameList(actorFields)} from actors where ${standing}
        on conflict (${actorKey.join(', ')}) do update set ${assignments(actorColumns, 'excluded')}
        where (${actorColumns.map((name) => `t.${name}`).join(', ')})
          is distinct from (${actorColumns.map((name) => `excluded.${name}`).join(', ')}))`,
    ],
  ],
  [
    'customers',
    [
      `profiled as (
        insert into calends_customers (${nameList(customerFields)})
        select ${nameList(customerFields)} from customers where ${standing}
        on conflict (${customerKey.join(', ')}) do update set ${assignments(customerColumns, 'excluded')})`,
    ],
  ],
  [
    'departed',
    [
      `forgotten as (
        delete from calends_customers t using departed d
        where ${keyEquals(customerKey, 't', 'd')} and d.${standing})`,
    ],
  ],
  [
    'events',
    [
      `announced as (
        insert into calends_events (${nameList(eventFields)})
        select ${nameList(eventFields)} from events where ${standing})`,
    ],
  ],
  [
    'audit',
    [
      `audited as (
        insert into calends_audit (${nameList(auditFields)})
        select ${nameList(auditFields)} from audit where ${standing})`,
    ],
  ],
  ['consumptions', [consumptionStep]],
  ['issues', issueSteps],
  ['revocations', [revocationStep]],
  ['forfeits', [forfeitStep]],
  [
    'answered',
    [
      // A rival's of the same key violates it, and undoes the whole statement.
      `renewed as (
        update calends_requests r set ${assignments(answerColumns, 'a')}
        from answered a join standing s on s.position = a.position
        where ${keyEquals(requestKey, 'r', 'a')} and ${isOver('r.', 'a.at')} returning a.position)`,
      `completed as (
        insert into calends_requests (${nameList(requestFields)})
        select ${nameList(requestFields)} from answered
        where ${standing} and position not in (select position from renewed))`,
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
    `select position, 1 as stands${id} from standing`,
    ...(present.has('answered') ? [`select position, 0${id} from taken`] : []),
    ...(present.has('consumptions') ? [`select position, 2${id} from unused`] : []),
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
    standingStep(present),
    ...effects.flatMap(([needs, written]) =>
      present.has(needs) ? written.map((step) => (typeof step === 'string' ? step : step(present))) : [],
    ),
  ];
  return `with ${parts.join(',\n')}\n${answer(present)}`;
}
