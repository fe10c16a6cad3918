import type { Appointment, Schedule } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import { seconds } from '../appointments/time-units.js';
import { activatesAt } from '../appointments/wake-up.js';
import type { ClaimedNotification } from '../ports/notification-store.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { NotificationSettings } from '../settings/notification-settings.js';

/** How long a room may take to open and hold up the reminders of that time (D61). */
const longestWait = seconds(60);

/** A reminder that may have to wait. */
interface Waiting {
  readonly scheduledFor: Instant;
  readonly schedule: Schedule;
  readonly settings: Pick<NotificationSettings, 'lateness'>;
}

/**
 * When a planned reminder is to be claimed: at its own time, or, when its appointment is due to be activated then, once the
 * room had its time to open. The activation releases it (`NotificationStore.releaseReminders`).
 */
export function reminderDueAt({ scheduledFor, schedule, settings }: Waiting, activation: Instant | undefined): Instant {
  if (activation === undefined || activation > scheduledFor) return scheduledFor;
  // Early enough for it to go out in time all the same (D55).
  const tooLate = Math.min(scheduledFor + settings.lateness.reminder, schedule.start);
  const latest = scheduledFor + Math.floor((tooLate - scheduledFor) / 2);
  return Math.max(scheduledFor, Math.min(activation + longestWait, latest));
}

/**
 * Until when a claimed reminder is to wait after all, as the settings have it by now; `undefined` = it waits no more.
 *
 * What was planned under other settings, or by a program of before, may have been due too soon.
 */
export function waitsForRoomUntil(
  { notification: { type, scheduledFor }, found }: ClaimedNotification,
  appointment: Appointment | undefined,
  settings: ApplicationSettings,
  now: Instant,
): Instant | undefined {
  if (type !== 'REMINDER' || found !== 'READY') return undefined;
  if (scheduledFor === undefined || appointment === undefined) return undefined;
  const waiting = { scheduledFor, schedule: appointment.schedule, settings: settings.notifications };
  const until = reminderDueAt(waiting, activatesAt(appointment, settings));
  return until > now ? until : undefined;
}
