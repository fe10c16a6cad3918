import {
  type CalendarFile,
  type EmailMessage,
  isMailAddress,
  type Mailbox,
  parseMailbox,
} from '@calends/core/notifier';
import type { SendMailOptions } from 'nodemailer';
import { domainToASCII } from 'node:url';

/** A mail for nodemailer, or why the message can never be sent; the reason is free of personal data. */
export type Composed = { readonly mail: SendMailOptions } | { readonly refusal: string };

/** What ids are made of (D9), and a file name and a Message-ID can hold. */
const idPattern = /^[A-Za-z0-9._-]{1,128}$/;

const languageTag = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

/**
 * Makes a mail of a rendered message.
 *
 * Text and HTML are alternatives; a calendar file is a third one and, for clients that show none, attached as
 * `invite.ics`. The Message-ID is `<{notificationId}@{domain}>`, the same for every attempt (D56). Whatever would put a
 * second address or header into the mail is refused (addresses) or becomes a blank (names, subject).
 */
export function composeMail(message: EmailMessage, messageIdDomain?: string): Composed {
  const { notificationId, to, calendar, locale } = message;
  const from = parseMailbox(message.from);
  if (from === undefined) return { refusal: 'from: is not one e-mail address' };
  if (!isMailAddress(to.address)) return { refusal: 'to: is not one e-mail address' };
  if (!idPattern.test(notificationId)) return { refusal: 'notificationId: is not an id' };
  const domain = messageIdDomain ?? asciiDomainOf(from);
  if (domain === '') return { refusal: 'from: its domain is not a host name' };
  if (calendar !== undefined && methodOf(calendar) !== calendar.method) {
    return { refusal: `calendar: the file's METHOD is not ${calendar.method}` };
  }
  return {
    mail: {
      messageId: `<${notificationId}@${domain}>`,
      from,
      to: { name: oneLine(to.name ?? ''), address: to.address },
      subject: oneLine(message.subject),
      text: message.text,
      html: message.html,
      headers: {
        // RFC 3834: no vacation notice should answer. Exchange asks for more words, and still reports bounces.
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'OOF, AutoReply',
        // RFC 3282
        ...(languageTag.test(locale) ? { 'Content-Language': locale } : {}),
      },
      ...(calendar === undefined
        ? {}
        : { icalEvent: { method: calendar.method, content: calendar.content, filename: 'invite.ics' } }),
      xMailer: false,
      // A text is a text: nothing in a message names a file or an address to be read.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  };
}

/** The METHOD of a calendar file (RFC 5545, section 3.7.2); `undefined` unless there is exactly one. */
function methodOf({ content }: CalendarFile): string | undefined {
  const unfolded = content.replaceAll(/\r?\n[ \t]/g, '');
  const found = Array.from(unfolded.matchAll(/^METHOD(?:;[^:\r\n]*)?:([^\r\n]*)\r?$/gim), ([, value]) => value);
  return found.length === 1 ? found[0]?.trim().toUpperCase() : undefined;
}

/** Everything that ends a line or moves a cursor somewhere: none of it belongs into a header. */
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * A text as one line, for a header. What opens an encoded word (RFC 2047) gets a blank: readers would decode it, and show a
 * text that nobody has looked at, with a link or an address in it.
 */
export function oneLine(text: string): string {
  return text.replaceAll(controls, ' ').replaceAll('=?', '= ?').trim();
}

/** The domain of an address, in ASCII; empty when it cannot be written so. */
export function asciiDomainOf({ address }: Mailbox): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1));
}
