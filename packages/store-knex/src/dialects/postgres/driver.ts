import { StoreError } from '@calends/core/store';
import { createHash } from 'node:crypto';
import type { Driver } from '../../database/driver.js';
import { type Cells, NamedRows, type Outcome, type Row } from '../../sql/rows.js';
import type { SqlValue } from '../../sql/sql.js';
import { run } from '../../sql/steps.js';
import { errorField } from '../../faults/error-fields.js';

function element(value: string | number | null): string | number {
  return typeof value === 'string' ? `"${escaped(value)}"` : (value ?? 'NULL');
}

/** Half the time of one pattern for both; most strings have neither. */
function escaped(value: string): string {
  const slashed = value.includes('\\') ? value.replaceAll('\\', '\\\\') : value;
  return slashed.includes('"') ? slashed.replaceAll('"', '\\"') : slashed;
}

/**
 * A list as PostgreSQL reads it. The driver could write lists itself; it looks at each element for what else it might be,
 * which costs more than everything else about a statement with many rows.
 */
export const arrayText = (values: readonly (string | number | null)[]): string => `{${values.map(element).join(',')}}`;

/** What is used of a `pg` client. */
interface PostgresClient {
  readonly connection: { readonly stream: { destroy(): unknown } };
  on?(event: 'error', listener: () => void): unknown;
  query(
    query: {
      readonly text: string;
      readonly values: readonly SqlValue[];
      readonly name?: string;
      readonly rowMode: 'array';
      readonly types: typeof asTexts;
    },
    callback: (error: Error | null, result: PostgresResult) => void,
  ): unknown;
}

interface PostgresResult {
  readonly fields: readonly { readonly name: string }[];
  readonly rows: readonly Cells[];
  readonly rowCount?: number | null;
}

/** What is used of PGlite, the PostgreSQL in process that `knex-pglite` brings. */
interface PgliteClient {
  readonly waitReady: Promise<void>;
  query(
    text: string,
    values: readonly SqlValue[],
  ): Promise<{ readonly rows: readonly Row[]; readonly affectedRows?: number }>;
}

interface Prepared {
  readonly text: string;
  /** Absent once so many statements have a name that a connection should hold no more. */
  readonly name?: string;
  readonly named: NamedRows;
}

/** Statements that one connection keeps prepared, at most. */
const preparedLimit = 200;
/** Texts whose `$1` form is remembered. */
const rememberedLimit = 2000;

const numbered = (text: string): string => {
  let count = 0;
  return text.replaceAll('?', () => `$${++count}`);
};

/** Rows are read by name, each column as what it is; a guess for every cell costs more than the reading. */
const asTexts = { getTypeParser: () => (value: string) => value } as const;

const ignored = (): void => undefined;

/** Runs statements in a transaction of the host: a query builder with a line around it, or PGlite. */
interface Runner {
  query(text: string, values: readonly SqlValue[]): Promise<RunnerResult>;
}

interface RunnerResult {
  readonly rows: readonly Row[];
  readonly rowCount?: number | bigint | null;
  /** What PGlite calls it. */
  readonly affectedRows?: number;
}

const isRunner = (given: object): given is Runner => typeof (given as Partial<Runner>).query === 'function';

/** PostgreSQL refuses a savepoint outside of a transaction: 25P01, no_active_sql_transaction. */
const heard = (error: Error): Error =>
  errorField(error, 'code') === '25P01'
    ? new StoreError('unexpected', 'No transaction is open on the connection.', { outcome: 'none' })
    : error;

/** Statements as they are: anyone who runs them knows how values and lists are bound. */
const runnerDriver: Pick<Driver, 'run' | 'socketOf'> = {
  // Nothing to cut off; that there is a network is what counts.
  socketOf: () => ({ destroy: ignored }),
  async run(connection, { text, values }) {
    try {
      const { rows, rowCount, affectedRows } = await (connection as Runner).query(
        values.length === 0 ? text : numbered(text),
        values,
      );
      return { rows, affected: Number(rowCount ?? affectedRows ?? 0) };
    } catch (error) {
      throw error instanceof Error ? heard(error) : error;
    }
  },
};

const isPglite = (connection: object): connection is PgliteClient => 'waitReady' in connection;

/** Runs statements on `pg` clients, prepared once per connection and text, or in PGlite. */
export function postgresDriver(preparedStatements: boolean): Driver {
  const known = new Map<string, Prepared>();
  let named = 0;

  const prepare = (text: string): Prepared => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const name = `calends_${createHash('sha1').update(text).digest('hex').slice(0, 20)}`;
    const worthNaming = preparedStatements && named < preparedLimit;
    const prepared = { text: numbered(text), named: new NamedRows(), ...(worthNaming && { name }) };
    if (worthNaming) named += 1;
    if (known.size < rememberedLimit) known.set(text, prepared);
    return prepared;
  };

  const driver: Driver = {
    // Whatever the host's default is: each statement must see what was committed before it (overlap guard).
    begin: ['begin isolation level read committed'],
    adopt(connection) {
      // A client without a listener ends the process of the host when the database restarts.
      if (!isPglite(connection)) (connection as PostgresClient).on?.('error', ignored);
    },
    socketOf: (connection) => (isPglite(connection) ? undefined : (connection as PostgresClient).connection.stream),
    *withStatementTimeout(limit, work) {
      yield* run(`set local statement_timeout = ${limit}`);
      return yield* work();
    },
    ofHost(given) {
      if ('totalCount' in given || !isRunner(given)) return undefined;
      const isClient = 'connection' in given && !isPglite(given);
      return { connection: given, driver: isClient ? driver : runnerDriver };
    },
    run(connection, { text, values }) {
      const prepared: Prepared = values.length === 0 ? { text, named: new NamedRows() } : prepare(text);
      if (isPglite(connection)) {
        return connection
          .query(prepared.text, values)
          .then(({ rows, affectedRows }) => ({ rows, affected: affectedRows ?? 0 }));
      }
      return new Promise<Outcome>((resolve, reject) => {
        const { text: numberedText, name } = prepared;
        const query = {
          text: numberedText,
          values: values.map((value) => (Array.isArray(value) ? arrayText(value) : value)),
          rowMode: 'array',
          types: asTexts,
          ...(name !== undefined && { name }),
        } as const;
        (connection as PostgresClient).query(query, (error, result) => {
          if (error === null)
            resolve({ rows: prepared.named.of(result.fields, result.rows), affected: result.rowCount ?? 0 });
          else reject(heard(error));
        });
      });
    },
  };
  return driver;
}
