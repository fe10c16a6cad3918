import { type Instant, limits, parseInstant } from '@calends/model';
import type { Caller } from '../../domain/calls/caller.js';
import { InputIssues } from '../../domain/calls/input.js';
import type { EndpointKey, ListedDeliveryEvent } from '../../ports/store/notifications.js';
import type { NotificationSettings } from '../../settings/notification-settings.js';
import { nowByStore } from '../../ports/clock.js';
import type { UseCaseContext } from '../context.js';
import type { EndpointReplay, ReplayQuery } from './endpoint-operations.js';
import { canRetry, retryByHand, type RetryMeans } from '../../delivery/manual-retry.js';
import { deliveryEventId } from '../../domain/notifications/notification.js';
import { endpointChannel } from '../../settings/channels.js';

/** What is left to look at: after the last failure that was, and before the replay began. */
interface Rest {
  readonly from: Instant;
  /** Of the last failure, which orders those of one instant; absent = none was looked at yet. */
  readonly eventId?: string;
  /** Exclusive: what fails again is not sent again by the same replay; absent = it begins now. */
  readonly to?: Instant;
}

/** Retries under way at a time. */
const maxAtOnce = 10;
const rest = /^(\d{1,15})\.(\d{1,15})\.([\w-]{1,160})$/;

/**
 * What a replay is to look at.
 *
 * @throws CalendsError `validation_failed`
 */
export function readReplay({ since, after }: Pick<ReplayQuery, 'since' | 'after'>, now: Instant): Rest {
  const issues = new InputIssues();
  const begin = parseInstant(issues.requiredText('/since', since, limits.instant));
  if (begin === undefined && !issues.has('/since')) {
    issues.add('/since', 'invalid_format', 'Must be an ISO 8601 timestamp with Z or an offset.');
  }
  const [, from, to, eventId] = rest.exec(after ?? '') ?? [];
  if (after !== undefined && eventId === undefined) {
    issues.add('/after', 'invalid_format', 'Must be `next` of the call before.');
  }
  issues.throwIfAny();
  return eventId === undefined ? { from: begin ?? now } : { from: Number(from), to: Number(to), eventId };
}

/** What a replay works with. */
export interface Replay {
  readonly caller: Caller;
  readonly key: EndpointKey;
  readonly settings: NotificationSettings;
  readonly rest: Rest;
  readonly signal: AbortSignal | undefined;
}

/** Retries what is still failed among the next hundred failures (D78). */
export async function replayFailures(context: UseCaseContext, replay: Replay): Promise<EndpointReplay> {
  const { to = await endOfFailures(context, replay) } = replay.rest;
  const { items, isLast } = await failuresFrom(context, replay.key, { ...replay.rest, to });
  const failed = items.filter((item) => isFailedNow(item, replay.key.endpointId)).map(({ notification: { id } }) => id);
  let retried = 0;
  for (let begun = 0; begun < failed.length; begun += maxAtOnce) {
    const some = failed.slice(begun, begun + maxAtOnce);
    const done = await Promise.all(some.map((id) => retry(context, replay, id)));
    retried += done.filter(Boolean).length;
  }
  if (retried > 0) context.wakes.emit('delivery');
  const last = items.at(-1);
  return {
    retried,
    skipped: failed.length - retried,
    next: isLast || last === undefined ? undefined : placeAfter(last, to),
  };
}

const placeAfter = (last: ListedDeliveryEvent, to: Instant): string =>
  `${String(last.event.timestamp)}.${String(to)}.${eventIdOf(last)}`;

const eventIdOf = ({ event, notification }: ListedDeliveryEvent): string =>
  deliveryEventId(notification.id, event.number);

/** It may have failed several times: only the last failure counts, and only while nothing came after it. */
function isFailedNow({ event, notification }: ListedDeliveryEvent, endpointId: string): boolean {
  const { addressee, status, eventCount } = notification;
  return addressee.id === endpointId && status === 'FAILED' && eventCount === event.number;
}

/** The largest page of what was told of deliveries to an application's endpoints. */
export const eventsOfEndpoints = ({ organizationId, applicationId }: EndpointKey) =>
  ({
    organizationId,
    applicationId,
    scope: { kind: 'all' },
    channels: [endpointChannel],
    sortField: 'timestamp',
    pageSize: limits.pageSizeMax,
  }) as const;

/** Right after the latest failure that there is now: their times are the store's, not this process's (D80). */
async function endOfFailures({ store }: UseCaseContext, { key, rest: { from } }: Replay): Promise<Instant> {
  const { items } = await store.notifications.listEvents({
    ...eventsOfEndpoints(key),
    statuses: ['FAILED'],
    from,
    sortOrder: 'desc',
    pageNumber: 1,
    pageSize: 1,
  });
  return (items[0]?.event.timestamp ?? from) + 1;
}

/** The next page of failures. */
async function failuresFrom(
  { store }: UseCaseContext,
  key: EndpointKey,
  rest: Rest,
): Promise<{ readonly items: readonly ListedDeliveryEvent[]; readonly isLast: boolean }> {
  for (let pageNumber = 1; ; pageNumber += 1) {
    const { items, total } = await store.notifications.listEvents({
      ...eventsOfEndpoints(key),
      statuses: ['FAILED'],
      from: rest.from,
      to: rest.to,
      sortOrder: 'asc',
      pageNumber,
    });
    const isLast = pageNumber * limits.pageSizeMax >= total;
    const after = items.filter((item) => isAfter(item, rest));
    if (after.length > 0 || isLast) return { items: after, isLast };
  }
}

function isAfter(item: ListedDeliveryEvent, { from, eventId }: Rest): boolean {
  return item.event.timestamp > from || eventId === undefined || eventIdOf(item) > eventId;
}

/** Of an endpoint that is not disabled, which was looked at before. */
const enabled: RetryMeans = { canAsk: false, isDisabled: false };

/** Tells whether it is being sent again; somebody else may have been faster. */
async function retry(
  { store, clock }: UseCaseContext,
  { caller, settings, signal }: Replay,
  id: string,
): Promise<boolean> {
  const { organizationId } = caller;
  const listed = await store.notifications.find(organizationId, id);
  const now = clock.now();
  if (listed?.notification.status !== 'FAILED' || !canRetry(listed, settings, enabled, now)) return false;
  const update = retryByHand(listed, settings, enabled, { actorId: caller.id, at: now })?.update;
  const change = { organizationId, now: nowByStore(clock, now), events: [], notifications: { update } };
  return (await store.commit(change, { signal })).status === 'committed';
}
