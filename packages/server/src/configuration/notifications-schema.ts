import type { ConfiguredNotifications } from '@calends/core';
import { parseMailbox } from '@calends/core/notifier';
import { notificationLimits as limits, pollPropertyFault, pollPropertyNames } from '@calends/core/operations';
import * as z from 'zod';
import { checkedBy, duration, section, text, yesOrNo } from './setting-forms.js';
import { webhookSchema } from './webhook-schema.js';

const day = 24 * 60 * 60_000;
const maxOffset = `P${limits.maxOffset / day}D`;
const maxWait = `P${limits.maxWait / day}D`;

const mailSender = text(limits.emailSender).refine((written) => parseMailbox(written) !== undefined, {
  error: 'must be an address, or a name with an address in angle brackets',
});

const smsSender = text(limits.smsSender).refine((written) => !/\p{Cc}/u.test(written), {
  error: 'must not have control characters',
});

/** How far from an appointment a timed message is due. */
const offsets = z
  .array(
    duration
      .refine((milliseconds) => milliseconds > 0, { error: 'must be longer than PT0S' })
      .refine((milliseconds) => milliseconds <= limits.maxOffset, { error: `must be at most ${maxOffset}` }),
    { error: 'must be a list of ISO 8601 durations' },
  )
  .max(limits.offsets, { error: `must have at most ${limits.offsets} entries` })
  .refine((list) => new Set(list).size === list.length, { error: 'must not have an entry twice' });

const wait = duration.refine((milliseconds) => milliseconds <= limits.maxWait, {
  error: `must be at most ${maxWait}`,
});

/** Waits before the attempts that follow the first one; an empty list means one attempt. */
const waits = z
  .array(wait, { error: 'must be a list of ISO 8601 durations' })
  .max(limits.waits, { error: `must have at most ${limits.waits} entries` });

const pollValue = (name: (typeof pollPropertyNames)[number]) =>
  checkedBy((written) => pollPropertyFault(name, written), text()).exactOptional();

const webhooks = z
  .array(webhookSchema, { error: 'must be a list of web hook endpoints' })
  .max(limits.endpoints, { error: `must have at most ${limits.endpoints} entries` })
  .superRefine((endpoints, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of endpoints.entries()) {
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is the id of another one' });
      seen.add(id);
    }
  });

/** What `CALENDS_CONFIG` may say about the notifications of an application; absent = the default, also of a part. */
export const notificationsSchema = section({
  active: yesOrNo().exactOptional(),
  email: section({ from: mailSender }).exactOptional(),
  sms: section({
    from: smsSender,
    unknownOutcome: z.enum(['resend', 'hold'], { error: 'must be resend or hold' }).exactOptional(),
  }).exactOptional(),
  webhooks: webhooks.exactOptional(),
  reminders: offsets.exactOptional(),
  followUps: offsets.exactOptional(),
  retry: section({
    email: waits.exactOptional(),
    sms: waits.exactOptional(),
    webhooks: waits.exactOptional(),
  }).exactOptional(),
  lateness: section({
    reminder: wait.exactOptional(),
    room: wait.exactOptional(),
    followUp: wait.exactOptional(),
  }).exactOptional(),
  poll: section(Object.fromEntries(pollPropertyNames.map((name) => [name, pollValue(name)]))).exactOptional(),
}) satisfies z.ZodType<ConfiguredNotifications>;
