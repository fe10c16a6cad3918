import type { Driver, Outcome, Row, SqlValue } from '../../database/driver.js';

/** What is used of a `better-sqlite3` or `libsql` database. */
export interface SqliteDatabase {
  prepare(text: string): SqliteStatement;
}

interface SqliteStatement {
  readonly reader: boolean;
  all(values: readonly SqlValue[]): readonly Row[];
  run(values: readonly SqlValue[]): { readonly changes: number };
}

/** Statements that a connection keeps prepared. */
const preparedLimit = 250;

interface Prepared {
  readonly statement: SqliteStatement;
  readonly reader: boolean;
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
    const statement = (connection as SqliteDatabase).prepare(text);
    const made = { statement, reader: statement.reader };
    if (statements.size < preparedLimit) statements.set(text, made);
    return made;
  };

  return {
    // A transaction that reads first and writes then would fail when another process wrote in between.
    begin: ['begin immediate'],
    adopt(connection) {
      // A WAL database that is opened again comes back with NORMAL, which loses commits on power failure.
      prepare(connection, 'pragma synchronous = full').statement.run([]);
    },
    run(connection, text, values): Outcome {
      const { statement, reader } = prepare(connection, text);
      return reader
        ? { rows: statement.all(values), affected: 0 }
        : { rows: [], affected: statement.run(values).changes };
    },
  };
}
