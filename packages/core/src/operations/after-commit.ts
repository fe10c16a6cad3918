import type { Appointment } from '../domain/appointments/appointment.js';
import type { Committed, UseCaseContext } from './context.js';
import { monotonicTime } from '../ports/clock.js';
import { contactChannels } from '../settings/channels.js';
import { setTimeout } from 'node:timers/promises';

/** What follows a commit that stands: it is told, workers are woken, reminders are released, and sends of what it took back are waited for. */
export async function followCommit(context: UseCaseContext, committed: Committed): Promise<void> {
  const { organizationId, event, plansMessages, sending = [], change } = committed;
  if (event !== undefined) context.observer.observe({ type: 'committed', event });
  if (context.takers.size > 0) context.wakes.emit('workers');
  if (plansMessages) context.wakes.emit('delivery');
  if (change !== undefined) await releaseReminders(context, change);
  await waitForSendsInFlight(context, organizationId, async () => [
    ...sending,
    ...(change === undefined ? [] : await sendsWithStaleContent(context, change)),
  ]);
}

/**
 * What an answer waits for that is given again: the call that made the change may have ended before its sends did, with the process
 * or the node that it ran on.
 */
export async function followAnswer(context: UseCaseContext, appointment: Appointment): Promise<void> {
  // Inside a transaction nothing is waited for before its end.
  if (context.heldBack !== undefined) return;
  await waitForSendsInFlight(context, appointment.organizationId, () => sendsOf(context, appointment));
}

/**
 * Lets the reminders go out that have waited for the room of an appointment, once a commit has activated it (D61).
 *
 * The change itself stands, whatever comes of this: no reminder waits for longer than a minute.
 */
async function releaseReminders(
  { store, clock, observer, wakes }: UseCaseContext,
  { before, next }: NonNullable<Committed['change']>,
): Promise<void> {
  if (before.state !== 'SCHEDULED' || next.state !== 'ACTIVATED' || !next.notificationsActive) return;
  try {
    await store.notifications.releaseReminders(next.organizationId, next.id, clock.now());
    wakes.emit('delivery');
  } catch (error) {
    observer.observe({ type: 'workerFailed', job: 'releaseReminders', error });
  }
}

/** As many of one appointment are never sent at a time. */
const maxSends = 100;

/**
 * Messages to customers that are being sent and may have the time or the address of before; asked after the commit.
 *
 * They are not taken back: a worker looks at both once more right before it sends. Who has looked before the commit
 * is sending by now, and is waited for.
 */
async function sendsWithStaleContent(
  context: UseCaseContext,
  { before, next, customers = [] }: NonNullable<Committed['change']>,
): Promise<readonly string[]> {
  const isMoved = next.scheduleVersion !== before.scheduleVersion;
  return isMoved || customers.length > 0 ? sendsOf(context, next) : [];
}

/** Messages to customers of an appointment that are being sent. */
async function sendsOf({ store }: UseCaseContext, appointment: Appointment): Promise<readonly string[]> {
  const { organizationId, applicationId, id: appointmentId, notificationsActive } = appointment;
  if (!notificationsActive) return [];
  const { items } = await store.notifications.list({
    organizationId,
    applicationId,
    appointmentId,
    scope: { kind: 'all' },
    channels: contactChannels,
    statuses: ['PENDING'],
    sortField: 'updatedAt',
    sortOrder: 'desc',
    pageNumber: 1,
    pageSize: maxSends,
  });
  return items.flatMap(({ notification }) => (notification.phase === 'SENDING' ? [notification.id] : []));
}

const lookEvery = 20;

/**
 * Waits until messages that a commit took back while they were being sent have ended, at most `settleWait`.
 *
 * Without it a send could begin after the call that cancelled it has returned: its worker had claimed it before the
 * commit and reaches the provider after it. A store that cannot be asked is asked again meanwhile: it may be one node that
 * died, and the worker's is another; what it failed with is told where it never answers. The change itself stands.
 */
async function waitForSendsInFlight(
  context: UseCaseContext,
  organizationId: string,
  find: () => Promise<readonly string[]>,
): Promise<void> {
  const { store, observer, settleWait } = context;
  const giveUp = monotonicTime() + settleWait;
  let ids: readonly string[] | undefined;
  let fault: { readonly error: unknown } | undefined;
  while (monotonicTime() < giveUp) {
    try {
      ids ??= await find();
      if (ids.length === 0 || (await store.notifications.countSending(organizationId, ids)) === 0) return;
      fault = undefined;
    } catch (error) {
      // Nothing is known of them yet.
      fault = { error };
    }
    await setTimeout(lookEvery);
  }
  if (fault !== undefined) observer.observe({ type: 'workerFailed', job: 'sendsInFlight', error: fault.error });
}
