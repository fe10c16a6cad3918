import type { Driver } from '../../database/driver.js';
import { type Cells, NamedRows, type Outcome } from '../../sql/rows.js';
import type { SqlValue } from '../../sql/sql.js';

/** What is used of a `better-sqlite3` or `libsql` database. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  exec(text: string): unknown;
  prepare(text: string): SqliteStatement;
}

interface SqliteStatement {
  readonly reader: boolean;
  columns(): readonly { readonly name: string }[];
  raw(enabled: boolean): unknown;
  all(values: readonly SqlValue[]): readonly Cells[];
  get(values: readonly SqlValue[]): Cells | undefined;
  run(values: readonly SqlValue[]): { readonly changes: number };
}

/** Never kept prepared: after SQLITE_BUSY, libsql leaves it under way, and nothing can be committed beside it. */
const begin = 'begin immediate';
const nothing: Outcome = { rows: [], affected: 0 };

/** Statements that a connection keeps prepared. */
const preparedLimit = 250;

interface Prepared {
  readonly statement: SqliteStatement;
  /** What it answers; absent for a statement that answers no rows. */
  readonly answers?: { readonly columns: readonly { readonly name: string }[]; readonly named: NamedRows };
}

function prepareOn(connection: SqliteDatabase, text: string): Prepared {
  const statement = connection.prepare(text);
  if (!statement.reader) return { statement };
  statement.raw(true);
  return { statement, answers: { columns: statement.columns(), named: new NamedRows() } };
}

/**
 * Runs statements on SQLite, prepared once per connection and text: preparing costs many times what running
 * does. Both drivers answer at once, so that nothing here waits.
 */
export function sqliteDriver(): Driver {
  const prepared = new WeakMap<object, Map<string, Prepared>>();

  const prepare = (connection: object, text: string): Prepared => {
    let statements = prepared.get(connection);
    if (statements === undefined) prepared.set(connection, (statements = new Map<string, Prepared>()));
    const found = statements.get(text);
    if (found !== undefined) return found;
    const made = prepareOn(connection as SqliteDatabase, text);
    if (statements.size < preparedLimit) statements.set(text, made);
    return made;
  };

  const driver: Driver = {
    // A transaction that reads first and writes then would fail when another process wrote in between.
    begin: [begin],
    isDatabase: true,
    adopt(connection) {
      // A WAL database that is opened again comes back with NORMAL, which loses commits on power failure.
      prepare(connection, 'pragma synchronous = full').statement.run([]);
      // Over a Knex instance of the host's own nothing else sets it.
      (connection as SqliteDatabase).exec('pragma secure_delete = on');
    },
    socketOf: () => undefined,
    withStatementTimeout: (_limit, work) => work(),
    ofHost(given) {
      const database = given as Partial<SqliteDatabase>;
      if (database.inTransaction !== true) return undefined;
      return { connection: given, driver, isOver: () => database.inTransaction !== true };
    },
    run(connection, { text, values, single }): Outcome {
      if (text === begin) {
        (connection as SqliteDatabase).exec(begin);
        return nothing;
      }
      const { statement, answers } = prepare(connection, text);
      if (answers === undefined) return { rows: [], affected: statement.run(values).changes };
      const { named, columns } = answers;
      if (single !== true) return { rows: named.of(columns, statement.all(values)), affected: 0 };
      const row = statement.get(values);
      return { rows: row === undefined ? [] : named.of(columns, [row]), affected: 0 };
    },
  };
  return driver;
}
