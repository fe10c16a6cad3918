import { commitRefusals, type RefusalStatus } from '@calends/core/store';
import { type CommitPartName, commitPartNames, commitParts } from '../../commit/parts.js';
import { type CommitPart, isPlain, type PlainStatus } from '../../commit/part.js';
import type { PreparedChange } from '../../commit/prepared-change.js';
import type { Fields } from '../../sql/rows.js';
import type { Sql, SqlValue } from '../../sql/sql.js';
import { auditTable } from '../../tables/audit.js';
import { countChangeTable } from '../../tables/counts.js';
import { eventTable } from '../../tables/events.js';
import { actorsStatement, appliedSteps, appointmentStatement, customersStatement } from './appointment-statements.js';
import { holdsStatement, recordsStatement } from './availability-statements.js';
import { columnLists, nameList, type RowCount, rowCount, rowSource } from './column-lists.js';
import { notificationsStatement } from './notifications-statement.js';
import { otpStatement, requestStatement, ticketsStatement } from './proof-statements.js';
import { insertedPart, type StatementPart } from './statement-part.js';

/** What the statement does for each part; nothing for what is looked at before it, under a lock that is still held. */
const statementParts: Readonly<Record<CommitPartName, StatementPart | undefined>> = {
  appointment: appointmentStatement,
  overlap: undefined,
  limits: undefined,
  holds: holdsStatement,
  actors: actorsStatement,
  counts: insertedPart(countChangeTable, 'counts', ({ counts }) => counts),
  customers: customersStatement,
  events: insertedPart(eventTable, 'events', ({ events }) => events),
  audit: insertedPart(auditTable, 'audit', ({ audit }) => audit),
  otp: otpStatement,
  proof: undefined,
  tickets: ticketsStatement,
  request: requestStatement,
  notifications: notificationsStatement,
  records: recordsStatement,
};

interface Part extends StatementPart {
  readonly status: RefusalStatus | undefined;
}

const parts = commitPartNames.flatMap((name): readonly Part[] => {
  const part = statementParts[name];
  const { refusal }: CommitPart = commitParts[name];
  return part === undefined ? [] : [{ ...part, status: refusal?.status }];
});

/** The parts that refuse or lock something, in the order in which refusals are told. */
const guards = commitRefusals.flatMap((status) =>
  parts.flatMap((part) =>
    part.status === status && part.locks !== undefined ? [{ ...part, status, locks: part.locks }] : [],
  ),
);

const listed = new Set(parts.flatMap((part) => part.listed ?? []));
const columnsOfSet = new Map(parts.flatMap((part) => Object.entries<Fields>(part.sets)));
const sets = [...columnsOfSet];

/** The place of its change comes before the columns of a row. */
const withPosition = (columns: Fields): Fields => ({ position: 'integer', ...columns });

/** Rows of a kind, beside the places of their changes. */
interface PlacedRows {
  readonly positions: number[];
  readonly rows: (readonly SqlValue[])[];
}

/** The rows of changes by kind. */
function rowsOf(changes: readonly PreparedChange[]): ReadonlyMap<string, PlacedRows> {
  const bySet = new Map<string, PlacedRows>();
  for (const [position, prepared] of changes.entries()) {
    for (const part of parts) {
      const made = part.rows(prepared);
      for (const set in made) {
        const given = made[set] ?? [];
        if (given.length === 0) continue;
        const placed = bySet.get(set) ?? { positions: [], rows: [] };
        bySet.set(set, placed);
        for (const row of given) {
          placed.positions.push(position);
          placed.rows.push(row);
        }
      }
    }
  }
  return bySet;
}

/** Adds the values of rows as the statement wants them. */
function addValues(values: SqlValue[], columns: Fields, { positions, rows }: PlacedRows, count: RowCount): void {
  if (count === 'many') {
    values.push(positions, ...columnLists(columns, rows));
    return;
  }
  rows.forEach((row, index) => values.push(positions[index] ?? null, ...row));
}

/** A refusal that the statement tells by its name: what else stands in the way of a change that is not guarded is `stale`. */
const isTold = ({ status, refused }: Part): boolean => status !== 'stale' && refused !== undefined;

/** What the statement tells by itself, for a usual commit without a look before it. */
export const toldByTheStatement: readonly PlainStatus[] = guards
  .filter(isTold)
  .map(({ status }) => status)
  .filter(isPlain);

/** What the statement answers, see {@link makeStatement}. */
function answer(taking: readonly Part[], takesBack: boolean): string {
  const id = takesBack ? ', null as sending_id' : '';
  return [
    `select position, null as refusal${id} from applied`,
    ...taking
      .filter(isTold)
      .map(({ status, refused }) => `select position, '${String(status)}'${id} from ${String(refused)}`),
    ...(takesBack ? [`select position, null, id from cancelled where phase = 'SENDING'`] : []),
  ].join(' union all ');
}

/**
 * The statement that writes a batch in which these kinds of rows occur, so many of each.
 *
 * All of its steps see the database as it was when the statement began, and hand on to each other what they did: nothing
 * must refuse a change for its appointment to be touched, an appointment touched for the rest to be written.
 *
 * It answers `position` for each change that took effect, and with the `refusal` for each that may have one; where
 * notifications were taken back, one row more for each that was being sent, with its id as `sending_id`.
 */
function makeStatement(counts: ReadonlyMap<string, RowCount>): { readonly steps: string; readonly answer: string } {
  const present = new Set(counts.keys());
  const taking = guards.filter(({ locks }) => present.has(locks.needs));
  const refusedBy = taking.flatMap(({ refused }) => refused ?? []);
  const mayProceed = (alias: string): string =>
    refusedBy.map((step) => `${alias}.position not in (select position from ${step})`).join(' and ') || 'true';
  const steps = [
    ...Array.from(counts, ([set, count]) => {
      const columns = withPosition(columnsOfSet.get(set) ?? {});
      return `${set} as (select * from ${rowSource(columns, count)} as given (${nameList(columns)}))`;
    }),
    ...taking.flatMap(({ locks }) => locks.steps(present)),
    ...appliedSteps(present, mayProceed),
    ...parts.flatMap(({ effects }) =>
      Object.entries(effects).flatMap(([needs, write]) => (present.has(needs) ? write(present) : [])),
    ),
  ];
  return { steps: steps.join(',\n'), answer: answer(taking, present.has('cancels')) };
}

/** Statements by the kinds of rows that occur and how many; few in practice. */
const rememberedStatements = 500;
const statements = new Map<string, string>();

function statementFor(
  key: string,
  counts: readonly (readonly [string, RowCount])[],
  tellsTransaction: boolean,
): string {
  const known = statements.get(key);
  if (known !== undefined) return known;
  const { steps, answer: told } = makeStatement(new Map(counts));
  const statement = tellsTransaction
    ? `with ${steps}\nselect told.*, pg_current_xact_id() as transaction_id from (${told}) told`
    : `with ${steps}\n${told}`;
  if (statements.size < rememberedStatements) statements.set(key, statement);
  return statement;
}

/** The statement that writes these changes, with its values; tells its transaction (`transaction_id`) where that is asked for. */
export function commitStatement(changes: readonly PreparedChange[], tellsTransaction: boolean): Sql {
  const bySet = rowsOf(changes);
  const counts: (readonly [string, RowCount])[] = [];
  const values: SqlValue[] = [];
  let key = String(tellsTransaction);
  for (const [set, columns] of sets) {
    const placed = bySet.get(set);
    if (placed === undefined) continue;
    const count: RowCount = listed.has(set) ? 'many' : rowCount(placed.rows);
    counts.push([set, count]);
    addValues(values, columns, placed, count);
    key += ` ${set} ${count}`;
  }
  return { text: statementFor(key, counts, tellsTransaction), values };
}
