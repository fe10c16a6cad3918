import { outdatedSends } from '../notifications/outdated-sends.js';
import type { Committed } from './committed.js';
import type { UseCaseContext } from './context.js';
import { endedSends } from './ended-sends.js';
import { releasedReminders } from './released-reminders.js';

/** What follows a commit that stands: it is told, workers are woken, reminders are released, and sends of what it took back are waited for. */
export async function followCommit(context: UseCaseContext, committed: Committed): Promise<void> {
  const { organizationId, event, plansMessages, sending = [], change } = committed;
  if (event !== undefined) context.observer.observe({ type: 'committed', event });
  context.wakeWorkers();
  if (plansMessages) context.wakeDelivery();
  if (change !== undefined) await releasedReminders(context, change);
  await endedSends(context, organizationId, [
    ...sending,
    ...(change === undefined ? [] : await outdatedSends(context, change.before, change)),
  ]);
}
