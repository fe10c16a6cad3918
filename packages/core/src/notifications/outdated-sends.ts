import type { Appointment } from '../appointments/appointment.js';
import type { CustomerProfile } from '../customers/profile.js';
import type { UseCaseContext } from '../use-case/context.js';

/** As many of one appointment are never sent at a time. */
const most = 100;

/**
 * Messages to customers that are being sent and may have the time or the address of before; asked after the commit.
 *
 * They are not taken back: a worker looks at both once more right before it sends. Who has looked before the commit
 * is sending by now, and is waited for. A store that cannot be asked makes no change fail that stands.
 */
export async function outdatedSends(
  { store, settleWait }: UseCaseContext,
  before: Appointment,
  { next, customers = [] }: { readonly next: Appointment; readonly customers?: readonly CustomerProfile[] | undefined },
): Promise<readonly string[]> {
  const isMoved = next.scheduleVersion !== before.scheduleVersion;
  if (settleWait === 0 || !next.notificationsActive || !(isMoved || customers.length > 0)) return [];
  try {
    const { items } = await store.listNotifications({
      organizationId: next.organizationId,
      applicationId: next.applicationId,
      appointmentId: next.id,
      scope: { kind: 'all' },
      channels: ['EMAIL', 'SMS'],
      statuses: ['PENDING'],
      sortField: 'updatedAt',
      sortOrder: 'desc',
      pageNumber: 1,
      pageSize: most,
    });
    return items.flatMap(({ notification }) => (notification.phase === 'SENDING' ? [notification.id] : []));
  } catch {
    return [];
  }
}
