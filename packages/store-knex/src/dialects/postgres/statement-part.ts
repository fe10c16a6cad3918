import type { PreparedChange } from '../../commit/prepared-change.js';
import type { Fields, TableNames } from '../../sql/rows.js';
import type { SqlValue } from '../../sql/sql.js';

/** The kinds of rows that occur in a batch. */
export type Present = ReadonlySet<string>;

type Steps = (present: Present) => readonly string[];

/** What PostgreSQL's one statement does for a part of a commit; steps are common table expressions. */
export interface StatementPart<Set extends string = string> {
  /** The kinds of rows that travel to the database; `position`, the place of the change in its batch, comes before their columns. */
  readonly sets: Readonly<Record<Set, Fields>>;
  /** Always sent as lists: a commit has six of them as easily as one, and each number would be a statement of its own. */
  readonly listed?: readonly string[];
  /** The rows of a change; a kind that is not named has none. */
  readonly rows: (
    prepared: PreparedChange,
  ) => Readonly<Partial<Record<Set, readonly (readonly SqlValue[])[] | undefined>>>;
  /** Locks what the part depends on, where there are such rows. */
  readonly locks?: { readonly needs: string; readonly steps: Steps };
  /** The step of {@link locks} with the positions of the changes that are refused. */
  readonly refused?: string;
  /** What is written of each kind of rows, its own or another part's, for changes that are `applied`. */
  readonly effects: Readonly<Record<string, Steps>>;
}

/** Has the kinds of rows of a part known by the compiler. */
export const statementPart = <Set extends string>(part: StatementPart<Set>): StatementPart => part;

export const isApplied = 'position in (select position from applied)';

/** Two rows have the same key. */
export const sameKey = ({ key }: Pick<TableNames, 'key'>, left: string, right: string): string =>
  key.map((column) => `${left}.${column} = ${right}.${column}`).join(' and ');

/** Assigns all columns that are no part of the key. */
export const assignments = ({ others }: Pick<TableNames, 'others'>, source: string): string =>
  others.map((name) => `${name} = ${source}.${name}`).join(', ');

/** Inserts rows of a kind, for changes that are applied; more may follow. */
export const insertApplied = ({ name, list }: TableNames, set: string): string => `
    insert into ${name} as t (${list})
    select ${list} from ${set} where ${isApplied}`;

/** A part of rows that are inserted as they are. */
export const insertedPart = (
  table: TableNames,
  set: string,
  rowsOf: (prepared: PreparedChange) => readonly (readonly SqlValue[])[],
): StatementPart =>
  statementPart({
    sets: { [set]: table.fields },
    rows: (prepared) => ({ [set]: rowsOf(prepared) }),
    effects: { [set]: () => [`inserted_${set} as (${insertApplied(table, set)})`] },
  });
