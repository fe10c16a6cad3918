import * as z from 'zod';
import {
  days,
  hours,
  minutes,
  type NotificationType,
  notificationTypes,
  parseMailbox,
  readHeaderMap,
  webhookKeyOf,
  webhookSecretBytes,
} from '@calends/model';
import type { Some } from '../support/some.js';
import { byChannelKey, channelFacts, type ChannelKey } from './channels.js';
import { idSchema } from './id-schema.js';
import { pollPropertyFault, type PollPropertyName, pollPropertyNames } from './poll-properties.js';

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
  /** Endpoints that are told by web hook. Default none. */
  readonly webhooks: readonly WebhookEndpoint[];
  /** Offsets before the start (D55). Default 24 hours and 30 minutes. */
  readonly reminders: readonly number[];
  /** Offsets after the end (D55). Default none. */
  readonly followUps: readonly number[];
  /** Waits before each further attempt, by channel (D54). Default 5 attempts, of web hooks 8. */
  readonly retry: RetrySettings;
  /** How late a first attempt may begin (D55). Default 5 minutes, of follow-ups 24 hours. */
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
export type ConfiguredNotifications = Some<Omit<NotificationSettings, 'retry' | 'lateness'>> & {
  readonly retry?: Some<RetrySettings> | undefined;
  readonly lateness?: Some<LatenessSettings> | undefined;
};

/**
 * How much the notifications of one application may hold: counts, lengths in characters, spans in milliseconds.
 *
 * For hosts that read settings from somewhere and want to tell what is wrong before the library refuses it (D54, D55, D59).
 */
export const notificationLimits = {
  /** Web hook endpoints. */
  endpoints: 50,
  endpointId: 64,
  endpointLabel: 100,
  /** Of an endpoint and of its tokens. */
  address: 2048,
  /** Of an endpoint, while one is being changed. */
  secrets: 4,
  /** Standard Webhooks: bytes of a symmetric secret. */
  secretBytes: webhookSecretBytes,
  /** A user name, a password, the id and the secret of a client, a scope. */
  credential: 1024,
  emailSender: 320,
  smsSender: 64,
  /** Entries of `reminders` and of `followUps`. */
  offsets: 20,
  /** Longer than 0, and no longer than this. */
  maxOffset: days(365),
  /** Entries of a list of `retry`: there is one attempt more. */
  waits: 20,
  /** Of a wait and of a lateness; 0 is allowed. */
  maxWait: days(7),
} as const;

const limits = notificationLimits;

const text = (max: number) => z.string().min(1).max(max);
const offsets = z.array(z.int().min(1).max(limits.maxOffset)).max(limits.offsets);
const wait = z.int().min(0).max(limits.maxWait);
const waits = z.array(wait).max(limits.waits);
const { min, max } = limits.secretBytes;
/** `whsec_` and base64 (Standard Webhooks). */
const secret = z.string().refine((value) => webhookKeyOf(value) !== undefined, {
  error: `must be whsec_ and the base64 of ${String(min)} to ${String(max)} bytes`,
});

const mailSender = text(limits.emailSender).refine((from) => parseMailbox(from) !== undefined, {
  error: 'must be an address, or a name with an address in angle brackets',
});
const smsSender = text(limits.smsSender).refine((from) => /^[^\r\n]+$/.test(from), { error: 'must be one line' });

const webhookEndpoint = z.strictObject({
  id: idSchema(limits.endpointId),
  label: text(limits.endpointLabel),
  url: text(limits.address).refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
    error: 'must be an https or http address',
  }),
  secret: z.union([secret, z.array(secret).min(1).max(limits.secrets)]),
  types: z.array(z.enum(notificationTypes)).optional(),
  headers: z
    .record(z.string(), z.string())
    .refine((headers) => readHeaderMap(headers).ok, { error: 'must hold headers that may be set (D7)' })
    .optional(),
  allowHttp: z.boolean().optional(),
  allowPrivateNetwork: z.boolean().optional(),
  authentication: z
    .discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('basic'),
        username: text(limits.credential),
        password: text(limits.credential),
      }),
      z.strictObject({
        type: z.literal('oauth2'),
        tokenUrl: text(limits.address).refine((url) => URL.canParse(url), { error: 'must be an address' }),
        clientId: text(limits.credential),
        clientSecret: text(limits.credential),
        scope: text(limits.credential).optional(),
      }),
    ])
    .optional(),
});

/** What `notifications` of a configured application may hold; durations are milliseconds. */
export const notificationSettingsSchema = z
  .strictObject({
    active: z.boolean(),
    email: z.strictObject({ from: mailSender }),
    sms: z.strictObject({ from: smsSender, unknownOutcome: z.enum(['resend', 'hold']).optional() }),
    webhooks: z
      .array(webhookEndpoint)
      .max(limits.endpoints)
      .refine((endpoints) => new Set(endpoints.map(({ id }) => id)).size === endpoints.length, {
        error: 'must not have an id twice',
      }),
    reminders: offsets,
    followUps: offsets,
    retry: z.strictObject(byChannelKey(() => waits)).partial(),
    lateness: z.strictObject({ reminder: wait, room: wait, followUp: wait }).partial(),
    poll: z.partialRecord(z.enum(pollPropertyNames), z.string()).superRefine((poll, context) => {
      for (const name of pollPropertyNames) {
        const value = poll[name];
        const fault = value === undefined ? undefined : pollPropertyFault(name, value);
        if (fault !== undefined) context.addIssue({ code: 'custom', path: [name], message: fault });
      }
    }),
  } satisfies Readonly<Record<keyof NotificationSettings, z.ZodType>>)
  .partial();
