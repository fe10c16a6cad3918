import type { Knex } from 'knex';
import type { Driver } from './driver.js';
import type { Perform, Steps } from '../sql/steps.js';

/** Gives connections to work on; the only way in which queries reach the database. */
export interface Connections {
  /** Does work whose statements each stand for themselves. */
  use<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Does work that only reads, by keys and in small numbers. */
  read<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Does work that only reads and may go through many rows; each statement stands for itself. */
  scan<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Does work of one statement, whose fault leaves nothing behind, not even a transaction that cannot go on. */
  single<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Does work in a transaction, committed when it ends well and rolled back when it fails. */
  transact<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Like `transact`, for the work of retention: its statements may take a minute each. */
  patiently<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Rejects where writes would fail: a server is asked, a file only after one has failed. */
  assertWritable(): Promise<void>;
}

/** One connection for everything: what must be whole is a transaction. */
export abstract class PlainConnections implements Connections {
  abstract use<Result>(work: () => Steps<Result>): Promise<Result>;
  abstract transact<Result>(work: () => Steps<Result>): Promise<Result>;

  read<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.use(work);
  }

  scan<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.use(work);
  }

  single<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.transact(work);
  }

  patiently<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.transact(work);
  }

  assertWritable(): Promise<void> {
    return Promise.resolve();
  }
}

/** The part of a Knex client that hands out connections; its own types say `any`. */
export interface ConnectionSource {
  /** Absent once it was ended; a pool of the host's own may tell nothing of what it makes. */
  readonly pool?: { on?(event: 'createSuccess', listener: (event: number, connection: object) => void): unknown };
  acquireConnection(): Promise<object>;
  releaseConnection(connection: object): Promise<void>;
  listenerCount(event: string): number;
  emit(event: string, ...details: readonly unknown[]): boolean;
}

/** The client of a Knex instance or transaction. */
export const connectionSource = (knex: Knex): ConnectionSource => knex.client as ConnectionSource;

/** Runs statements on a connection; they appear among the `query` events of the Knex instance. */
export const performOn =
  (
    source: Pick<ConnectionSource, 'emit' | 'listenerCount'>,
    driver: Pick<Driver, 'run'>,
    connection: object,
    isInTransaction = false,
  ): Perform =>
  (statement) => {
    if (source.listenerCount('query') > 0) {
      source.emit('query', { sql: statement.text, bindings: statement.values, method: 'raw' });
    }
    return driver.run(connection, statement, isInTransaction);
  };

/** The answer of a database that did not come in time: what was asked may have been done. */
export class AnswerOverdue extends Error {
  override readonly name = 'AnswerOverdue';

  constructor() {
    super('The database did not answer in time.');
  }
}

/** After the event loop stood still, answers that are there already are read before anybody calls them late. */
const secondLook = 100;

/**
 * What a promise gives within a limit, in milliseconds.
 *
 * @throws AnswerOverdue when it takes longer; `late` gets what comes after that
 */
export function inTime<Value>(
  promise: Promise<Value>,
  limit: number,
  late: (value: Value) => void = () => undefined,
): Promise<Value> {
  // By hand: a race makes five more promises, and every statement has two of these.
  return new Promise((resolve, reject) => {
    let isOverdue = false;
    let timer = setTimeout(() => {
      timer = setTimeout(() => {
        isOverdue = true;
        reject(new AnswerOverdue());
      }, secondLook);
    }, limit);
    const ended =
      <Given>(settle: (given: Given) => void) =>
      (given: Given): void => {
        clearTimeout(timer);
        settle(given);
      };
    const settle = (value: Value): void => {
      if (isOverdue) late(value);
      else resolve(value);
    };
    promise.then(ended(settle), ended(reject));
  });
}
