import type { Appointment, Schedule } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import { seconds } from '../appointments/time-units.js';
import { dueStep } from '../appointments/wake-up.js';
import type { ClaimedNotification } from '../ports/notification-store.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { NotificationSettings } from '../settings/notification-settings.js';

/** How long a reminder waits at most for the room of its appointment (D61). */
const longestWait = seconds(60);

/** A reminder that may have to wait. */
interface Waiting {
  readonly scheduledFor: Instant;
  readonly schedule: Schedule;
  readonly settings: Pick<NotificationSettings, 'lateness'>;
}

/** The end of a wait that begins at a time: early enough for the reminder to go out in time all the same (D55). */
function endOfWait(from: Instant, { scheduledFor, schedule, settings: { lateness } }: Waiting): Instant {
  const tooLate = Math.min(scheduledFor + lateness.reminder, schedule.start);
  return Math.min(from + longestWait, scheduledFor + Math.floor((tooLate - scheduledFor) / 2));
}

/**
 * When a planned reminder is to be claimed: at its own time, or later when its appointment is due to be activated then.
 * The activation releases it (`NotificationStore.releaseReminders`).
 */
export function reminderDueAt(waiting: Waiting, activatesAt: Instant | undefined): Instant {
  const { scheduledFor } = waiting;
  if (activatesAt === undefined || activatesAt > scheduledFor) return scheduledFor;
  return Math.max(scheduledFor, endOfWait(activatesAt, waiting));
}

/**
 * Until when a claimed reminder is to wait after all: the settings have changed since it was planned, or nobody has
 * worked for a while, so that its appointment is still due to be activated. `undefined` = it waits no more.
 */
export function waitsForRoomUntil(
  { notification: { type, scheduledFor }, found, dueAt }: ClaimedNotification,
  appointment: Appointment | undefined,
  settings: ApplicationSettings,
  now: Instant,
): Instant | undefined {
  // One that was due later than planned has waited.
  const isFirst = type === 'REMINDER' && found === 'READY' && scheduledFor !== undefined && dueAt <= scheduledFor;
  if (!isFirst || appointment === undefined || dueStep(appointment, settings, now) !== 'activate') return undefined;
  const { schedule } = appointment;
  const until = endOfWait(now, { scheduledFor, schedule, settings: settings.notifications });
  return until > now ? until : undefined;
}
