import { isWellFormedId } from '../appointments/well-formed-id.js';
import { CalendsError } from '../errors.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { NotificationOperations } from './notification-operations.js';
import { afterReceipt } from './receipt.js';
import { settledSignal } from './settled-signal.js';

const attempts = 10;

/** Takes what a provider reports by itself (D50; delivery of receipts is late, double and out of order). */
export function receiveReceipt({ store, clock, observer }: UseCaseContext): NotificationOperations['receive'] {
  return async ({ organizationId, notificationId, report }) => {
    if (!isWellFormedId(notificationId)) return false;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = await store.findNotification(organizationId, notificationId);
      if (found === undefined) return false;
      const step = afterReceipt(found.notification, report, clock.now());
      if (step === undefined) return true;
      const [written] = await store.settleNotifications([step.update]);
      if (written !== true) continue;
      observer.observe(settledSignal(step));
      return true;
    }
    throw new CalendsError('unavailable', 'The notification is changing too often; try again.');
  };
}
