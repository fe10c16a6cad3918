import { ICalAttendeeStatus, ICalCalendar, ICalCalendarMethod, type ICalEvent, ICalEventStatus } from 'ical-generator';
import { type Appointment, isLive } from '../appointments/appointment.js';
import { parseMailbox } from '../notifications/mailbox.js';
import type { CalendarFile } from '../notifications/messages.js';
import { builtInCatalogues, lastResort, localeChain } from '../notifications/templates/catalogues.js';
import { singleLine, webAddress, withoutLinks } from '../notifications/templates/plain-text.js';

/** What a calendar file has besides the appointment. */
export interface ICalendarOptions {
  /** Absent = a plain file, for a download; CANCEL and REQUEST are for mails (RFC 5546). */
  readonly method?: CalendarFile['method'] | undefined;
  /** Whose appointment it is: an address, or a name with an address in angle brackets. Needed with a method. */
  readonly organizer?: string | undefined;
  /** Whom the mail goes to. Needed with REQUEST. */
  readonly attendee?: { readonly address: string; readonly name?: string | undefined } | undefined;
  /** Where to join; http or https. */
  readonly url?: string | undefined;
  /**
   * Shown as given. Default: the title with its web addresses broken by blanks, else the word for an appointment in
   * its language, else in English.
   */
  readonly summary?: string | undefined;
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
 * @throws TypeError when the method lacks its organizer or attendee, or an address or the domain is none
 * @throws Error when `url` is no http or https address
 */
export function toICalendar(appointment: Appointment, options: ICalendarOptions = {}): string {
  const { method, url, domain } = options;
  const organizer = options.organizer === undefined ? undefined : readOrganizer(options.organizer);
  const attendee = options.attendee === undefined ? undefined : readAttendee(options.attendee);
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
  if (attendee !== undefined) {
    // Nobody reads answers: none is asked for.
    event.createAttendee({ ...attendee, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false });
  }
  if (url !== undefined) {
    const address = uri(url);
    // Some calendars show only the one, some only the other.
    event.url(address).location(address);
  }
  return calendar.toString();
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

interface Address {
  readonly email: string;
  readonly name: string;
}

const addressForm = /^[^\s@"<>(),;:\\[\]\p{Cc}]+@[^\s@"<>(),;:\\[\]\p{Cc}]+$/u;

function readOrganizer(text: string): Address {
  const mailbox = parseMailbox(text);
  if (mailbox !== undefined) return addressOf('organizer', mailbox.address, mailbox.name);
  const [, name, address] = /^([^<]*)<([^<>]+)>$/.exec(text) ?? ['', '', text];
  return addressOf('organizer', address, name);
}

function readAttendee({ address, name }: { readonly address: string; readonly name?: string | undefined }): Address {
  return addressOf('attendee', address, name);
}

function addressOf(option: string, email: string, name = ''): Address {
  if (!addressForm.test(email)) throw new TypeError(`toICalendar: ${option} is not an address`);
  // A quoted parameter cannot hold a quotation mark (RFC 5545, section 3.2), and its escape is widely unknown.
  return { email, name: singleLine(name.replace(/["\\]/g, ' ')) || email };
}

/** An address without the marks that the generator would escape as if it were text. */
function uri(url: string): string {
  return webAddress(url).replaceAll(',', '%2C').replaceAll(';', '%3B').replaceAll('\\', '%5C');
}

function defaultSummary(locale: string): string {
  const built: Readonly<Record<string, (typeof builtInCatalogues)['en']>> = builtInCatalogues;
  const language = localeChain(locale).find((tag) => built[tag] !== undefined) ?? lastResort;
  return (built[language] ?? builtInCatalogues.en)['calendar.summary'];
}
