import type { NotificationType } from '@calends/model';

/** Types that customers are told of by e-mail and SMS (D49). */
export const customerMessageTypes = ['CREATE', 'RESCHEDULE', 'ROOM', 'REMINDER', 'CANCELLED', 'FOLLOW_UP'] as const;

/** One of {@link customerMessageTypes}. */
export type CustomerMessageType = (typeof customerMessageTypes)[number];

/** Tells whether customers are told of a type. */
export function isCustomerMessageType(type: NotificationType): type is CustomerMessageType {
  return customerMessageTypes.some((told) => told === type);
}

type TypeKey = `email.${CustomerMessageType}.subject` | `${'email' | 'sms'}.${CustomerMessageType}.text`;

const sharedKeys = [
  'greeting',
  'greeting.neutral',
  'closing',
  'email.title',
  'email.when',
  'email.duration',
  'email.reason',
  'email.page',
  'email.page.label',
  'email.join',
  'email.join.label',
  'email.manage',
  'email.manage.label',
  'sms.page',
  'sms.join',
  'sms.manage',
  'time.point',
  'time.range',
  'time.range.days',
  'time.range.shift',
  'time.offset',
  'calendar.summary',
  'otp.subject',
  'otp.text',
  'otp.sms',
] as const;

/** Name of a text in messages to customers. */
export type TemplateKey = TypeKey | (typeof sharedKeys)[number];

/**
 * Names of every text in messages to customers, which {@link TemplateOverrides} may replace.
 *
 * `email.CREATE.subject`, `email.CREATE.text` and `sms.CREATE.text` for each of the six types that customers are told
 * of; the rest is shared. Sentences end up in a mail only when there is something to say: `email.page`,
 * `email.join` and `email.manage` when there is such a link (`{link}`; the `.label` is what the HTML part shows in its place),
 * `email.title` and `email.reason` when they are not empty. `otp.…` are the messages with a one-time password (`{code}`). A text that is overridden by `''` is left out.
 */
export const templateKeys: readonly TemplateKey[] = [
  ...customerMessageTypes.flatMap(
    (type) => [`email.${type}.subject`, `email.${type}.text`, `sms.${type}.text`] as const,
  ),
  ...sharedKeys,
];

/** Every text in one language. */
export type Catalogue = Readonly<Record<TemplateKey, string>>;
