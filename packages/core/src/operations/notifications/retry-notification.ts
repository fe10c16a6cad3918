import { isWellFormedId } from '@calends/model';
import { isOwnedBy } from '../../domain/appointments/participants.js';
import { type Caller, mayUseApplication, requireApplication } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import type { ListedNotification } from '../../domain/notifications/notification.js';
import type { NotificationScope } from '../../ports/store/notifications.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { CallOptions } from '../call-options.js';
import type { UseCaseContext } from '../context.js';
import { once, requestInProgress } from '../once.js';
import { insist } from '../unit-of-work.js';
import { notificationScope } from './list-notifications.js';
import type { NotificationStatus } from '../../domain/notifications/notification-status.js';
import { recipientOf, statusView } from './notification-view.js';
import { retryByHand, retryMeans } from '../../delivery/manual-retry.js';
import { nowByStore } from '../../ports/clock.js';

/** What a retry may come with. */
export type RetryOptions = Pick<CallOptions, 'idempotency' | 'signal'>;

/** Retries a notification by hand (notification document, Retry; D52, D53, D60). */
export function retryNotification(context: UseCaseContext) {
  return async (caller: Caller, id: string, options?: RetryOptions): Promise<NotificationStatus> => {
    const { organizationId } = caller;
    // The answer that is kept for a repeated request holds no name; it is read again for each answer.
    const { status, customer } = await once<Answer>(context, { caller, command: { id }, options }, (complete) =>
      retry(context, { caller, id, signal: options?.signal }, complete),
    );
    if (customer !== undefined) return { ...status, recipient: customer };
    const listed = await context.store.notifications.find(organizationId, id);
    if (listed === undefined) return status;
    const { applicationId } = listed.notification;
    const settings = await context.applications.settingsOf(applicationId);
    if (!mayStillSee(caller, listed, settings)) {
      return { ...status, recipient: { ...status.recipient, displayName: '-', reasonCode: 'ACCESS_DENIED' } };
    }
    return { ...status, recipient: recipientOf(listed.notification, listed.customer) };
  };
}

interface Answer {
  readonly status: NotificationStatus;
  /** Absent in a kept answer. */
  readonly customer?: NotificationStatus['recipient'] | undefined;
}

async function retry(
  context: UseCaseContext,
  { caller, id, signal }: { readonly caller: Caller; readonly id: string; readonly signal: AbortSignal | undefined },
  complete: Parameters<Parameters<typeof once<Answer>>[2]>[0],
): Promise<Answer> {
  const { store, clock, applications } = context;
  const { organizationId } = caller;
  return insist('notification', async () => {
    const listed = isWellFormedId(id) ? await store.notifications.find(organizationId, id) : undefined;
    if (listed === undefined) throw new CalendsError('not_found', 'There is no such notification.');
    const { applicationId } = listed.notification;
    const settings = await applications.settingsOf(applicationId);
    requireApplication(caller, applicationId);
    requireInScope(notificationScope(caller, settings), listed);
    const { notifications } = settings;
    const means = (await retryMeans(context, [listed], notifications))(listed.notification);
    const now = clock.now();
    const update = retryByHand(listed, notifications, means, { actorId: caller.id, at: now })?.update;
    const next = update === undefined ? listed : { ...listed, notification: update.next };
    const view = statusView(next, notifications, means, now);
    const anonymous = { ...view, recipient: { ...view.recipient, displayName: '-' } };
    const request = complete({ status: anonymous });
    if (update === undefined && request === undefined) return { status: view, customer: view.recipient };
    const change = {
      organizationId,
      now: nowByStore(clock, now),
      events: [],
      notifications: update && { update },
      request,
    };
    const result = await store.commit(change, { signal });
    if (result.status === 'committed') {
      context.wakes.emit('delivery');
      return { status: view, customer: view.recipient };
    }
    if (result.status === 'requestLost') throw requestInProgress();
    return undefined;
  });
}

/** Asked before a name is read for an answer that is repeated (D60). */
function mayStillSee(caller: Caller, listed: ListedNotification, settings: ApplicationSettings): boolean {
  return (
    mayUseApplication(caller, listed.notification.applicationId) &&
    isInScope(notificationScope(caller, settings), listed)
  );
}

function isInScope(scope: NotificationScope, { appointment }: ListedNotification): boolean {
  return (
    scope.kind === 'all' ||
    (appointment !== undefined && (scope.kind === 'existing' || isOwnedBy(appointment, scope.agentId)))
  );
}

/** @throws CalendsError `not_assigned` for an agent who may not see it (D60) */
function requireInScope(scope: NotificationScope, listed: ListedNotification): void {
  if (isInScope(scope, listed)) return;
  const isRemoved = listed.appointment === undefined;
  throw new CalendsError(
    'not_assigned',
    isRemoved
      ? 'The appointment was removed: its messages are for supervisors.'
      : 'The appointment belongs to another agent.',
  );
}
