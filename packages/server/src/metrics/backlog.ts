import { type Backlog, deliveryPhases, type NotificationStore, notificationChannels } from '@calends/core/store';
import { within } from '../process/within.js';
import { Gauge, type Registry } from 'prom-client';

/** How long what the store said holds, milliseconds: scrapers come often, and in numbers. */
const holdsFor = 10_000;
/** Scrapers give up after a few seconds. */
const maxWait = 3_000;

/** Asks the store what waits, at most once in ten seconds, however often it is read; its failures hold as long. */
export class BacklogReader {
  readonly #store: Pick<NotificationStore, 'backlog'>;
  readonly #now: () => number;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<readonly Backlog[] | undefined> = Promise.resolve(undefined);

  constructor(store: Pick<NotificationStore, 'backlog'>, now: () => number) {
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
      return await within(this.#store.backlog(), maxWait, undefined);
    } catch {
      // Logged where the store is needed: by the worker and by requests.
      return undefined;
    }
  }
}

const waitingPhases = deliveryPhases.filter((phase) => phase !== 'DONE');

/** What waits in the store, read when it is scraped; while the store does not answer, these have no values. */
export function backlogMetrics(registry: Registry, backlog: BacklogReader, now: () => number): void {
  const registers = [registry];
  new Gauge({
    name: 'calends_store_answers',
    help: '1 when the store told what waits, else 0.',
    // Of several processes: the one that is worst off.
    aggregator: 'min',
    registers,
    async collect() {
      this.set((await backlog.read()) === undefined ? 0 : 1);
    },
  });
  new Gauge({
    name: 'calends_notifications_waiting',
    help: 'Notifications that are not done.',
    aggregator: 'max',
    labelNames: ['channel', 'phase'],
    registers,
    async collect() {
      const rows = await backlog.read();
      this.reset();
      if (rows === undefined) return;
      for (const channel of notificationChannels) {
        for (const phase of waitingPhases) this.set({ channel, phase }, countOf(rows, channel, phase));
      }
    },
  });
  new Gauge({
    name: 'calends_oldest_due_seconds',
    help: 'How long the oldest due notification has been due; 0 when none is.',
    aggregator: 'max',
    labelNames: ['channel'],
    registers,
    async collect() {
      const rows = await backlog.read();
      this.reset();
      if (rows === undefined) return;
      for (const channel of notificationChannels) this.set({ channel }, oldestDue(rows, channel, now()) / 1000);
    },
  });
}

function countOf(rows: readonly Backlog[], channel: string, phase: string): number {
  return rows.find((row) => row.channel === channel && row.phase === phase)?.count ?? 0;
}

/** Milliseconds. Claimed rows wake at the end of their claim: one that is over counts as due. */
function oldestDue(rows: readonly Backlog[], channel: string, now: number): number {
  const wakes = rows.filter((row) => row.channel === channel).map(({ oldestWakeAt }) => oldestWakeAt ?? now);
  return Math.max(0, now - Math.min(now, ...wakes));
}
