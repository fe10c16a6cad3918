import type { Instant } from '@calends/model';
import type { Caller } from '../../domain/calls/caller.js';
import type { AuditEntry } from '../../domain/audit/audit-entry.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import type { NotificationEvent, NotificationStatus } from '../../domain/notifications/notification-status.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';

/** Who asks for a one-time password (D44). */
export interface RequestOtpCommand {
  readonly applicationId: string;
  /** E-mail address, E.164 phone number, or a user name that the host's customer directory knows. */
  readonly username: string;
  /** Language of the message. Default: the customer's, else the application's. */
  readonly locale?: string | undefined;
  /** Where the request comes from: requests from one address leave room for those from others (D66). Default: nobody knows. */
  readonly source?: string | undefined;
}

/** Whose manage link. */
export interface ManageLinkQuery {
  readonly appointmentId: string;
  /** Participant id of the customer. */
  readonly participantId: string;
}

/** Input of `issueManageLink`. */
export interface IssueManageLinkCommand extends ManageLinkQuery {
  /** ISO 8601; default: a day after the appointment's end, also when it is moved. */
  readonly expiresAt?: string | undefined;
}

/** A link that lets a customer see, move and cancel one appointment (D42, D45). */
export interface ManageLink {
  /** The code in the link; exchanged for a bearer token. */
  readonly code: string;
  /** The customer page with the code in its fragment; absent without `managePageUrl`. */
  readonly url?: string | undefined;
  /** Claims for hosts that issue customers' tokens themselves (D40). */
  readonly ticketId: string;
  readonly customerManageToken: string;
  readonly expiresAt: Instant;
}

/** What a manage link was exchanged for. */
export interface CustomerSession {
  /** Bearer token of ROLE_CUSTOMER for this appointment only. */
  readonly token: string;
  readonly expiresAt: Instant;
  readonly appointmentId: string;
  /** The verified caller that the token stands for. */
  readonly caller: Caller;
}

/** Whose personal data: one customer of one appointment, or everybody with one of these addresses. */
export type CustomerSelection = ManageLinkQuery | Pick<CustomerProfile, 'username' | 'primaryEmail' | 'primaryPhone'>;

/** What is held about one customer of one appointment. */
export interface CustomerRecord {
  readonly profile: CustomerProfile;
  /** As this customer may see it. */
  readonly appointment: Appointment;
  readonly notifications: readonly NotificationStatus[];
  readonly deliveryEvents: readonly NotificationEvent[];
  /** What the customer did, and what was done to their data. */
  readonly audit: readonly AuditEntry[];
}

/** Everything that is held about a customer. */
export interface CustomerExport {
  readonly exportedAt: Instant;
  readonly records: readonly CustomerRecord[];
}
