import type { Instant, NotificationChannel } from '@calends/model';
import type { Appointment } from '../../domain/appointments/appointment.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { MessageContext, Notifier, Notifiers, SendAttempt } from '../../ports/notifier.js';
import type { Addressee, Notification } from '../../domain/notifications/notification.js';
import type {
  DeliveryReport,
  NotifierCapability,
  ProviderReference,
  SendResult,
} from '../../domain/notifications/provider-answers.js';
import type { MessageRenderer, RenderedOtp } from '../../messages/message-renderer.js';
import type { LinkSource } from '../../ports/link-source.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { NotificationSettings } from '../../settings/notification-settings.js';
import type { MaybePromise } from '../../support/maybe-promise.js';
import type { EndpointStates } from './endpoint-states.js';

/** A channel, whichever provider sends over it. */
export interface Channel {
  /** Why an application sends the addressee nothing over it; `undefined` when it does. */
  readonly refusal: (settings: NotificationSettings, addressee: Addressee) => string | undefined;
  /**
   * Tells whether another attempt may follow so many of which nobody knows how they ended, where the provider does not see
   * that it is the same.
   */
  readonly mayResend: (settings: NotificationSettings, unknown: number) => boolean;
  /** The channel with its provider; `undefined` = this process has none. */
  readonly open: (notifiers: Notifiers, means: ChannelMeans) => DeliveryChannel | undefined;
  /** Sends a one-time password; absent or `undefined` = this process or the application does not. */
  readonly otp?: (notifiers: Notifiers, settings: NotificationSettings) => OtpSender | undefined;
}

/** What messages are made with. */
export interface ChannelMeans {
  readonly renderer: MessageRenderer;
  readonly linkSource: LinkSource;
  readonly endpoints: EndpointStates;
}

/** A one-time password on its way to an address. */
export interface OtpMessage {
  readonly context: MessageContext;
  readonly to: string;
  readonly texts: RenderedOtp;
}

export type OtpSender = Pick<Notifier<OtpMessage>, 'timeout' | 'send'>;

/** What a message is made of. */
export interface Composable {
  readonly notification: Notification;
  readonly appointment: Appointment;
  readonly customer: CustomerProfile | undefined;
  readonly settings: ApplicationSettings;
  /** The body that was kept of an earlier attempt. */
  readonly body: string | undefined;
  readonly now: Instant;
}

/** A message ready to go. */
export interface ComposedMessage {
  readonly send: (attempt: SendAttempt) => Promise<SendResult>;
  /** Told how the attempt ended, apart from the provider's time: what it does changes nothing of the outcome. */
  readonly ended?: ((result: SendResult) => MaybePromise<void>) | undefined;
  /** What a further attempt sends too; absent = it is made again. */
  readonly body?: string | undefined;
}

/** One channel with its provider, whatever its messages look like. */
export interface DeliveryChannel {
  readonly channel: NotificationChannel;
  readonly capability: NotifierCapability;
  /** Milliseconds that a call of the provider may take. */
  readonly timeout: number;
  /** Makes the message, or tells why there is none. */
  compose(subject: Composable): MaybePromise<ComposedMessage | { readonly refusal: string }>;
  readonly fetchStatus?: ((reference: ProviderReference, signal: AbortSignal) => Promise<DeliveryReport>) | undefined;
  readonly lookUp?: ((key: string, signal: AbortSignal) => Promise<SendResult | undefined>) | undefined;
}

/** A channel over a notifier. */
export function openWith<Message>(
  channel: NotificationChannel,
  notifier: Notifier<Message> | undefined,
  compose: (subject: Composable, send: Send<Message>) => ReturnType<DeliveryChannel['compose']>,
): DeliveryChannel | undefined {
  if (notifier === undefined) return undefined;
  const { capability, timeout } = notifier;
  const send: Send<Message> = (message) => (attempt) => notifier.send(message, attempt);
  return {
    channel,
    capability,
    timeout,
    compose: (subject) => compose(subject, send),
    fetchStatus: notifier.fetchStatus?.bind(notifier),
    lookUp: notifier.lookUp?.bind(notifier),
  };
}

type Send<Message> = (message: Message) => ComposedMessage['send'];

/** What every message says of its notification. */
export function messageContext(notification: Notification): MessageContext {
  const { id, organizationId, applicationId, appointmentId, type } = notification;
  return { notificationId: id, organizationId, applicationId, appointmentId, type };
}
