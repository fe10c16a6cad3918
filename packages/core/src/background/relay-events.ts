import { type Instant, minutes, seconds } from '@calends/model';
import type { ClaimedEvent, EventOutcome } from '../ports/store/events.js';
import type { UseCaseContext } from '../operations/context.js';
import { systemClock } from '../ports/clock.js';
import { PublisherUnavailableError } from '../ports/event-publisher.js';

/** Deliveries that are tried before an event is parked; the waits between them add up to half an hour. */
const maxAttempts = 14;
/**
 * Deliveries that count, of those that found the publisher away: with as many the longest wait is reached, and enough are left
 * before the first one that is refused for itself may be the last.
 */
const maxAttemptsAway = 9;
const firstWait = seconds(1);
const maxWait = minutes(5);

/** How many events one round takes, and how long they are this worker's. */
export interface RelayRound {
  readonly batchSize: number;
  readonly lease: number;
}

/**
 * Hands committed events to the host's publisher and to subscribers; one failure makes all of them see it again (D48).
 *
 * One round: claims the next event of each of up to `batchSize` appointments. Answers how many were claimed.
 */
export async function relayEvents(context: UseCaseContext, { batchSize, lease }: RelayRound): Promise<number> {
  const { store, clock } = context;
  const now = clock.now();
  const byProcess = clock === systemClock;
  const claimed = await store.events.claim({ now, limit: batchSize, leaseUntil: now + lease, byProcess });
  if (claimed.length === 0) return 0;
  const outcomes = await Promise.all(claimed.map((each) => deliver(context, each)));
  await store.events.settle(outcomes);
  return claimed.length;
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
      for (const take of takers) await take(event);
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
