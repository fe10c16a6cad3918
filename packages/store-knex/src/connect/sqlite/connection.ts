/** What is used of a `better-sqlite3` or `libsql` database when it is opened and closed. */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  exec(sql: string): unknown;
  pragma(source: string): unknown;
  close(): void;
}

/** How a driver opens a file. */
export type OpenDatabase = new (filename: string) => SqliteConnection;

/** Never waits for a lock inside SQLite: that keeps the thread. */
const neverWait = 'busy_timeout = 0';

/** Closes again what cannot be set up. */
function setUp(connection: SqliteConnection, pragmas: readonly string[]): SqliteConnection {
  try {
    for (const pragma of pragmas) connection.pragma(pragma);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const durable = ['journal_mode = wal', 'synchronous = full'];
/** Overwrites what is deleted or replaced: without it names and addresses stand in free places of the file after an erasure. */
const overwriting = 'secure_delete = on';

/** Opens what makes commits durable and shared files usable. The last one reads: only then the `-wal` is there. */
export const openWriter = (Database: OpenDatabase, filename: string): SqliteConnection =>
  setUp(new Database(filename), [neverWait, ...durable, overwriting, 'schema_version']);

/** Opens what reads beside the writer. */
export const openReader = (Database: OpenDatabase, filename: string): SqliteConnection =>
  setUp(new Database(filename), [neverWait, 'query_only = on', 'schema_version']);
