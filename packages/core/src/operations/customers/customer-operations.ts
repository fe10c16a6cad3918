import type { Instant } from '@calends/model';
import type { Caller } from '../../domain/calls/caller.js';
import type { AuditEntry } from '../../domain/audit/audit-entry.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import type { CallOptions } from '../call-options.js';
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
export type CustomerSelection =
  | ManageLinkQuery
  | {
      readonly username?: string | undefined;
      readonly primaryEmail?: string | undefined;
      readonly primaryPhone?: string | undefined;
    };

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

/** Proofs and personal data of customers. */
export interface CustomerOperations {
  /**
   * Sends a one-time password, if it may and can: not sooner than 60 s after the last, at most 5 in an hour asked for from
   * one address and 20 from all (D44, D66). One that the notifier refused, or that found no place to wait, does not count.
   *
   * Resolves the same way, after the same work, whether the user name is known or not; nothing is written for an application
   * that sends no codes. Rejects with
   * `validation_failed` for what no user name can be, and with a `StoreError` when it cannot be recorded: limits
   * fail closed.
   */
  requestOtp(command: RequestOtpCommand): Promise<void>;
  /**
   * Issues a manage link; an earlier one of this customer ends (D42, D45).
   *
   * Rejects like `update`, and with `validation_failed` when the participant is not a customer of the appointment,
   * `invalid_state` when it was cancelled or aborted.
   */
  issueManageLink(caller: Caller, command: IssueManageLinkCommand, options?: CallOptions): Promise<ManageLink>;
  /** Ends the manage link of a customer; does nothing when there is none. Rejects like `update`. */
  revokeManageLink(caller: Caller, query: ManageLinkQuery, options?: CallOptions): Promise<void>;
  /** Exchanges the code of a link for a bearer token (D45); rejects with `stale_ticket` for whatever is not valid. */
  exchangeManageLink(code: string, options?: Pick<CallOptions, 'correlationId' | 'source'>): Promise<CustomerSession>;
  /**
   * Ends the session of a token of `exchangeManageLink`, and every other one of the same link: no copy of theirs opens anything
   * any more. The link stands. Does nothing for a token that is not valid (any more).
   */
  endSession(token: string): Promise<void>;
  /** The caller that a token of `exchangeManageLink` stands for, or `undefined`; whether its ticket is still current is asked by each operation. */
  verifyCustomerToken(token: string): Caller | undefined;
  /**
   * Removes the personal data of customers: profiles, identities, links, waiting messages (decisions, section 9).
   *
   * For supervisors and client services, else `forbidden`. Safe to repeat. Answers for how many customers of
   * appointments data was removed now.
   */
  erase(caller: Caller, selection: CustomerSelection, options?: CallOptions): Promise<number>;
  /** Everything that is held about customers; for supervisors and client services, else `forbidden`. */
  export(caller: Caller, selection: CustomerSelection, options?: CallOptions): Promise<CustomerExport>;
}
