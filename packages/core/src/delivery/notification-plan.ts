import { type Instant, lastInstant, type NotificationType } from '@calends/model';
import { type Appointment, isConcluded, isLive } from '../domain/appointments/appointment.js';
import type { DomainEvent } from '../domain/appointments/events.js';
import { isToldOver, withoutIdentities } from '../domain/appointments/participants.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import type { NotificationCancellation, NotificationChanges } from '../ports/store/notifications.js';
import { channelFacts, type ContactChannel, contactChannels, endpointChannel } from '../settings/channels.js';
import type { NotificationSettings, WebhookEndpoint } from '../settings/notification-settings.js';
import {
  type Addressee,
  dedupeKeyOf,
  eventOf,
  type Notification,
  type NotificationWrite,
} from '../domain/notifications/notification.js';
import type { Payload } from './step.js';
import { notificationTypeOf, tellsCustomers, timedTypes } from '../domain/notifications/notified-events.js';
import { reasons } from '../domain/notifications/reasons.js';
import { reminderDueAt } from './wanted.js';

/** What a plan is made from. */
export interface PlanSubject {
  readonly event: DomainEvent;
  /** After the change; of a removal, the last state. */
  readonly appointment: Appointment;
  /** Before the change; absent when the appointment is new. */
  readonly previous?: Appointment | undefined;
  readonly settings: NotificationSettings;
  /** When the appointment is activated by itself, as it is after the change; absent = it is already, or not by itself. */
  readonly activatesAt?: Instant | undefined;
  /** Profiles as stored before the change. */
  readonly customers: readonly CustomerProfile[];
  /** Profiles that the same commit writes. */
  readonly changedCustomers?: readonly CustomerProfile[] | undefined;
  readonly nextId: () => string;
}

/**
 * What an event means for notifications: which rows are taken back, which are new (D49, D55, D56).
 *
 * Pure. An appointment that was made while notifications were off has none (D12); an offset that has passed makes no
 * row.
 */
export function notificationPlan(subject: PlanSubject): NotificationChanges | undefined {
  const { appointment, settings } = subject;
  if (!appointment.notificationsActive) return undefined;
  const cancel = cancellations(subject);
  const add = settings.active ? additions(subject) : [];
  if (cancel.length === 0 && add.length === 0) return undefined;
  return { cancel, add };
}

/** Tells whether a plan for such an event needs the stored profiles. */
export function planNeedsCustomers(event: DomainEvent, settings: NotificationSettings): boolean {
  const type = notificationTypeOf(event);
  // What a lost address takes back is taken back also while nobody is told: it would wait beside what is planned later.
  if (type === 'UPDATE' || type === 'PARTICIPANT_UPDATED') return true;
  if (!settings.active || !contactChannels.some((channel) => isOn(channel, settings))) return false;
  return (type !== undefined && tellsCustomers(type)) || type === 'PARTICIPANT_ADDED';
}

function isOn(channel: ContactChannel, settings: NotificationSettings): boolean {
  return settings[channelFacts[channel].key] !== undefined;
}

function cancellations(subject: PlanSubject): readonly NotificationCancellation[] {
  const { event, appointment } = subject;
  const base = {
    appointmentId: appointment.id,
    at: event.occurredAt,
    messageIfTaken: reasons.sentBeforeCancellation,
  };
  switch (event.type) {
    case 'APCancelledEvent':
      return [{ ...base, message: reasons.appointmentCancelled }];
    case 'APDeletedEvent': {
      const removed = event.data.removed === true;
      return [{ ...base, message: removed ? reasons.appointmentRemoved : reasons.appointmentCancelled }];
    }
    case 'APAbortedEvent':
      return [{ ...base, message: reasons.appointmentAborted }];
    case 'APRescheduledEvent':
      return isMoved(subject)
        ? [
            { ...base, types: timedTypes, message: reasons.rescheduled },
            // Customers hear of the newest schedule only; subscribers get every event.
            { ...base, types: ['RESCHEDULE'], channels: contactChannels, message: reasons.rescheduled },
          ]
        : [];
    case 'APParticipantRemovedEvent': {
      const { participantId } = event.data;
      return participantId === undefined
        ? []
        : [{ ...base, addresseeId: participantId, message: reasons.participantLeft }];
    }
    case 'APUpdatedEvent':
    case 'APParticipantUpdatedEvent':
      return changedReach(subject)
        .filter(({ lost }) => lost.length > 0)
        .map(({ customer, lost }) => ({
          ...base,
          types: timedTypes,
          channels: lost,
          addresseeId: customer.participantId,
          message: reasons.contactChanged,
        }));
    default:
      return [];
  }
}

function additions(subject: PlanSubject): readonly NotificationWrite[] {
  const { event, settings, previous } = subject;
  const everybody = reached(subject, profilesAfter(subject));
  const rows: NotificationWrite[] = [];
  const type = notificationTypeOf(event);
  if (type !== undefined) {
    // The removal of what is cancelled, took place or was missed cancels nothing.
    const isSilent =
      event.data.removed === true && previous !== undefined && (!isLive(previous) || isConcluded(previous));
    if (tellsCustomers(type) && !isSilent) rows.push(...toCustomers(subject, type, everybody));
    rows.push(...toEndpoints(subject, type, settings.webhooks));
  }
  if (event.type === 'APCreatedEvent' || isMoved(subject)) {
    rows.push(...timed(subject, everybody, settings.webhooks));
  } else if (event.type === 'APParticipantAddedEvent') {
    rows.push(...timed(subject, reached(subject, subject.changedCustomers ?? []), []));
  } else if (event.type === 'APUpdatedEvent' || event.type === 'APParticipantUpdatedEvent') {
    rows.push(...timed(subject, changedReach(subject), []));
  }
  return rows;
}

function isMoved({ event, appointment, previous }: PlanSubject): boolean {
  return event.type === 'APRescheduledEvent' && appointment.scheduleVersion !== previous?.scheduleVersion;
}

/** Profiles of those who take part after the change. */
function profilesAfter({ appointment, customers, changedCustomers = [] }: PlanSubject): readonly CustomerProfile[] {
  const changed = new Map(changedCustomers.map((profile) => [profile.participantId, profile]));
  const unchanged = customers.filter(({ participantId }) => !changed.has(participantId));
  const takingPart = new Set(appointment.participants.map(({ id }) => id));
  return [...unchanged, ...changed.values()].filter(({ participantId }) => takingPart.has(participantId));
}

/** Channels over which a customer is told: those that they have an address for, as far as it may be written to (D62). */
function reachOf(appointment: Appointment, profile: CustomerProfile | undefined): readonly ContactChannel[] {
  const participant = appointment.participants.find(({ id }) => id === profile?.participantId);
  if (participant === undefined) return [];
  return contactChannels.filter(
    (channel) => profile?.[channelFacts[channel].address.profile] && isToldOver(participant, channel),
  );
}

/** A customer, and the channels over which they are told. */
interface Told {
  readonly customer: CustomerProfile;
  readonly channels: readonly ContactChannel[];
}

/** Each over every channel that reaches them. */
function reached({ appointment }: PlanSubject, customers: readonly CustomerProfile[]): readonly Told[] {
  return customers.map((customer) => ({ customer, channels: reachOf(appointment, customer) }));
}

/**
 * Over which channels customers are told from now on (`channels`), and over which no more.
 *
 * Channels that stay are in neither: a message that is due there and waits could not be planned again, and the address itself
 * is read when it is sent to.
 */
function changedReach(subject: PlanSubject): readonly (Told & { readonly lost: readonly ContactChannel[] })[] {
  const { previous, customers } = subject;
  return reached(subject, profilesAfter(subject)).map(({ customer, channels }) => {
    const stored = customers.find(({ participantId }) => participantId === customer.participantId);
    const before = previous === undefined ? [] : reachOf(previous, stored);
    const lost = before.filter((channel) => !channels.includes(channel));
    return { customer, channels: channels.filter((channel) => !before.includes(channel)), lost };
  });
}

/** What is planned of one message. */
type Planned = Pick<Notification, 'type' | 'channel' | 'addressee' | 'offset' | 'scheduledFor'>;
type Timing = Pick<Notification, 'offset' | 'scheduledFor'>;

function timed(
  subject: PlanSubject,
  customers: readonly Told[],
  endpoints: readonly WebhookEndpoint[],
): readonly NotificationWrite[] {
  const { event, appointment, settings } = subject;
  const { start, end } = appointment.schedule;
  const dueTimes = [
    ...settings.reminders.map((offset) => ({ type: 'REMINDER' as const, offset, scheduledFor: start - offset })),
    ...settings.followUps.map((offset) => ({
      type: 'FOLLOW_UP' as const,
      offset,
      // Later is no year that could be answered (D3).
      scheduledFor: Math.min(end + offset, lastInstant),
    })),
  ];
  return dueTimes
    .filter(({ scheduledFor }) => scheduledFor > event.occurredAt)
    .flatMap(({ type, ...timing }) => [
      ...toCustomers(subject, type, customers, timing),
      ...toEndpoints(subject, type, endpoints, timing),
    ]);
}

function toCustomers(
  subject: PlanSubject,
  type: NotificationType,
  customers: readonly Told[],
  timing?: Timing,
): readonly NotificationWrite[] {
  return customers.flatMap(({ customer, channels }) => {
    const addressee: Addressee = { type: 'CUSTOMER', id: customer.participantId };
    return channels
      .filter((channel) => isOn(channel, subject.settings))
      .map((channel) => row(subject, { type, channel, addressee, ...timing }, customer));
  });
}

function toEndpoints(
  subject: PlanSubject,
  type: NotificationType,
  endpoints: readonly WebhookEndpoint[],
  timing?: Timing,
): readonly NotificationWrite[] {
  return endpoints
    .filter(({ types }) => types === undefined || types.includes(type))
    .map(({ id, label }) => {
      const addressee: Addressee = { type: 'SYSTEM', id, label };
      return row(subject, { type, channel: endpointChannel, addressee, ...timing });
    });
}

/** When a worker is to look at a new row: at once, at its time, or once the room of its appointment had time to open (D61). */
function wakeAtOf({ event, appointment, settings, activatesAt }: PlanSubject, planned: Planned): Instant {
  const { type, scheduledFor = event.occurredAt } = planned;
  if (type !== 'REMINDER') return scheduledFor;
  return reminderDueAt({ scheduledFor, schedule: appointment.schedule, settings }, activatesAt);
}

function row(subject: PlanSubject, planned: Planned, customer?: CustomerProfile): NotificationWrite {
  const { event, appointment, nextId } = subject;
  const { organizationId, applicationId, id: sourceEventId, occurredAt } = event;
  const { scheduleVersion, id: appointmentId } = appointment;
  const { type, channel, addressee, offset, scheduledFor } = planned;
  const next: Notification = {
    id: nextId(),
    organizationId,
    applicationId,
    appointmentId,
    sourceEventId,
    scheduleVersion,
    // One by one: an object that is spread into the middle of a wide one is slow to make, and slow to read.
    type,
    channel,
    addressee,
    offset,
    scheduledFor,
    dedupeKey: dedupeKeyOf({ appointmentId, scheduleVersion, type, channel, addressee, offset, sourceEventId }),
    createdAt: occurredAt,
    phase: 'READY',
    status: 'INITIALIZED',
    wakeAt: wakeAtOf(subject, planned),
    revision: 1,
    eventCount: 1,
    updatedAt: occurredAt,
    attempts: 0,
    manualRetries: 0,
    lostClaims: 0,
    unknownOutcomes: 0,
    pollAttempts: 0,
    message: reasons.planned,
    kept: keptOf(subject, customer),
  };
  return { next, events: [eventOf(next, next.eventCount, occurredAt)] };
}

/** What a new row keeps for its attempts. */
function keptOf({ event, appointment }: PlanSubject, customer: CustomerProfile | undefined): string | undefined {
  const { traceParent, removed } = event.data;
  if (removed !== true && traceParent === undefined) return undefined;
  // What recognises the other customers is none of this message's.
  const last = removed === true ? { appointment: withoutIdentities(appointment), customer } : {};
  const kept: Payload = { traceParent, ...last };
  return JSON.stringify(kept);
}
