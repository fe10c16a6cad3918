import type { NotificationType } from '@calends/model';
import type { WebhookEndpoint } from '../../settings/notification-settings.js';

/** What every message says of itself. */
export interface MessageContext {
  /** The notification's id: the same for every attempt (D56). Of a one-time password, that of its challenge; of a test its own. */
  readonly notificationId: string;
  readonly organizationId: string;
  readonly applicationId: string;
  /** Absent for one-time passwords and tests. */
  readonly appointmentId?: string | undefined;
  /** TEST: a call by hand to see whether a web hook endpoint takes calls (D78). */
  readonly type: NotificationType | 'ONE_TIME_PASSWORD' | 'TEST';
}

/** A calendar file for a mail (RFC 5545; decisions, section 9). */
export interface CalendarFile {
  readonly method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
  /** The whole file, with the same METHOD in it. */
  readonly content: string;
}

/** A mail, rendered; nothing in it needs escaping any more. */
export interface EmailMessage extends MessageContext {
  readonly channel: 'EMAIL';
  /** An address, or a name with an address in angle brackets, as the application has it. */
  readonly from: string;
  readonly to: { readonly name?: string | undefined; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Canonical BCP 47 tag of the texts. */
  readonly locale: string;
  /** With CREATE, RESCHEDULE and CANCELLED. */
  readonly calendar?: CalendarFile | undefined;
}

/** A text message, rendered. */
export interface SmsMessage extends MessageContext {
  readonly channel: 'SMS';
  readonly from: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/**
 * A call of a web hook.
 *
 * `body` is made at the first attempt and kept with its outcome, so that each further one signs the same bytes (D59). When
 * a worker dies in the first attempt nothing was kept: the next one makes it again, from the appointment as it is then.
 */
export interface WebhookMessage extends MessageContext {
  readonly channel: 'WEBHOOKS';
  readonly endpoint: WebhookEndpoint;
  readonly body: string;
  /** Those of the appointment's `notificationHeaders` that are forwarded (D63); checked once more before they are sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** When this attempt is made, epoch seconds; goes into the signature. */
  readonly timestamp: number;
}
