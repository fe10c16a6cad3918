import { days, type Instant, limits } from '@calends/model';
import { type Caller, hasRole, requireWholeOrganization } from '../../domain/calls/caller.js';
import { createHash } from 'node:crypto';
import { newTicket } from '../proofs/manage-link/tickets.js';
import type { TicketKey } from '../../domain/customers/proofs.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { InputIssues } from '../../domain/calls/input.js';
import type { UseCaseContext } from '../context.js';
import type { AppointmentVersion } from '../../ports/store/appointments.js';
import { eachPage } from '../page.js';
import { insist } from '../unit-of-work.js';
import { calendarEvents, calendarFrame } from '../../messages/icalendar.js';
import { codeText, idInCode, maxCodeLength } from '../proofs/manage-link/link-code.js';

/** The secret address of an agent's calendar feed. */
export interface CalendarFeedLink {
  /** Last part of the address; anyone who knows it can read the feed. */
  readonly code: string;
  readonly issuedAt: Instant;
}

/** An agent's appointments as an iCalendar file (RFC 5545). */
export interface CalendarFeed {
  /**
   * `text/calendar; charset=utf-8`, read and written while it is taken, a part in each turn of the event loop; whoever stops
   * taking it stops both.
   */
  readonly body: AsyncIterable<string>;
  /** Strong, quoted (RFC 9110); changes with the appointments of the feed only. What changes
   * while the text is written may be in the text already, and is not in the tag. */
  readonly etag: string;
}

/** Signed, revocable calendar feeds of agents. */
export interface CalendarFeedOperations {
  /**
   * Issues the feed address of an agent; an earlier one ends. Agents for themselves, supervisors for everybody, with a token that covers
   * every application, else `forbidden`.
   */
  issue(caller: Caller, query: { readonly agentId: string }): Promise<CalendarFeedLink>;
  /** Ends the feed address of an agent; does nothing when there is none. */
  revoke(caller: Caller, query: { readonly agentId: string }): Promise<void>;
  /**
   * The feed behind an address: appointments from 30 days ago to a year ahead, the 1,000 earliest, without customers'
   * data. Rejects with `not_found` for whatever is not valid.
   */
  read(code: string): Promise<CalendarFeed>;
}

const back = days(30);
const ahead = days(365);
const maxAppointments = 1000;

/** The operations on calendar feeds of agents. */
export function calendarFeedOperations(context: UseCaseContext): CalendarFeedOperations {
  const { store, clock, tickets, turns } = context;
  return {
    issue: async (caller, { agentId }) => {
      requireFeedRights(caller, agentId);
      requireWholeOrganization(caller);
      const { organizationId } = caller;
      const key = keyOf(organizationId, agentId);
      return insist('feed', async () => {
        const present = await store.customers.findTicket(key);
        const next = newTicket(key, context, { now: clock.now() });
        const ticket = { next, expectedNonce: present?.nonce };
        const { status } = await store.commit({ organizationId, events: [], ticket });
        if (status !== 'committed') return undefined;
        return {
          code: writeFeedCode({ organizationId, agentId, ticketId: tickets.idOf(next) }),
          issuedAt: next.issuedAt,
        };
      });
    },
    revoke: async (caller, { agentId }) => {
      requireFeedRights(caller, agentId);
      const revocation = { kind: 'CALENDAR_FEED', subjectId: agentId, at: clock.now() } as const;
      await store.commit({ organizationId: caller.organizationId, events: [], revokedTickets: [revocation] });
    },
    read: async (code) => {
      const read = readFeedCode(code);
      if (read === undefined) throw noFeed();
      const ticket = await store.customers.findTicket(keyOf(read.organizationId, read.agentId));
      if (ticket?.revokedAt !== null || !tickets.matches(ticket, read.ticketId)) throw noFeed();
      const listed = feedQuery(read, clock.now());
      const versions = await turns.first(() => versionsOf(context, listed));
      return { body: calendarOf(context, listed, versions), etag: tagOf(versions) };
    },
  };
}

function keyOf(organizationId: string, agentId: string): TicketKey {
  return { organizationId, kind: 'CALENDAR_FEED', subjectId: agentId, holderId: '' };
}

/** Agents for themselves, supervisors for everybody. */
function requireFeedRights(caller: Caller, agentId: string): void {
  const issues = new InputIssues();
  issues.requiredText('/agentId', agentId, limits.agentId);
  const isOwn = hasRole(caller, 'ROLE_AGENT') && caller.id === agentId;
  if (!hasRole(caller, 'ROLE_SUPERVISOR') && !isOwn) {
    throw new CalendsError('forbidden', 'A calendar feed is for its agent and for supervisors.');
  }
  issues.throwIfAny();
}

function feedQuery({ organizationId, agentId }: FeedCode, now: Instant) {
  const ranges = [{ from: now - back, to: now + ahead }];
  return { organizationId, agentIds: [agentId], ranges, sortField: 'start', sortOrder: 'asc' } as const;
}

type FeedQuery = ReturnType<typeof feedQuery>;

/** What the feed has, as ids and versions. */
async function versionsOf(
  { store: { appointments }, shown }: UseCaseContext,
  query: FeedQuery,
): Promise<readonly AppointmentVersion[]> {
  const all = { ...query, pageNumber: 1, pageSize: maxAppointments };
  if (appointments.listVersions !== undefined) return appointments.listVersions(all, ...shown());
  const versions: AppointmentVersion[] = [];
  for await (const page of eachPage((wanted) => appointments.list({ ...query, ...wanted }, ...shown()))) {
    versions.push(
      ...page.map(({ id, version, updatedAt, schedule: { start } }) => ({ id, version, updatedAt, start })),
    );
    if (versions.length >= maxAppointments) break;
  }
  return versions.slice(0, maxAppointments);
}

/**
 * The text depends on nothing but the appointments and its frame, which may be another one in a later program: whoever has it needs no
 * new one written to be told so.
 */
function tagOf(versions: readonly AppointmentVersion[]): string {
  const tagged = versions.map(({ id, version, updatedAt }) => JSON.stringify([id, version, updatedAt])).join('');
  return `"${createHash('sha256').update(calendarFrame.head).update(calendarFrame.end).update(tagged).digest('base64url')}"`;
}

/**
 * The text, read as it is taken, from the store and from no copy of it: a copy may be behind the one that told the versions, and the
 * tag must not name what the text lacks.
 */
async function* calendarOf(
  { store, turns }: UseCaseContext,
  query: FeedQuery,
  versions: readonly AppointmentVersion[],
): AsyncGenerator<string, void, undefined> {
  yield calendarFrame.head;
  for (const { ids, ...range } of partsOf(versions)) {
    const listed = { ...query, ranges: [range] };
    const read = (page: { readonly pageNumber: number; readonly pageSize: number }) =>
      turns.further(() => store.appointments.list({ ...listed, ...page }));
    for await (const page of eachPage(read)) {
      // One that was moved here meanwhile has been told, or will be, where it stood.
      const events = page.filter(({ id }) => ids.has(id));
      if (events.length > 0) yield calendarEvents(events);
    }
  }
  yield calendarFrame.end;
}

/** So many appointments take some milliseconds to read, in which nobody else has a turn. */
const eventsAtATime = 20;

/** A stretch of time with some of the appointments, and with all that start at the same instant as one of them. */
interface FeedPart {
  readonly from: Instant;
  to: Instant;
  readonly ids: Set<string>;
}

function partsOf(versions: readonly AppointmentVersion[]): readonly FeedPart[] {
  const parts: FeedPart[] = [];
  for (const { id, start } of versions) {
    const part = parts.at(-1);
    if (part === undefined || (part.ids.size >= eventsAtATime && start >= part.to)) {
      parts.push({ from: start, to: start + 1, ids: new Set([id]) });
    } else {
      part.ids.add(id);
      part.to = start + 1;
    }
  }
  return parts;
}

/** One answer for unknown, rotated and revoked. */
function noFeed(): CalendsError {
  return new CalendsError('not_found', 'There is no such calendar feed.');
}

/** What the code of a calendar feed says: whose it is, and the secret. */
interface FeedCode {
  readonly organizationId: string;
  readonly agentId: string;
  /** 22 characters of base64url. */
  readonly ticketId: string;
}

const idForm = `[\\w-]{1,${String(maxCodeLength)}}`;
const codeForm = new RegExp(`^([\\w-]{22})\\.(${idForm})\\.(${idForm})$`);

/** Writes the code that stands in the address of a feed. */
function writeFeedCode({ organizationId, agentId, ticketId }: FeedCode): string {
  return [ticketId, codeText(agentId), codeText(organizationId)].join('.');
}

/** Reads a code in its one spelling; `undefined` for every other string. */
function readFeedCode(code: string): FeedCode | undefined {
  const match = codeForm.exec(code);
  if (match === null) return undefined;
  const [, ticketId = '', agent = '', organization = ''] = match;
  const [agentId, organizationId] = [idInCode(agent), idInCode(organization)];
  if (agentId === undefined || organizationId === undefined) return undefined;
  const read = { ticketId, agentId, organizationId };
  return writeFeedCode(read) === code ? read : undefined;
}
