import { type AppointmentState, type Instant, liveAppointmentStates, type PartyType } from '@calends/model';
import type { ContactChannel } from '../../settings/channels.js';
import type { Interaction } from './interaction.js';

/** Someone who takes part: an agent by agent id, a customer by an id that the library made. */
export interface Participant {
  readonly id: string;
  readonly type: PartyType;
  /**
   * Customers only: keyed hash of who the customer is across appointments, for the overlap guard (D26).
   * Never part of an answer.
   */
  readonly identity?: string | undefined;
  /**
   * False for customers of a customer-create until staff confirms them: they are written to over `toldOver` only (D62).
   * Absent = confirmed. Never part of an answer over HTTP.
   */
  readonly confirmed?: false | undefined;
  /** Beside `confirmed: false`: channels whose address was proven. Absent = none. */
  readonly toldOver?: readonly ContactChannel[] | undefined;
}

/** When an appointment takes place. */
export interface Schedule {
  readonly start: Instant;
  /** start + duration; derived once, so that stores can index it. */
  readonly end: Instant;
  /** IANA name, as given with letter case corrected (D5). */
  readonly timezone: string;
}

/** What joining an activated appointment needs, as kept with it; details are derived from it (D41). */
export interface AccessGrant {
  /** Not empty, at most 1,024 characters. */
  readonly conferenceId: string;
  /** Address of the room, at most 16,000 characters; survives a reschedule (spec: States, last row). */
  readonly roomUrl: string;
}

/** Who cancelled, when and why (D17). */
export interface Cancellation {
  readonly at: Instant;
  readonly by: string;
  readonly reason?: string | undefined;
}

/** The service of an appointment, and what it took from it when it was booked. */
export interface BookedService {
  readonly id: string;
  /** Ids of the resources that it takes; never part of an answer over HTTP. */
  readonly resources: readonly string[];
  /** Free time kept around it, in milliseconds. */
  readonly buffers: { readonly before: number; readonly after: number };
}

/** Free-form JSON object (spec: Appointment, `metadata`). */
export type Metadata = Readonly<Record<string, unknown>>;

/** Fields that every state has. */
export interface AppointmentFields {
  readonly id: string;
  readonly organizationId: string;
  readonly applicationId: string;
  /** Raised by one with every commit; the optimistic lock and the ETag. */
  readonly version: number;
  /** Raised by one with every changed schedule; SEQUENCE of calendar files. */
  readonly scheduleVersion: number;
  readonly title: string;
  readonly notes: string;
  readonly metadata: Metadata;
  /** Canonical BCP 47. */
  readonly locale: string;
  readonly schedule: Schedule;
  readonly notificationHeaders: Readonly<Record<string, string>>;
  /** Who wrote the headers last, where that was a customer (D63); absent = staff. Never part of an answer. */
  readonly notificationHeadersBy?: 'CUSTOMER' | undefined;
  /** Snapshot of the application's switch at creation (D12). */
  readonly notificationsActive: boolean;
  readonly organizer: Participant;
  readonly participants: readonly Participant[];
  readonly targetAssignment?: Participant | undefined;
  /** What it was booked with; absent = without a service. */
  readonly service?: BookedService | undefined;
  readonly interaction: Interaction;
  /** How often customers moved it, or had it told in another language (D21). */
  readonly customerReschedules: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Made, not yet activated. */
export interface ScheduledAppointment extends AppointmentFields {
  readonly state: 'SCHEDULED';
}

/** Open for joining. */
export interface ActivatedAppointment extends AppointmentFields {
  readonly state: 'ACTIVATED';
  readonly activatedAt: Instant;
  readonly access: AccessGrant;
}

/** Cancelled and retained. */
export interface CancelledAppointment extends AppointmentFields {
  readonly state: 'CANCELLED';
  readonly cancellation: Cancellation;
  readonly access?: AccessGrant | undefined;
}

/** Ended by a failure at run time and retained (D15). */
export interface AbortedAppointment extends AppointmentFields {
  readonly state: 'ABORTED';
  readonly abortedAt: Instant;
  readonly abortReason: string;
  readonly access?: AccessGrant | undefined;
}

/** An appointment in one of its states. */
export type Appointment = ScheduledAppointment | ActivatedAppointment | CancelledAppointment | AbortedAppointment;

/** An appointment that can still take place. */
export type LiveAppointment = ScheduledAppointment | ActivatedAppointment;

/**
 * Tells whether an appointment is neither cancelled nor aborted.
 *
 * It is what lists of windows count (D27, D29), also where the interaction is over: COMPLETED and NO_SHOW appointments are
 * live. Whether it stands in anybody's way is the narrower question of {@link blocksTime}.
 */
export function isLive(appointment: Appointment): appointment is LiveAppointment {
  return liveAppointmentStates.some((state) => state === appointment.state);
}

/** Whether it took place or was missed: nothing is left to cancel (D16). */
export function isConcluded({ interaction: { state } }: Appointment): boolean {
  return state === 'COMPLETED' || state === 'NO_SHOW';
}

/** The id that a join claim must carry: the access provider's, else the appointment's own (D43). */
export function conferenceIdOf(appointment: Appointment): string {
  return appointment.state === 'SCHEDULED' ? appointment.id : (appointment.access?.conferenceId ?? appointment.id);
}

/** By what lists and counts find an appointment; a store that keeps counts takes it away from these. */
export interface CountedPlace {
  readonly applicationId: string;
  readonly start: Instant;
  /** Milliseconds. */
  readonly duration: number;
  readonly state: AppointmentState;
}

/** Where an appointment is counted as it stands. */
export const countedPlace = ({ applicationId, schedule, state }: Appointment): CountedPlace => ({
  applicationId,
  start: schedule.start,
  duration: schedule.end - schedule.start,
  state,
});
