import type { Steps } from '../sql/steps.js';
import type { Addition, Table } from './table.js';

/** How the tables of a database are made and who may make them. */
export interface SchemaDialect {
  /**
   * Finds out how to write tables on this server; the statements that make a table with its indices may be
   * repeated after a migration that did not come to its end.
   */
  readonly tableWriter: () => Steps<(table: Table) => readonly string[]>;
  /** Adds to a table that is there; may be repeated like the statements that make tables. */
  readonly add: (addition: Addition) => Steps<void>;
  /**
   * Adds to a table that is there and may be big while others read and write it, where the database can do so: outside of a
   * transaction, on a connection of its own. May be repeated.
   */
  readonly addBeside?: (addition: Addition) => Steps<void>;
  /** Lets go of what the last statement read by: anyone who adds beside this transaction would wait for that until it ends. */
  readonly letGo?: () => Steps<void>;
  /** About how many rows a table has; 0 where it is not there. */
  readonly rowsIn: (table: string) => Steps<number>;
  /** Rows a second that an index is built of while nobody else can write; absent = others can. */
  readonly buildsAlone?: number;
  /** How much of an index is built that somebody builds now, in percent; `undefined` = nobody does, or it is not known. */
  readonly percentBuilt?: () => Steps<number | undefined>;
  /** Takes an index away, where it is there. */
  readonly dropIndex: (index: { readonly table: string; readonly name: string }) => Steps<void>;
  /** Statements that go on with a transaction after a table was made in it; none where it does not end with that. */
  readonly resume: readonly string[];
  /** True when the overlap guard locks rows of `calends_actor_locks`, and what a commit depends on is written by it. */
  readonly locksActorRows: boolean;
  /** True when `calends_notification_queue` tells what is due, see {@link NotificationQueue}. */
  readonly keepsQueueApart: boolean;
  /** True when an index can hold a part of the rows of a table. */
  readonly indexesParts: boolean;
  /** Keeps other processes from migrating until `unlock`, or until the transaction or connection ends. */
  readonly lock: () => Steps<void>;
  readonly unlock: () => Steps<void>;
  /** Makes the table in which Knex keeps what was taken, where its own would not do; may be repeated. */
  readonly keepNames: (table: string) => Steps<void>;
  /** Who else holds locks on the tables now, the longest first, as words for an operator. */
  readonly lockHolders: () => Steps<readonly string[]>;
}
