import { type Instant, minutes, seconds } from '@calends/model';
import type { ClaimedEvent, EventOutcome } from '../ports/store/events.js';
import type { UseCaseContext } from '../operations/context.js';
import { systemClock } from '../ports/clock.js';
import { PublisherUnavailableError } from '../ports/event-publisher.js';
import { OneAtATime } from '../support/one-at-a-time.js';
import { plainCopy } from '../support/plain-copy.js';

/** Deliveries that are tried before an event is parked; the waits between them add up to half an hour. */
const maxAttempts = 14;
/**
 * Deliveries that count, of those that found the publisher away: with as many the longest wait is reached, and enough are left
 * before the first one that is refused for itself may be the last.
 */
const maxAttemptsAway = 9;
const firstWait = seconds(1);
const maxWait = minutes(5);

/** How the relay works; durations are milliseconds. */
export interface RelayOptions {
  /** Events that are handed out at a time. */
  readonly batchSize: number;
  /** How long a claim keeps other workers away. */
  readonly lease: number;
  /** How long a round waits for its slowest handler. */
  readonly interval: number;
}

/**
 * Hands committed events to the host's publisher and to subscribers; one failure makes all of them see it again (D48).
 *
 * A round claims the next event of each of as many appointments as there is room for, and writes how they ended in one
 * statement. What takes longer than the round waits keeps its place, and holds up nothing but its own appointment.
 */
export class EventRelay {
  readonly #context: UseCaseContext;
  readonly #options: RelayOptions;
  readonly #turns = new OneAtATime();
  readonly #underWay = new Set<Promise<void>>();
  /** Outcomes that are not written yet. */
  readonly #ended: EventOutcome[] = [];
  #lookedAt: Instant | undefined;

  constructor(context: UseCaseContext, options: RelayOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** When it last looked for events, or had nobody to look for; not while slow handlers take all the room. */
  get lookedAt(): Instant | undefined {
    return this.#lookedAt;
  }

  /** Hands out rounds until nothing more is due or wanted; answers how many events that were. */
  async begin(isWanted: () => boolean): Promise<number> {
    return this.#relay(isWanted, (round) => this.#waitAWhile(round));
  }

  /**
   * Hands out all that is due and wanted, and waits for every handler. Where events come as fast as they are taken, there is
   * no last round: what else is due is done between them.
   */
  async runOnce(isWanted: () => boolean, between: () => Promise<void>): Promise<number> {
    const wholeRound = async (round: readonly Promise<void>[]): Promise<void> => {
      await Promise.all(round);
      await between();
    };
    const count = await this.#relay(isWanted, wholeRound);
    await this.settled();
    return count;
  }

  /** Waits until what is under way now has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#write();
  }

  /** Never beside another: both would take the same room. */
  #relay(isWanted: () => boolean, wait: (round: readonly Promise<void>[]) => Promise<void>): Promise<number> {
    return this.#turns.run('relay', () => this.#rounds(isWanted, wait));
  }

  async #rounds(isWanted: () => boolean, wait: (round: readonly Promise<void>[]) => Promise<void>): Promise<number> {
    let sum = 0;
    // Once nobody wants more, what is due waits for the next process: each round may wait for a subscriber.
    while (isWanted()) {
      await this.#write();
      const round = (await this.#claim()).map((claimed) => this.#begin(claimed));
      if (round.length === 0) break;
      sum += round.length;
      await wait(round);
    }
    await this.#write();
    return sum;
  }

  async #claim(): Promise<readonly ClaimedEvent[]> {
    const { store, clock, takers } = this.#context;
    const { batchSize, lease } = this.#options;
    const limit = batchSize - this.#underWay.size;
    if (limit <= 0) return [];
    const now = clock.now();
    const byProcess = clock === systemClock;
    const claimed = takers.size > 0 ? await store.events.claim({ now, limit, leaseUntil: now + lease, byProcess }) : [];
    this.#lookedAt = clock.now();
    return claimed;
  }

  #begin(claimed: ClaimedEvent): Promise<void> {
    const { observer } = this.#context;
    const work = deliver(this.#context, claimed)
      .then((outcome) => void this.#ended.push(outcome))
      // What has no outcome is claimed again after its lease.
      .catch((error: unknown) => {
        observer.observe({ type: 'workerFailed', job: 'events', error });
      })
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    return work;
  }

  async #waitAWhile(round: readonly Promise<void>[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, this.#options.interval).unref()));
    await Promise.race([Promise.all(round), patience]);
    clearTimeout(timer);
    // Later events of their appointments need not wait for the next look.
    const late = round.filter((work) => this.#underWay.has(work));
    for (const work of late) void work.then(() => this.#context.wakes.emit('workers'));
  }

  async #write(): Promise<void> {
    const outcomes = this.#ended.splice(0);
    if (outcomes.length === 0) return;
    try {
      await this.#context.store.events.settle(outcomes);
    } catch (error) {
      this.#ended.unshift(...outcomes);
      throw error;
    }
  }
}

async function deliver(
  { clock, observer, tracing, takers }: UseCaseContext,
  { event, token, attempts, fastBy = 0 }: ClaimedEvent,
): Promise<EventOutcome> {
  const claim = { eventId: event.id, token };
  /** By the clock of the store: other processes go by theirs. */
  const storeTime = (): Instant => clock.now() - fastBy;
  try {
    const attributes = {
      'calends.event_type': event.type,
      'calends.organization_id': event.organizationId,
      'calends.appointment_id': event.appointmentId,
      'calends.correlation_id': event.correlationId,
      'calends.attempt': attempts,
    };
    const publish = async (): Promise<void> => {
      // Those of now: who subscribes anew while it takes the event would be handed it again without an end.
      // Each has an event of its own: what one changes of it is nobody else's, whatever store it comes from.
      for (const take of [...takers]) if (takers.has(take)) await take(plainCopy(event));
    };
    await (tracing.spans === undefined
      ? publish()
      : tracing.spans.followUp('calends.publish', event.data.traceParent, attributes, publish));
    return { ...claim, status: 'delivered', at: storeTime() };
  } catch (error) {
    const isAway = PublisherUnavailableError.is(error);
    const parked = attempts >= maxAttempts && !isAway;
    observer.observe({
      type: parked ? 'eventParked' : 'eventRetried',
      eventId: event.id,
      appointmentId: event.appointmentId,
      attempts,
      error,
    });
    if (parked) return { ...claim, status: 'parked', at: storeTime() };
    const counted = isAway ? Math.min(attempts, maxAttemptsAway) : attempts;
    return { ...claim, status: 'retry', at: nextTry(storeTime(), attempts), attempts: counted };
  }
}

/** Back-off from 1 s to 5 min (D48). */
function nextTry(now: Instant, attempts: number): Instant {
  return now + Math.min(firstWait * 2 ** (attempts - 1), maxWait);
}
