import type { TimeRange } from '@calends/core/store';
import type { Fields, TableNames } from './rows.js';
import type { Sql } from './sql.js';

/** A page of appointments in the order of their starts, of which the days are known. */
export interface DaysPage {
  readonly organizationId: string;
  /** On `x`, the appointments, beside their organization. */
  readonly conditions: readonly Sql[];
  /** That of appointments whose first columns these conditions are on, with their starts next. */
  readonly index: string;
  /** True = rows between the first of the page and its last may miss them. */
  readonly leavesOut: boolean;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** Pieces of SQL that the databases word differently. */
export interface SqlDialect {
  /** The column has one of the values (at least one). */
  readonly anyOf: (column: string, values: readonly (string | number)[]) => Sql;
  /** A number that stands by itself: beside a column, in a union as well, it would be of the type that the driver sends. */
  readonly given: (value: number) => Sql;
  /**
   * A bound of a range. PostgreSQL does not look at it when it plans: a statement of whose bounds it knows how much lies between them
   * seems cheaper to it than its kept plan, and is planned again each time.
   */
  readonly bound: (value: number) => Sql;
  /** So many of these rows, which an index has in this order, after those that are skipped. */
  readonly page: (rows: Sql, limit: number, offset: number) => Sql;
  /** The texts of a group as one, with commas; absent = the database may cut it. */
  readonly joinedTexts?: (text: string) => string;
  /** The column lies in one of the ranges (at least two), half-open; both sides given. */
  readonly inAnyRange: (column: string, ranges: readonly Required<TimeRange>[]) => Sql;
  /** These rows as a table of the columns that they have values for, and `n`, their place from 1. */
  readonly givenRows: (columns: Fields, rows: readonly (readonly (string | number | null)[])[]) => Sql;
  /** Words after a table that keep the database to this index, where its own choice is a bad one: of few rows, MariaDB reads, and locks, all. Empty = none needed. */
  readonly through: (index: string) => string;
  /** Ids of the page, from `placed`: days of the organization with their `amount`, and how many come `earlier`. Reads only the rows of days that it lies on. */
  readonly pageOfDays: (page: DaysPage) => Sql;
  /** The time by a clock that all processes share, in epoch milliseconds. */
  readonly clock: () => Sql;
  /** The column's text with the letters A to Z in lower case, and no other letter. */
  readonly asciiLower: (column: string) => string;
  /** `insert … values (?, …)` that replaces the row of the same key. */
  readonly upsert: (table: TableNames) => string;
  /** Follows an insert of rows: where the key of one is taken, its number in the column is added to that row. */
  readonly adding: (table: TableNames, column: string) => string;
}
