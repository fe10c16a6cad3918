import type { NotificationStore } from '../ports/store/notifications.js';
import { StoreError } from '../ports/store/store-error.js';
import { outside } from '../support/outside.js';
import type { Notification, NotificationUpdate } from '../domain/notifications/notification.js';

interface Waiting {
  readonly update: NotificationUpdate;
  readonly resolve: (written: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Most outcomes that go into one statement. */
const maxPerStatement = 250;
/** A store that is out of reach is tried again after these pauses; what helps a restart, and ends before a lease. */
const pauses: readonly number[] = [100, 250, 500, 1000, 2000, 4000];

/**
 * Writes outcomes: those of one tick in one statement, which is ten times as fast as one by one.
 *
 * A store that is out of reach is tried again for some seconds, so that its restart makes no outcome unknown; an
 * outcome that the store cannot take does not take the others with it.
 */
export class OutcomeWriter {
  readonly #store: NotificationStore;
  #waiting: Waiting[] = [];
  #isFailing = false;

  constructor(store: NotificationStore) {
    this.#store = store;
  }

  /** True from when an outcome found its store out of reach until one is written. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Writes one outcome; false when the claim is not held any more. */
  write(update: NotificationUpdate): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => outside(() => void this.#flush()));
      this.#waiting.push({ update, resolve, reject });
      // What fills a statement goes at once: the store works on it while the process reads its next answer.
      if (this.#waiting.length === maxPerStatement) outside(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const batches: Waiting[][] = [];
    for (let first = 0; first < waiting.length; first += maxPerStatement)
      batches.push(waiting.slice(first, first + maxPerStatement));
    await Promise.all(batches.map((batch) => this.#writeBatch(batch)));
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const written = await this.#persist(batch.map(({ update }) => update));
      batch.forEach(({ resolve }, index) => {
        resolve(written[index] ?? false);
      });
    } catch (error) {
      if (batch.length > 1 && !isOutOfReach(error)) await Promise.all(batch.map((each) => this.#writeBatch([each])));
      else for (const { reject } of batch) reject(error);
    }
  }

  async #persist(updates: readonly NotificationUpdate[]): Promise<readonly boolean[]> {
    let attempt = (): Promise<readonly boolean[]> => this.#store.settle(updates);
    for (const pause of pauses) {
      try {
        return await this.#watched(attempt);
      } catch (error) {
        if (!isOutOfReach(error)) throw error;
        attempt = () => this.#attemptAgain(updates);
        // Keeps the process alive: one that stops meanwhile would end without the outcome.
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return this.#watched(attempt);
  }

  async #watched(attempt: () => Promise<readonly boolean[]>): Promise<readonly boolean[]> {
    try {
      const written = await attempt();
      this.#isFailing = false;
      return written;
    } catch (error) {
      // Contention passes by itself.
      if (error instanceof StoreError && error.code === 'unavailable') this.#isFailing = true;
      throw error;
    }
  }

  /** What was written by an attempt whose answer was lost is refused now, and stands. */
  async #attemptAgain(updates: readonly NotificationUpdate[]): Promise<readonly boolean[]> {
    const written = await this.#store.settle(updates);
    return Promise.all(updates.map(async ({ next }, index) => written[index] === true || (await this.#stands(next))));
  }

  async #stands({ organizationId, id, revision, phase, wakeAt }: Notification): Promise<boolean> {
    const current = (await this.#store.find(organizationId, id))?.notification;
    // Anyone who claims it instead makes the same revision of it.
    return current?.revision === revision && current.phase === phase && current.wakeAt === wakeAt;
  }
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'unavailable' || error.code === 'contention');
}
