import type { ListedNotification } from '../ports/notification-store.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import type { UseCaseContext } from '../use-case/context.js';
import { endpointKeyOf } from './delivery/endpoint-states.js';
import type { Notification } from './notification.js';
import { channelKeys } from './retry-policy.js';

/** What a retry by hand depends on besides the notification (D68). */
export interface RetryMeans {
  /** The provider can be asked about messages that it has taken. */
  readonly canAsk: boolean;
  /** The web hook endpoint is disabled: a retry would make no attempt. */
  readonly isDisabled: boolean;
}

/** Finds out for notifications of one application whether a retry could make an attempt; each endpoint is looked up once. */
export async function retryMeans(
  { store, notifiers }: Pick<UseCaseContext, 'store' | 'notifiers'>,
  listed: readonly ListedNotification[],
  { webhooks }: NotificationSettings,
): Promise<(notification: Notification) => RetryMeans> {
  const disabled = new Set<string>();
  const [first] = listed;
  const asked = new Set(listed.flatMap(({ notification }) => endpointsOf(notification)));
  await Promise.all(
    webhooks
      .filter(({ id }) => asked.has(id))
      .map(async (endpoint) => {
        const state = first && (await store.findEndpoint(endpointKeyOf(first.notification, endpoint)));
        if (state !== undefined && state.disabledAt !== null) disabled.add(endpoint.id);
      }),
  );
  return ({ channel, addressee }) => ({
    canAsk: notifiers[channelKeys[channel]]?.fetchStatus !== undefined,
    isDisabled: channel === 'WEBHOOKS' && disabled.has(addressee.id),
  });
}

/** Endpoints whose state matters: of what may be retried. */
function endpointsOf({ channel, addressee, status, phase }: Notification): readonly string[] {
  return channel === 'WEBHOOKS' && (status === 'FAILED' || phase === 'RETRY_WAIT') ? [addressee.id] : [];
}
