import { ICalAttendeeStatus, ICalCalendar, ICalCalendarMethod, type ICalEvent, ICalEventStatus } from 'ical-generator';
import { isMailAddress, parseMailbox } from '@calends/model';
import { type Appointment, isLive } from '../domain/appointments/appointment.js';
import type { CalendarFile } from '../ports/notifier.js';
import { timeArguments } from './appointment-time.js';
import { builtInCatalogues, catalogues, lastResort } from './catalogues.js';
import { singleLine, webAddress, withoutLinks } from './plain-text.js';
import type { Catalogue } from './template-keys.js';
import { fieldsOf } from '../support/host-answers.js';

/** What a calendar file has besides the appointment. */
export interface ICalendarOptions {
  /**
   * Absent = a plain file, for a download; the others are for mails (RFC 5546). PUBLISH asks for no answer; REQUEST is for a
   * host that reads answers.
   */
  readonly method?: CalendarFile['method'] | undefined;
  /** Whose appointment it is: an address, or a name with an address in angle brackets. Needed with a method. */
  readonly organizer?: string | undefined;
  /** Whom the mail goes to. Needed with REQUEST, left out with PUBLISH, which has none. */
  readonly attendee?: { readonly address: string; readonly name?: string | undefined } | undefined;
  /** Where to join, move or cancel; http or https. */
  readonly url?: string | undefined;
  /**
   * Shown as given. Default: the title with its web addresses broken by blanks, else the word for an appointment in
   * its language, else in English.
   */
  readonly summary?: string | undefined;
  /** Shown as given, in several lines if need be. Default: the time in the appointment's own zone, and the url. */
  readonly description?: string | undefined;
  /** What follows the `@` of the UID; the same for ever, or calendars show appointments twice. Default `calends`. */
  readonly domain?: string | undefined;
}

/**
 * Writes an appointment as a calendar file (RFC 5545), for a download or to go with a mail (RFC 5546).
 *
 * The UID is `{id}@{domain}`. SEQUENCE is the version of the schedule, and one more for a cancelled appointment (RFC
 * 5546, section 3.2.5), after which nothing follows. DTSTAMP is the time of the last change, so the same appointment
 * gives the same bytes. Times are in UTC: every mail program shows them in its reader's zone, and nothing recurs that
 * would need the rules of a zone. Without a method, the state decides whether it is cancelled.
 *
 * @example
 * ```ts
 * import { type Appointment, toICalendar } from '@calends/core';
 *
 * export function download(appointment: Appointment): Response {
 *   return new Response(toICalendar(appointment), { headers: { 'content-type': 'text/calendar; charset=utf-8' } });
 * }
 * ```
 *
 * @throws TypeError for what is no appointment, when the method lacks its organizer or attendee, or an address or the domain is none
 * @throws Error when `url` is no http or https address
 */
export function toICalendar(appointment: Appointment, options: ICalendarOptions = {}): string {
  checkAppointment(appointment);
  const { method, url, domain } = options;
  const organizer = options.organizer === undefined ? undefined : readOrganizer(options.organizer);
  const attendee = options.attendee && addressOf('attendee', options.attendee.address, options.attendee.name);
  if (method !== undefined && organizer === undefined) throw new TypeError('toICalendar: a method needs an organizer');
  if (method === 'REQUEST' && attendee === undefined) throw new TypeError('toICalendar: REQUEST needs an attendee');
  if (domain !== undefined && !/^[A-Za-z0-9.-]+$/.test(domain)) {
    throw new TypeError('toICalendar: domain is not a domain');
  }
  const isCancelled = method === undefined ? !isLive(appointment) : method === 'CANCEL';

  // The class, as the default export is another thing to CommonJS.
  const calendar = new ICalCalendar({ prodId: { company: 'calends', product: 'calends' } });
  if (method !== undefined) calendar.method(ICalCalendarMethod[method]);
  const event = addEvent(calendar, appointment, { summary: options.summary, domain, isCancelled });
  if (organizer !== undefined) event.organizer(organizer);
  if (attendee !== undefined && method !== 'PUBLISH') {
    // Anyone who has an appointment has agreed to it: there is nothing to answer.
    event.createAttendee({ ...attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false });
  }
  const address = url === undefined ? undefined : uri(url);
  // Some calendars show only the one, some only the other.
  if (address !== undefined) event.url(address).location(address);
  event.description(severalLines(options.description ?? `${timeInWords(appointment)}\n${address ?? ''}`));
  return textOf(calendar);
}

const neededParts = ['id', 'title', 'locale', 'state', 'schedule', 'scheduleVersion', 'updatedAt'] as const;

/** Hosts in plain JavaScript have no compiler that tells them, and those who have the JSON of the services may take it for one. */
function checkAppointment(given: Appointment): void {
  const missing = neededParts.filter((name) => fieldsOf(given)[name] === undefined);
  if (missing.length > 0) throw new TypeError(`toICalendar: the appointment has no ${missing.join(', ')}`);
}

/** Every line has its end (RFC 5545, section 3.1), also the last one, which the generator leaves open. */
function textOf(calendar: ICalCalendar): string {
  return `${calendar.toString()}\r\n`;
}

/** What an event has besides the appointment. */
interface EventOptions {
  readonly summary?: string | undefined;
  readonly domain?: string | undefined;
  /** Default: as the appointment's state has it. */
  readonly isCancelled?: boolean | undefined;
}

/** Adds an appointment to a calendar. */
export function addEvent(calendar: ICalCalendar, appointment: Appointment, options: EventOptions = {}): ICalEvent {
  const { summary = '', domain = 'calends', isCancelled = !isLive(appointment) } = options;
  const title = withoutLinks(singleLine(appointment.title));
  return calendar.createEvent({
    // Nothing that an id may not have gets into the line, which the generator does not escape.
    id: `${encodeURIComponent(singleLine(appointment.id))}@${domain}`,
    sequence: appointment.scheduleVersion + (isCancelled ? 1 : 0),
    stamp: new Date(appointment.updatedAt),
    start: new Date(appointment.schedule.start),
    end: new Date(appointment.schedule.end),
    summary: singleLine(summary) || title || defaultSummary(appointment.locale),
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
}

function readOrganizer(text: string): ReturnType<typeof addressOf> {
  const mailbox = parseMailbox(text);
  if (mailbox !== undefined) return addressOf('organizer', mailbox.address, mailbox.name);
  const [, name, address] = /^([^<]*)<([^<>]+)>$/.exec(text) ?? ['', '', text];
  return addressOf('organizer', address, name);
}

function addressOf(option: string, email: string, name = ''): { readonly email: string; readonly name: string } {
  if (!isMailAddress(email)) throw new TypeError(`toICalendar: ${option} is not an address`);
  // A quoted parameter cannot hold a quotation mark (RFC 5545, section 3.2), and its escape is widely unknown. Who knows it
  // takes `^n` for the end of a line and `^'` for a quotation mark (RFC 6868).
  return { email, name: singleLine(name.replace(/["\\^]/g, ' ')) || email };
}

/** An address without the marks that the generator would escape as if it were text. */
function uri(url: string): string {
  return webAddress(url).replaceAll(',', '%2C').replaceAll(';', '%3B').replaceAll('\\', '%5C');
}

/** Nothing but what is meant as the end of a line ends one. */
function severalLines(text: string): string {
  return text.split('\n').map(singleLine).join('\n').trim();
}

const builtIn = catalogues({});

/** When it takes place, on the clocks of its zone: calendars show those of their reader. */
function timeInWords({ schedule, locale }: Appointment): string {
  const isBuiltIn = builtIn.languageOf(locale, 'email.when') === locale.split('-')[0];
  const language = isBuiltIn ? locale : lastResort;
  return timeArguments(schedule, language, (key, values) => builtIn.say(language, key, values)).when;
}

function defaultSummary(locale: string): string {
  const built: Readonly<Record<string, Catalogue>> = builtInCatalogues;
  return (built[builtIn.languageOf(locale, 'calendar.summary')] ?? builtInCatalogues.en)['calendar.summary'];
}

/** A calendar (RFC 5545) to subscribe to, before its events and after them. */
export const calendarFrame = (() => {
  const calendar = new ICalCalendar({ prodId: { company: 'calends', product: 'calends' } });
  const text = textOf(calendar.method(ICalCalendarMethod.PUBLISH));
  const end = text.lastIndexOf('END:VCALENDAR');
  return { head: text.slice(0, end), end: text.slice(end) };
})();

/** Writes appointments as events of such a calendar; the same appointments give the same text. */
export function calendarEvents(appointments: readonly Appointment[]): string {
  const calendar = new ICalCalendar();
  return appointments.map((appointment) => folded(addEvent(calendar, appointment).toString())).join('');
}

/** Bytes of a line before its end (RFC 5545, section 3.1), as the generator counts them. */
const maxLineBytes = 74;

/** The text with its long lines folded as the generator folds them, which takes it a hundred times as long: it encodes each letter. */
function folded(text: string): string {
  return text
    .split('\r\n')
    .map((line) => (Buffer.byteLength(line) > maxLineBytes ? foldedLine(line) : line))
    .join('\r\n');
}

function foldedLine(line: string): string {
  let text = '';
  let bytes = 0;
  for (const letter of line) {
    const length = Buffer.byteLength(letter);
    bytes += length;
    if (bytes > maxLineBytes) {
      text += '\r\n ';
      bytes = length;
    }
    text += letter;
  }
  return text;
}
