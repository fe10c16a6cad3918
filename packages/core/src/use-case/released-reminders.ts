import type { Committed } from './committed.js';
import type { UseCaseContext } from './context.js';

/**
 * Lets the reminders go out that have waited for the room of an appointment, once a commit has activated it (D61).
 *
 * The change itself stands, whatever comes of this: no reminder waits for longer than a minute.
 */
export async function releasedReminders(
  { store, clock, observer, wakeDelivery }: UseCaseContext,
  { before, next }: NonNullable<Committed['change']>,
): Promise<void> {
  if (before.state !== 'SCHEDULED' || next.state !== 'ACTIVATED' || !next.notificationsActive) return;
  try {
    await store.releaseReminders(next.organizationId, next.id, clock.now());
    wakeDelivery();
  } catch (error) {
    observer.observe({ type: 'workerFailed', job: 'releaseReminders', error });
  }
}
