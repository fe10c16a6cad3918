import type { Backlog, NotificationStore } from '@calends/core';
import { within } from '../process/within.js';

/** How long what the store said holds, milliseconds: scrapers come often, and in numbers. */
const holdsFor = 10_000;
/** Scrapers give up after a few seconds. */
const longestWait = 3_000;

/** Asks the store what waits, at most once in ten seconds, however often it is read; its failures hold as long. */
export class BacklogReader {
  readonly #store: Pick<NotificationStore, 'notificationBacklog'>;
  readonly #now: () => number;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<readonly Backlog[] | undefined> = Promise.resolve(undefined);

  constructor(store: Pick<NotificationStore, 'notificationBacklog'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** What waits; `undefined` when the store does not say. Never rejects. */
  read(): Promise<readonly Backlog[] | undefined> {
    const now = this.#now();
    if (now - this.#askedAt >= holdsFor) {
      this.#askedAt = now;
      this.#answer = this.#ask();
    }
    return this.#answer;
  }

  async #ask(): Promise<readonly Backlog[] | undefined> {
    try {
      return await within(this.#store.notificationBacklog(), longestWait, undefined);
    } catch {
      // Logged where the store is needed: by the worker and by requests.
      return undefined;
    }
  }
}
