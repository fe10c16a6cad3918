import type { Instant } from '@calends/model';
import type { AccessGrant, Schedule } from '../domain/appointments/appointment.js';

/** What a room is opened or described for. */
export interface AccessSubject {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly appointmentId: string;
  readonly schedule: Schedule;
  /** How long before the start its application opens it for joining, in milliseconds (D18, D41). */
  readonly leadTime: number;
}

/** Result of opening a room; `refused` is final and aborts the appointment (D15). */
export type RoomOpening =
  | { readonly status: 'opened'; readonly grant: AccessGrant }
  | { readonly status: 'refused'; readonly reason: string };

/** What answers show of an activated appointment. */
export interface AccessDetails {
  /** v2 `secureToken`. */
  readonly secureToken: string;
  /** v1 `roomAccess.url`. Messages and calendar files have it as a link where it is an http or https address. */
  readonly roomUrl: string;
  /** v1 `roomAccess.expires`. */
  readonly expires: Instant;
}

/** Opens rooms and derives access details (D41). */
export interface AccessProvider {
  /**
   * True when the conference id is always the appointment's own id, which lets a wrong join claim be refused
   * without a look-up.
   */
  readonly conferenceIsAppointment: boolean;
  /**
   * Opens the room of an appointment, or answers the one that is open already.
   *
   * Must be idempotent by `appointmentId`: a process that dies between this call and the commit, or two
   * processes activating at once, lead to a second call. A rejection means "try again later".
   */
  openRoom(subject: AccessSubject): Promise<RoomOpening>;
  /**
   * Derives the details from the stored grant and the present schedule; called for every answer.
   *
   * Where it throws, rejects or answers anything else, the answer goes without them, and the observer is told: the change is committed by then.
   */
  details(grant: AccessGrant, subject: AccessSubject): Promise<AccessDetails> | AccessDetails;
}
