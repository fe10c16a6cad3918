import type { MessagePort } from 'node:worker_threads';
import type { SqlValue } from '../../sql/sql.js';

/** What a thread is told when it begins. */
export interface ReaderData {
  /** Path of the driver's module. */
  readonly driver: string;
  readonly filename: string;
}

/** A statement for the thread. */
export interface ReaderQuestion {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** What the thread makes of it. */
export type ReaderAnswer =
  | { readonly columns: readonly { readonly name: string }[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly fault: { readonly code: string | undefined; readonly message: string } };

interface ThreadStatement {
  raw(enabled: boolean): unknown;
  columns(): readonly { readonly name: string }[];
  all(values: readonly SqlValue[]): readonly (readonly unknown[])[];
}

interface ThreadDatabase {
  pragma(source: string): unknown;
  prepare(text: string): ThreadStatement;
  close(): void;
}

/** The module of threads, from inside one. */
interface ThreadModule {
  readonly parentPort: MessagePort | null;
  readonly workerData: unknown;
}

type ThreadDriver = new (filename: string) => ThreadDatabase;

/**
 * What a thread runs: it reads on a connection of its own, one statement after the other, until it is told `null`.
 *
 * The thread gets the text of this function, so that no bundler has to know of a file more. So it names nothing that
 * stands outside of it.
 */
export function readInThread({ parentPort, workerData }: ThreadModule, load: (path: string) => unknown): void {
  const { driver, filename } = workerData as ReaderData;
  let database: ThreadDatabase | undefined;
  interface Known {
    readonly statement: ThreadStatement;
    columns: readonly { readonly name: string }[];
  }
  const statements = new Map<string, Known>();

  const open = (): ThreadDatabase => {
    const opened = new (load(driver) as ThreadDriver)(filename);
    // Here it may wait inside SQLite: the thread has nothing else to do.
    for (const pragma of ['busy_timeout = 2000', 'query_only = on']) opened.pragma(pragma);
    return opened;
  };
  const columnsOf = (statement: ThreadStatement): Known['columns'] => statement.columns().map(({ name }) => ({ name }));
  const prepare = (text: string): Known => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = (database ??= open()).prepare(text);
    statement.raw(true);
    const made = { statement, columns: columnsOf(statement) };
    if (statements.size < 100) statements.set(text, made);
    return made;
  };
  const answer = ({ text, values }: ReaderQuestion): ReaderAnswer => {
    try {
      const known = prepare(text);
      const rows = known.statement.all(values);
      // Asked for again only when there are more, as a migration makes of `select *`: they take longer than a short list.
      if (rows[0] !== undefined && rows[0].length !== known.columns.length) known.columns = columnsOf(known.statement);
      return { rows, columns: known.columns };
    } catch (error) {
      const { code, message } = error as { readonly code?: string; readonly message: string };
      return { fault: { code, message } };
    }
  };
  parentPort?.on('message', (question: ReaderQuestion | null) => {
    if (question !== null) {
      parentPort.postMessage(answer(question));
      return;
    }
    database?.close();
    parentPort.close();
  });
}
