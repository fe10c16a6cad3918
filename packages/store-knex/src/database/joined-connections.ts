import { AnswerOverdue, inTime, performOn, PlainConnections } from './connections.js';
import { StoreError } from '@calends/core/store';
import type { HostTransaction } from './host-transaction.js';
import { drive, type Perform, run, type Steps } from '../sql/steps.js';

function* withSavepoint<Result>(work: () => Steps<Result>): Steps<Result> {
  yield* run('savepoint calends');
  try {
    const result = yield* work();
    yield* run('release savepoint calends');
    return result;
  } catch (error) {
    try {
      yield* run('rollback to savepoint calends');
    } catch {
      // A deadlock has ended the whole transaction and the savepoint with it: what failed first counts.
    }
    throw error;
  }
}

/** Where the latest piece of work stands, by what the host gave: it may ask for one transaction more than once. */
const latest = new WeakMap<object, Promise<unknown>>();

/**
 * The one connection of a transaction that the host opened, and that the host ends.
 *
 * Pieces of work run one after the other, so that steps of two calls do not mix. A piece that must be whole is
 * kept so by a savepoint: the host may go on with its transaction after a fault. Where an answer is overdue only the
 * wait ends, since the connection is the host's; nothing more is done in that transaction, which the host has to end.
 */
export class JoinedConnections extends PlainConnections {
  readonly #transaction: HostTransaction;
  readonly #answerTimeout: number;
  #isOverdue = false;

  constructor(transaction: HostTransaction, answerTimeout: number) {
    super();
    this.#transaction = transaction;
    this.#answerTimeout = answerTimeout;
  }

  override use<Result>(work: () => Steps<Result>): Promise<Result> {
    const { given } = this.#transaction;
    const mine = (latest.get(given) ?? Promise.resolve()).then(() => this.#run(work));
    const ended = mine.catch(() => undefined);
    latest.set(given, ended);
    return mine;
  }

  override transact<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.use(() => withSavepoint(work));
  }

  async #run<Result>(work: () => Steps<Result>): Promise<Result> {
    // Its connection is back in the pool by now, and may be somebody else's.
    if (this.#transaction.isOver()) {
      throw new StoreError('unexpected', 'The transaction that the store has joined is over.');
    }
    this.#refuseAfterSilence();
    const { connection, driver } = await this.#transaction.connection();
    const perform = performOn(this.#transaction.source, driver, connection, true);
    if (driver.admit !== undefined) await this.#awaited(driver.admit(connection));
    const isRemote = driver.socketOf(connection) !== undefined;
    return drive(work(), isRemote ? this.#inTime(perform) : perform);
  }

  #inTime(perform: Perform): Perform {
    return (statement) => {
      this.#refuseAfterSilence();
      const answer = perform(statement);
      return answer instanceof Promise ? this.#awaited(answer) : answer;
    };
  }

  async #awaited<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await inTime(answer, this.#answerTimeout);
    } catch (error) {
      this.#isOverdue ||= error instanceof AnswerOverdue;
      throw error;
    }
  }

  #refuseAfterSilence(): void {
    if (this.#isOverdue) throw new AnswerOverdue();
  }
}
