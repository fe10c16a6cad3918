import { isToldOver } from '../domain/appointments/participants.js';
import { type Appointment, isLive, type Schedule } from '../domain/appointments/appointment.js';
import { activatesAt } from '../domain/appointments/due-steps.js';
import { type Instant, minutes, type NotificationType, seconds } from '@calends/model';
import type { ClaimedNotification, Notification } from '../domain/notifications/notification.js';
import { reasons } from '../domain/notifications/reasons.js';
import { endsAtStart } from '../domain/notifications/notified-events.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import { isContactChannel } from '../settings/channels.js';
import { channels } from './channels/channels.js';
import { isPayloadExpired } from './step.js';

/** What a notification must still fit. */
export interface Occasion {
  readonly notification: Notification;
  /** Absent when the record was removed and nothing of it was kept. */
  readonly appointment: Appointment | undefined;
  readonly settings: NotificationSettings;
  readonly now: Instant;
}

type Rule = (occasion: Occasion, appointment: Appointment) => string | undefined;

const theApplicationSends: Rule = ({ settings }) => (settings.active ? undefined : reasons.switchedOff);

const theChannelIsConfigured: Rule = ({ notification: { channel, addressee }, settings }) =>
  channels[channel].refusal(settings, addressee);

/** An appointment that has ended wants to be told as ended, and nothing else (D53). */
const anEndedAppointmentTellsItsEndAlone: Rule = ({ notification: { type } }, appointment) => {
  if (isLive(appointment) || type === 'CANCELLED' || type === 'FAILED') return undefined;
  return appointment.state === 'ABORTED' ? reasons.appointmentAborted : reasons.appointmentCancelled;
};

const timedOnesBelongToTheirSchedule: Rule = ({ notification }, appointment) =>
  notification.scheduledFor !== undefined && notification.scheduleVersion !== appointment.scheduleVersion
    ? reasons.rescheduled
    : undefined;

const customersTakePart: Rule = ({ notification: { addressee } }, appointment) =>
  addressee.type !== 'CUSTOMER' || appointment.participants.some(({ id }) => id === addressee.id)
    ? undefined
    : reasons.participantLeft;

/** Who booked for others does not make them be written to (D62). */
const unconfirmedCustomersAreNotTold: Rule = ({ notification: { addressee, channel } }, { participants }) => {
  if (addressee.type !== 'CUSTOMER' || !isContactChannel(channel)) return undefined;
  const customer = participants.find(({ id }) => id === addressee.id);
  return customer === undefined || isToldOver(customer, channel) ? undefined : reasons.customerUnconfirmed;
};

const remindersPrecedeTheMeeting: Rule = ({ notification: { type } }, { interaction }) =>
  type !== 'REMINDER' || ['PENDING', 'INITIATED', 'FAILED'].includes(interaction.state) ? undefined : reasons.underWay;

/** A follow-up is for customers who joined (D49). */
const followUpsAreForThoseWhoJoined: Rule = ({ notification: { type, addressee } }, appointment) => {
  if (type !== 'FOLLOW_UP') return undefined;
  const { state, initiatedBy } = appointment.interaction;
  const ran = state === 'IN_PROGRESS' || state === 'COMPLETED';
  const opener = appointment.participants.find(({ id, type: kind }) => kind === 'CUSTOMER' && id === initiatedBy?.id);
  const joined = opener === undefined || addressee.type !== 'CUSTOMER' ? ran : ran && opener.id === addressee.id;
  return joined ? undefined : reasons.notJoined;
};

/** Reminders and invitations end at the start, what announces an appointment at its end (D54). */
const itIsNotOver: Rule = ({ notification, now }, { schedule }) => {
  const { type, channel } = notification;
  const announces = type === 'CREATE' || type === 'RESCHEDULE';
  const over = endsAtStart(notification.type)
    ? now >= schedule.start
    : isContactChannel(channel) && announces && now >= schedule.end;
  return over ? reasons.missed : undefined;
};

const whatWasRemovedIsToldSoon: Rule = ({ notification, now }) =>
  isPayloadExpired(notification, now) ? reasons.missed : undefined;

/** How late a first attempt may begin (D55). */
const theFirstAttemptIsInTime: Rule = ({ notification, settings: { lateness }, now }) => {
  if (notification.attempts > 1 || notification.manualRetries > 0) return undefined;
  const { type, scheduledFor, createdAt } = notification;
  const setting = latenessSettings[type];
  const late = now - (scheduledFor ?? createdAt);
  return setting !== undefined && late > lateness[setting] ? reasons.missed : undefined;
};

const latenessSettings: Partial<Readonly<Record<NotificationType, keyof NotificationSettings['lateness']>>> = {
  REMINDER: 'reminder',
  ROOM: 'room',
  FOLLOW_UP: 'followUp',
};

const always: readonly Rule[] = [
  theApplicationSends,
  theChannelIsConfigured,
  anEndedAppointmentTellsItsEndAlone,
  timedOnesBelongToTheirSchedule,
  customersTakePart,
  unconfirmedCustomersAreNotTold,
  // Before what the interaction says: what was missed in an outage is counted as missed (D55).
  itIsNotOver,
  whatWasRemovedIsToldSoon,
  remindersPrecedeTheMeeting,
  followUpsAreForThoseWhoJoined,
];

const beforeSending: readonly Rule[] = [...always, theFirstAttemptIsInTime];

/** Why a notification is not to be sent any more, `undefined` when it is; asked right before each attempt (D56). */
export function reasonAgainstSending(occasion: Occasion): string | undefined {
  return firstReason(occasion, beforeSending);
}

/** The same for a retry by hand, which is late by its nature (D53). */
export function reasonAgainstRetrying(occasion: Occasion): string | undefined {
  return firstReason(occasion, always);
}

function firstReason(occasion: Occasion, rules: readonly Rule[]): string | undefined {
  const { appointment } = occasion;
  if (appointment === undefined) return reasons.appointmentRemoved;
  for (const rule of rules) {
    const reason = rule(occasion, appointment);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** How long after a notification was planned the settings that another process has may be those of before. */
const maxSettingsLag = minutes(5);
const settingsPause = seconds(10);
/** Not that notifications are switched off: then nothing more is sent (D12). */
const unknownHere: ReadonlySet<string> = new Set([reasons.channelOff, reasons.endpointUnknown]);

/**
 * Until when a notification is to wait that was refused for this reason; `undefined` = it ends now.
 *
 * Who planned it knew of its channel and its endpoint. Where processes are replaced one by one, or remember what a source of
 * settings said, another one may not know of them yet, and must not end what the next one sends.
 */
export function waitsForSettingsUntil({ createdAt }: Notification, reason: string, now: Instant): Instant | undefined {
  const until = createdAt + maxSettingsLag;
  if (now >= until || !unknownHere.has(reason)) return undefined;
  return Math.min(until, now + settingsPause);
}

/** How long a room may take to open and hold up the reminders of that time (D61). */
const maxWait = seconds(60);

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
  return Math.max(scheduledFor, Math.min(activation + maxWait, latest));
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
