import { days, hours, minutes, type NotificationType } from '@calends/model';
import { byChannelKey, channelFacts, type ChannelKey } from './channels.js';
import type { PollPropertyName } from './poll-properties.js';

/** How a web hook endpoint wants its callers to prove themselves, besides the signature. */
export type EndpointAuthentication =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | {
      /** OAuth 2.0 client credentials (RFC 6749, section 4.4). */
      readonly type: 'oauth2';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string | undefined;
    };

/** A subscriber that gets notifications by web hook (D59). */
export interface WebhookEndpoint {
  /** Unique in the application. */
  readonly id: string;
  /** What listings show as the recipient. */
  readonly label: string;
  readonly url: string;
  /** `whsec_` and base64, as Standard Webhooks has it; several while a secret is being rotated, the newest first. */
  readonly secret: string | readonly string[];
  /** Absent = all 16. */
  readonly types?: readonly NotificationType[] | undefined;
  /** Sent with every call; names as `notificationHeaders` may have them (D7). */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default false: https only. */
  readonly allowHttp?: boolean | undefined;
  /** Default false: public addresses only. */
  readonly allowPrivateNetwork?: boolean | undefined;
  readonly authentication?: EndpointAuthentication | undefined;
}

/** Waits before each further attempt, in milliseconds; one attempt more than there are waits (D54). */
export type RetrySettings = Readonly<Record<ChannelKey, readonly number[]>>;

/** How late a notification may begin to be sent, in milliseconds (D55). */
export interface LatenessSettings {
  readonly reminder: number;
  readonly room: number;
  readonly followUp: number;
}

/** Who is told what, over which channel, and how hard it is tried; durations are milliseconds. */
export interface NotificationSettings {
  /** Whether customers and subscribers are told; copied to each new appointment (D12). Default off. */
  readonly active: boolean;
  /** Absent = no e-mail. `from`: an address, or a name with an address in angle brackets. */
  readonly email?: { readonly from: string } | undefined;
  /** Absent = no SMS. */
  readonly sms?:
    | {
        /** E.164, or what the provider takes as a sender. */
        readonly from: string;
        /** What happens when nobody knows whether a message went out: once more, or wait for a hand. Default `resend`. */
        readonly unknownOutcome?: 'resend' | 'hold' | undefined;
      }
    | undefined;
  /** Default none. */
  readonly webhooks: readonly WebhookEndpoint[];
  /** Offsets before the start (D55). Default PT24H and PT30M. */
  readonly reminders: readonly number[];
  /** Offsets after the end (D55). Default none. */
  readonly followUps: readonly number[];
  readonly retry: RetrySettings;
  readonly lateness: LatenessSettings;
  /** What the application sets of the polling properties, as it wrote it (D58). */
  readonly poll: Readonly<Partial<Record<PollPropertyName, string>>>;
}

/** What an application gets that sets nothing (D54, D55). */
export const defaultNotificationSettings: NotificationSettings = {
  active: false,
  webhooks: [],
  reminders: [hours(24), minutes(30)],
  followUps: [],
  retry: byChannelKey((channel) => channelFacts[channel].retry),
  lateness: { reminder: minutes(5), room: minutes(5), followUp: days(1) },
  poll: {},
};

/** What a configured application may set; absent = the default, also of a part. */
export type ConfiguredNotifications = Partial<Omit<NotificationSettings, 'retry' | 'lateness'>> & {
  readonly retry?: Partial<RetrySettings> | undefined;
  readonly lateness?: Partial<LatenessSettings> | undefined;
};
