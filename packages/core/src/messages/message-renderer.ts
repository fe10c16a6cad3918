import { minutes, type NotificationType } from '@calends/model';
import type { Appointment } from '../domain/appointments/appointment.js';
import { toICalendar } from './icalendar.js';
import { otpRules } from '../domain/customers/proofs.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import type { CustomerLinks } from '../ports/link-source.js';
import type { CalendarFile, EmailMessage } from '../ports/notifier.js';
import { distanceInWords, type Say, timeArguments } from './appointment-time.js';
import { catalogues, type Catalogues, lastResort } from './catalogues.js';
import { htmlOf, type MailBody, type MailLine, textOf } from './html-mail.js';
import { type CustomerMessageType, tellsCustomers } from '../domain/notifications/notified-events.js';
import type { AppointmentArguments, TemplateKey, TemplateOverrides } from './template-keys.js';
import { nameInGreeting, plainMarks, singleLine, webAddress, wholeName, withoutLinks } from './plain-text.js';

/** What a message to a customer is made of. */
export interface RenderInput {
  /**
   * One that customers are told of (D49). Decides what is said, whatever state the appointment is in: that of a
   * removed record is its last one.
   */
  readonly type: NotificationType;
  readonly appointment: Appointment;
  readonly customer: CustomerProfile;
  /** http and https only; an absent one leaves its sentence out. The first there is becomes that of the calendar file. */
  readonly links: CustomerLinks;
  /** Timed types: milliseconds before the start, or after the end. */
  readonly offset?: number | undefined;
  /** The application's sender of mail; without it, and without the customer's address, there is no calendar file. */
  readonly organizerAddress?: string | undefined;
}

/** A mail's texts; the locale is that of the text: a single text that only another language has is in that one. */
export type RenderedEmail = Pick<EmailMessage, 'subject' | 'text' | 'html' | 'locale' | 'calendar'>;

/** A text message's text. */
export interface RenderedSms {
  readonly text: string;
  readonly locale: string;
}

/**
 * Writes the messages to customers, in the language of the appointment.
 *
 * Pure, but for what it remembers of compiled texts. Both throw an Error without personal data when a text cannot be
 * rendered, a link is no web address, or customers are told nothing of the type.
 */
export interface MessageRenderer {
  email(input: RenderInput): RenderedEmail;
  sms(input: RenderInput): RenderedSms;
  /** The message with a one-time password (D44). */
  otp(input: OtpInput): RenderedOtp;
}

/** What the message with a one-time password is made of. */
export interface OtpInput {
  readonly code: string;
  /** Canonical BCP 47. */
  readonly locale: string;
}

/** The message with a one-time password, for both channels. */
export interface RenderedOtp extends RenderedEmail {
  readonly sms: string;
}

type LinkName = keyof CustomerLinks;

interface Layout {
  readonly duration?: true;
  readonly emailLinks: readonly LinkName[];
  readonly smsLinks: readonly LinkName[];
  readonly calendar?: 'PUBLISH' | 'CANCEL';
}

const everyLink = ['page', 'join', 'manage'] as const;
const announced = { duration: true, emailLinks: everyLink, smsLinks: everyLink } as const;

/** What a message has besides its own text and the time. */
const layouts: Readonly<Record<CustomerMessageType, Layout>> = {
  CREATE: { ...announced, calendar: 'PUBLISH' },
  RESCHEDULE: { ...announced, calendar: 'PUBLISH' },
  ROOM: { ...announced, smsLinks: ['page', 'join'] },
  REMINDER: announced,
  CANCELLED: { emailLinks: [], smsLinks: [], calendar: 'CANCEL' },
  FOLLOW_UP: { emailLinks: [], smsLinks: [] },
};

/** Tells whether a message of the type has room for links at all. */
export function showsLinks(type: NotificationType): boolean {
  return tellsCustomers(type) && layouts[type].emailLinks.length > 0;
}

/** Makes the renderer; the overrides have been checked by `templateFaults`. */
export function messageRenderer(overrides: TemplateOverrides): MessageRenderer {
  const texts = catalogues(overrides);
  return {
    email: (input) => renderEmail(texts, told(input)),
    sms: (input) => renderSms(texts, told(input)),
    otp: (input) => renderOtp(texts, input),
  };
}

type ToldInput = RenderInput & { readonly type: CustomerMessageType };

function told(input: RenderInput): ToldInput {
  const { type } = input;
  if (!tellsCustomers(type)) throw new Error(`Customers are sent no message of the type ${type}.`);
  return { ...input, type };
}

/** One message being written. */
interface Draft {
  readonly language: string;
  readonly values: AppointmentArguments;
  readonly say: Say;
}

function renderEmail(texts: Catalogues, input: ToldInput): RenderedEmail {
  const { type } = input;
  const draft = draftOf(texts, input, `email.${type}.text`);
  const { values, say } = draft;
  const links = linkLines(input, draft);
  const paragraphs = [
    line(say(values.hasName === 'yes' ? 'greeting' : 'greeting.neutral', values)),
    ...paragraphsOf(say(`email.${type}.text`, values)),
    [
      ...(values.title === '' ? [] : line(say('email.title', values))),
      ...line(say('email.when', values)),
      ...(layouts[type].duration === true ? line(say('email.duration', values)) : []),
      ...(type === 'CANCELLED' && values.reason !== '' ? line(say('email.reason', values)) : []),
    ],
    ...links.map((link) => [link]),
    line(say('closing', values)),
  ].filter((lines) => lines.length > 0);
  const subject = singleLine(say(`email.${type}.subject`, values));
  const calendar = calendarOf(input, draft, links);
  return { ...mailOf({ language: draft.language, subject, paragraphs }), ...(calendar && { calendar }) };
}

function mailOf(body: MailBody): RenderedEmail {
  return { subject: body.subject, text: textOf(body), html: htmlOf(body), locale: body.language };
}

/** The links that a mail of the type shows, with their sentences. */
function linkLines({ type, links }: ToldInput, { values, say }: Draft): readonly Required<MailLine>[] {
  return layouts[type].emailLinks.flatMap((name) => {
    const link = links[name];
    if (link === undefined) return [];
    const href = webAddress(link);
    const text = say(`email.${name}`, { ...values, link: href });
    return text === '' ? [] : [{ text, link: { href, label: say(`email.${name}.label`, values) || href } }];
  });
}

const line = (text: string): readonly MailLine[] => (text === '' ? [] : [{ text }]);

const paragraphsOf = (text: string): MailBody['paragraphs'] => text.split(/\n{2,}/).map(line);

function renderSms(texts: Catalogues, input: ToldInput): RenderedSms {
  const { type, links } = input;
  const { language, values, say } = draftOf(texts, input, `sms.${type}.text`);
  const lines = [
    say(`sms.${type}.text`, values),
    ...layouts[type].smsLinks.map((name) => {
      const link = links[name];
      return link === undefined ? '' : say(`sms.${name}`, { ...values, link: webAddress(link) });
    }),
  ];
  return { text: plainMarks(lines.filter((text) => text !== '').join('\n')), locale: language };
}

function renderOtp(texts: Catalogues, { code, locale }: OtpInput): RenderedOtp {
  const values = { code, minutes: otpRules.validFor / minutes(1) };
  const language = texts.languageOf(locale, 'otp.text');
  const subject = singleLine(texts.say(locale, 'otp.subject', values));
  const paragraphs = paragraphsOf(texts.say(locale, 'otp.text', values));
  const sms = plainMarks(texts.say(locale, 'otp.sms', values));
  return { ...mailOf({ language, subject, paragraphs }), sms };
}

/**
 * Settles the language of a message by its main text: dates and numbers are written in it too, in the way of the
 * appointment's own region when it is the same language.
 */
function draftOf(texts: Catalogues, input: ToldInput, mainText: TemplateKey): Draft {
  const { locale } = input.appointment;
  const language = texts.languageOf(locale, mainText);
  const regional = locale === language || locale.startsWith(`${language}-`) ? locale : lastResort;
  const say: Say = (key, values) => texts.say(locale, key, values);
  return { language, say, values: valuesOf(input, regional, (key, values) => texts.say(regional, key, values)) };
}

function valuesOf(input: ToldInput, locale: string, say: Say): AppointmentArguments {
  const { type, appointment, customer, offset } = input;
  const firstName = nameInGreeting(customer.firstName);
  const lastName = nameInGreeting(customer.lastName);
  const name = wholeName(customer);
  const title = withoutLinks(singleLine(appointment.title));
  const cancelReason = appointment.state === 'CANCELLED' ? (appointment.cancellation.reason ?? '') : '';
  const reason = withoutLinks(singleLine(cancelReason));
  const away = offset === undefined ? '' : distanceInWords(type === 'FOLLOW_UP' ? -offset : offset, locale);
  return {
    ...timeArguments(appointment.schedule, locale, say),
    name,
    firstName,
    lastName,
    hasName: yesOrNo(name),
    title,
    hasTitle: yesOrNo(title),
    reason,
    hasReason: yesOrNo(reason),
    offset: away,
    hasOffset: yesOrNo(away),
  };
}

function yesOrNo(text: string): 'yes' | 'no' {
  return text === '' ? 'no' : 'yes';
}

/**
 * The entry that the customer may take over into their calendar.
 *
 * It is published rather than requested (RFC 5546, section 1.4): a request asks for an answer, and mail programs offer to
 * send one, to an address where nobody reads it.
 */
function calendarOf(
  { type, appointment, customer, organizerAddress }: ToldInput,
  { values, say }: Draft,
  links: readonly Required<MailLine>[],
): CalendarFile | undefined {
  const method = layouts[type].calendar;
  if (method === undefined || organizerAddress === undefined || customer.primaryEmail === undefined) return undefined;
  const reason = type === 'CANCELLED' && values.reason !== '' ? say('email.reason', values) : '';
  const description = [say('email.when', values), reason, ...links.map(({ text }) => text)];
  const content = toICalendar(appointment, {
    method,
    organizer: organizerAddress,
    summary: values.title || say('calendar.summary', values),
    description: description.filter((line) => line !== '').join('\n'),
    url: links[0]?.link?.href,
  });
  return { method, content };
}
