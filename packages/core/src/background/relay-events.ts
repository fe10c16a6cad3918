import { type Instant, minutes, seconds } from '@calends/model';
import type { ClaimedEvent, EventOutcome } from '../ports/store/events.js';
import type { UseCaseContext } from '../operations/context.js';
import { type EventPublisher, PublisherUnavailableError } from '../ports/event-publisher.js';
import type { DomainEvent } from '../domain/appointments/events.js';

/** A subscriber within the process. */
export type EventHandler = (event: DomainEvent) => Promise<void> | void;

/** Hands events to the host's publisher and to every subscriber; one failure makes all of them see it again. */
export class Subscriptions implements EventPublisher {
  readonly #handlers = new Set<EventHandler>();
  readonly #publisher: EventPublisher | undefined;

  constructor(publisher: EventPublisher | undefined) {
    this.#publisher = publisher;
  }

  /** False while nobody here would get an event: where nobody elsewhere does either, events are born delivered (D79). */
  get hasTakers(): boolean {
    return this.#publisher !== undefined || this.#handlers.size > 0;
  }

  /** Adds a subscriber, and answers how to remove it. */
  subscribe(handler: EventHandler): () => void {
    const entry: EventHandler = (event) => handler(event);
    this.#handlers.add(entry);
    return () => void this.#handlers.delete(entry);
  }

  async publish(event: DomainEvent): Promise<void> {
    await this.#publisher?.publish(event);
    for (const handler of this.#handlers) await handler(event);
  }
}

/** Deliveries that are tried before an event is parked; the waits between them add up to half an hour. */
const maxAttempts = 14;
const firstWait = seconds(1);
const maxWait = minutes(5);

/** How many events one round takes, and how long they are this worker's. */
export interface RelayRound {
  readonly batchSize: number;
  readonly lease: number;
}

/**
 * Hands committed events to subscribers, once more where they failed (D48).
 *
 * One round: claims the next event of each of up to `batchSize` appointments. Answers how many were claimed.
 */
export async function relayEvents(
  context: UseCaseContext,
  publisher: EventPublisher,
  { batchSize, lease }: RelayRound,
): Promise<number> {
  const { store, clock } = context;
  const now = clock.now();
  const claimed = await store.events.claim({ now, limit: batchSize, leaseUntil: now + lease });
  if (claimed.length === 0) return 0;
  const outcomes = await Promise.all(claimed.map((each) => deliver(context, publisher, each)));
  await store.events.settle(outcomes);
  return claimed.length;
}

async function deliver(
  { clock, observer, tracing }: UseCaseContext,
  publisher: EventPublisher,
  { event, token, attempts }: ClaimedEvent,
): Promise<EventOutcome> {
  const claim = { eventId: event.id, token };
  try {
    const attributes = {
      'calends.event_type': event.type,
      'calends.organization_id': event.organizationId,
      'calends.appointment_id': event.appointmentId,
      'calends.correlation_id': event.correlationId,
      'calends.attempt': attempts,
    };
    await tracing.followUp(
      'calends.publish',
      () => event.data.traceParent,
      attributes,
      () => publisher.publish(event),
    );
    return { ...claim, status: 'delivered', at: clock.now() };
  } catch (error) {
    const parked = attempts >= maxAttempts && !PublisherUnavailableError.is(error);
    observer.observe({
      type: parked ? 'eventParked' : 'eventRetried',
      eventId: event.id,
      appointmentId: event.appointmentId,
      attempts,
      error,
    });
    return parked
      ? { ...claim, status: 'parked', at: clock.now() }
      : { ...claim, status: 'retry', at: nextTry(clock.now(), attempts) };
  }
}

/** Back-off from 1 s to 5 min (D48). */
function nextTry(now: Instant, attempts: number): Instant {
  return now + Math.min(firstWait * 2 ** (attempts - 1), maxWait);
}
