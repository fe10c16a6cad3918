import { type CustomerMessageType, customerMessageTypes } from '../domain/notifications/notified-events.js';

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

/**
 * Texts that replace or add to the built-in ones: by BCP 47 tag, then by key (see `templateKeys`).
 *
 * Values are ICU messages.
 */
export type TemplateOverrides = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Whether an argument is a text or a number; only numbers go through `plural` and `number`. */
export type ArgumentKind = 'text' | 'number';

/**
 * What every text may say of the appointment and the customer.
 *
 * Texts are in one line, and web addresses in what people wrote are broken by blanks. What may be absent is empty
 * then, and has a `has…` beside it, `yes` or `no`, for `select`.
 */
const appointmentArguments = {
  /** First and last name; of these, what is an address rather than a name is left out. */
  name: 'text',
  firstName: 'text',
  lastName: 'text',
  hasName: 'text',
  title: 'text',
  hasTitle: 'text',
  /** Start to end with zone and offset: `Tuesday, 4 May 2027, 09:00–09:30 (Europe/Athens, GMT+3)`. */
  when: 'text',
  /** The same with the names of day and month cut short. */
  whenShort: 'text',
  /** Day of the start. */
  date: 'text',
  startTime: 'text',
  endTime: 'text',
  /** Name of the zone, underscores as blanks. */
  zone: 'text',
  /** `GMT+3`, at the start. */
  utcOffset: 'text',
  /** In words: `1 hour, 30 minutes`. */
  duration: 'text',
  /** The duration as a number, for `plural`. */
  minutes: 'number',
  /** Why it was cancelled, in the words of the one who did it. */
  reason: 'text',
  hasReason: 'text',
  /**
   * Timed types: how far the planned time of the message is from the appointment, in words (`in 24 hours`).
   * Untrue when the message is sent late or again, so the built-in texts do without it.
   */
  offset: 'text',
  hasOffset: 'text',
} as const satisfies Readonly<Record<string, ArgumentKind>>;

const linkArguments = { ...appointmentArguments, link: 'text' } as const;

/** Texts that have other arguments. */
const ownArguments = {
  'email.page': linkArguments,
  'email.join': linkArguments,
  'email.manage': linkArguments,
  'sms.page': linkArguments,
  'sms.join': linkArguments,
  'sms.manage': linkArguments,
  'time.point': { date: 'text', time: 'text' },
  'time.range': { start: 'text', end: 'text', zone: 'text', utcOffset: 'text' },
  'time.range.days': { start: 'text', end: 'text', zone: 'text', utcOffset: 'text' },
  'time.range.shift': { start: 'text', startOffset: 'text', end: 'text', endOffset: 'text', zone: 'text' },
  'time.offset': { offset: 'text' },
  'otp.subject': { code: 'text', minutes: 'number' },
  'otp.text': { code: 'text', minutes: 'number' },
  'otp.sms': { code: 'text', minutes: 'number' },
} as const satisfies Partial<Record<TemplateKey, Readonly<Record<string, ArgumentKind>>>>;

type Values<Kinds> = { readonly [Name in keyof Kinds]: Kinds[Name] extends 'number' ? number : string };

/** Arguments of the texts that speak of an appointment. */
export type AppointmentArguments = Values<typeof appointmentArguments>;

/** Arguments of one text. */
export type ArgumentsOf<Key extends TemplateKey> = Key extends keyof typeof ownArguments
  ? Values<(typeof ownArguments)[Key]>
  : AppointmentArguments;

/** Names and kinds of the arguments of a text. */
export function argumentKinds(key: TemplateKey): ReadonlyMap<string, ArgumentKind> {
  const own: Readonly<Partial<Record<TemplateKey, Readonly<Record<string, ArgumentKind>>>>> = ownArguments;
  return new Map(Object.entries(own[key] ?? appointmentArguments));
}
