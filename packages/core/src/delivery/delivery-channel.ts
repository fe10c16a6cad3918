import type { Instant, NotificationChannel } from '@calends/model';
import type { Appointment } from '../domain/appointments/appointment.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import type { MaybePromise } from '../support/maybe-promise.js';
import type {
  DeliveryReport,
  NotifierCapability,
  ProviderReference,
  SendResult,
} from '../domain/notifications/provider-answers.js';
import type { SendAttempt } from '../ports/notifier.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { MessageContext } from '../domain/notifications/messages.js';
import type { Notification } from '../domain/notifications/notification.js';

/** What a message is made of. */
export interface Composable {
  readonly notification: Notification;
  readonly appointment: Appointment;
  readonly customer: CustomerProfile | undefined;
  readonly settings: ApplicationSettings;
  readonly now: Instant;
}

/** A message ready to go. */
export interface ComposedMessage {
  readonly send: (attempt: SendAttempt) => Promise<SendResult>;
  /** Told how the attempt ended, apart from the provider's time: what it does changes nothing of the outcome. */
  readonly ended?: ((result: SendResult) => MaybePromise<void>) | undefined;
  /** Makes what a further attempt needs; absent = what the notification keeps already. */
  readonly kept?: (() => string) | undefined;
}

/** Why there is no message. */
export interface NothingToSend {
  readonly refusal: string;
}

/** One channel with its provider, whatever its messages look like. */
export interface DeliveryChannel {
  readonly channel: NotificationChannel;
  readonly capability: NotifierCapability;
  /** Milliseconds that a call of the provider may take. */
  readonly timeout: number;
  compose(subject: Composable): MaybePromise<ComposedMessage | NothingToSend>;
  readonly fetchStatus?: ((reference: ProviderReference, signal: AbortSignal) => Promise<DeliveryReport>) | undefined;
  readonly lookUp?: ((key: string, signal: AbortSignal) => Promise<SendResult | undefined>) | undefined;
}

/** What every message says of its notification. */
export function messageContext(notification: Notification): MessageContext {
  const { id, organizationId, applicationId, appointmentId, type } = notification;
  return { notificationId: id, organizationId, applicationId, appointmentId, type };
}
