import type { SqlValue } from '../sql/sql.js';
import type { Steps } from '../sql/steps.js';
import type { PreparedNotification } from './prepared-notifications.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import type { TableNames } from '../sql/rows.js';

/** What the step-by-step commit needs to know of a database. */
export interface WriteDialect {
  readonly sql: SqlDialect;
  /** Follows a `select` whose rows must stay as they are until the transaction ends. */
  readonly locking: string;
  /** The same for the appointment and the ticket that a proof depends on, which are locked on every database of several writers. */
  readonly lockingProofs: string;
  /** Keeps other guarded commits of these actors waiting; deadlock-free for any order of ids. */
  readonly lockActors: (organizationId: string, actorIds: readonly string[]) => Steps<void>;
  /** Inserts the appointment; false when its id is taken, with nothing written. */
  readonly insertAppointment: (values: readonly SqlValue[]) => Steps<boolean>;
  /** Inserts notifications but those whose `dedupeKey` is taken, in their order; answers what was written. */
  readonly insertNotifications: (
    notifications: readonly PreparedNotification[],
  ) => Steps<readonly PreparedNotification[]>;
  readonly insertRows: (table: TableNames, rows: readonly (readonly SqlValue[])[]) => Steps<void>;
}
