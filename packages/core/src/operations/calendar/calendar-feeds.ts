import { days, type Instant, limits } from '@calends/model';
import { type Caller, hasRole } from '../../domain/calls/caller.js';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newTicket } from '../proofs/manage-link/tickets.js';
import type { TicketKey } from '../../domain/customers/proofs.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { InputIssues } from '../../domain/calls/input.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import type { UseCaseContext } from '../context.js';
import { OneAtATime } from '../../support/one-at-a-time.js';
import { everyItem } from '../page.js';
import { insist } from '../unit-of-work.js';
import { agentCalendar } from '../../messages/icalendar.js';
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
   * `text/calendar; charset=utf-8`, written while it is taken, a part in each turn of the event loop; whoever stops taking it
   * stops the writing.
   */
  readonly body: AsyncIterable<string>;
  /** Strong, quoted (RFC 9110); changes with the appointments of the feed only, and is there before any of the text. */
  readonly etag: string;
}

/** Signed, revocable calendar feeds of agents. */
export interface CalendarFeedOperations {
  /** Issues the feed address of an agent; an earlier one ends. Agents for themselves, supervisors for everybody, else `forbidden`. */
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
  const { store, clock, tickets } = context;
  const turns = new OneAtATime();
  return {
    issue: async (caller, { agentId }) => {
      requireFeedRights(caller, agentId);
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
      const appointments = await appointmentsOf(context, turns, read);
      return { body: inTurns(turns, agentCalendar(appointments)), etag: tagOf(appointments) };
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

async function appointmentsOf(
  { store, clock, shown }: UseCaseContext,
  turns: OneAtATime,
  { organizationId, agentId }: FeedCode,
): Promise<readonly Appointment[]> {
  const now = clock.now();
  const ranges = [{ from: now - back, to: now + ahead }];
  const query = { organizationId, agentIds: [agentId], ranges, sortField: 'start', sortOrder: 'asc' } as const;
  return everyItem(
    (page) => inTurn(turns, 'read', () => store.appointments.list({ ...query, ...page }, ...shown())),
    maxAppointments,
  );
}

/** The text depends on nothing but the appointments: whoever has it needs no new one written to be told so. */
function tagOf(appointments: readonly Appointment[]): string {
  const hash = createHash('sha256');
  for (const { id, version, updatedAt } of appointments) hash.update(JSON.stringify([id, version, updatedAt]));
  return `"${hash.digest('base64url')}"`;
}

/** Feeds take turns with each other, and each turn is one of the event loop: many at once are slower, and nobody else waits for them. */
function inTurn<Result>(
  turns: OneAtATime,
  kind: 'read' | 'write',
  act: () => Promise<Result> | Result,
): Promise<Result> {
  return turns.run(kind, async () => {
    await nextTurn();
    return act();
  });
}

async function* inTurns(turns: OneAtATime, parts: Iterator<string, void, undefined>): AsyncGenerator<string, void> {
  for (;;) {
    const { done, value } = await inTurn(turns, 'write', () => parts.next());
    if (done === true) return;
    yield value;
  }
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
