import { notificationTypes, parseMailbox, readHeaderMap, webhookKeyOf } from '@calends/model';
import * as z from 'zod';
import { byChannelKey } from './channels.js';
import { pollPropertyFault, pollPropertyNames } from './poll-properties.js';
import { notificationLimits as limits } from './notification-limits.js';

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
  id: text(limits.endpointId),
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
  })
  .partial();
