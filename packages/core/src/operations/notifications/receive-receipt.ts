import { isWellFormedId } from '@calends/model';
import type { UseCaseContext } from '../context.js';
import { insist } from '../unit-of-work.js';
import type { NotificationOperations } from './notification-operations.js';
import { next } from '../../delivery/state.js';
import { deliverySignal } from '../../delivery/claim.js';

/** Takes what a provider reports by itself (D50; delivery of receipts is late, double and out of order). */
export function receiveReceipt({ store, clock, observer }: UseCaseContext): NotificationOperations['receive'] {
  return async ({ organizationId, notificationId, report }) => {
    if (!isWellFormedId(notificationId)) return false;
    return insist('notification', async () => {
      const found = await store.notifications.find(organizationId, notificationId);
      if (found === undefined) return false;
      const step = next('reported', found.notification, report, clock.now());
      if (step === undefined) return true;
      const [written] = await store.notifications.settle([step.update]);
      if (written !== true) return undefined;
      observer.observe(deliverySignal(step));
      return true;
    });
  };
}
