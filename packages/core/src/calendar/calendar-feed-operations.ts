import { createHash } from 'node:crypto';
import { days } from '../appointments/time-units.js';
import { type Caller, hasRole } from '../caller.js';
import { newTicket } from '../customers/manage-tickets.js';
import type { TicketKey } from '../customers/ticket.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import { pageSizes } from '../page.js';
import type { Appointment } from '../appointments/appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { agentCalendar } from './agent-calendar.js';
import type { CalendarFeed, CalendarFeedOperations } from './calendar-feeds.js';
import { readFeedCode, writeFeedCode } from './feed-code.js';

const back = days(30);
const ahead = days(365);
const mostAppointments = 1000;
const attempts = 10;

/** The operations on calendar feeds of agents. */
export function calendarFeedOperations(context: UseCaseContext): CalendarFeedOperations {
  const { store, clock, tickets } = context;
  return {
    issue: async (caller, { agentId }) => {
      requireFeedRights(caller, agentId);
      const { organizationId } = caller;
      const key = keyOf(organizationId, agentId);
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const present = await store.findTicket(key);
        const next = newTicket(key, context, { now: clock.now() });
        const ticket = { next, expectedNonce: present?.nonce };
        const { status } = await store.commit({ organizationId, events: [], ticket });
        if (status !== 'committed') continue;
        const code = writeFeedCode({ organizationId, agentId, ticketId: tickets.idOf(next) });
        return { code, issuedAt: next.issuedAt };
      }
      throw new CalendsError('unavailable', 'The feed is changing too often; try again.');
    },
    revoke: async (caller, { agentId }) => {
      requireFeedRights(caller, agentId);
      const revocation = { kind: 'CALENDAR_FEED', subjectId: agentId, at: clock.now() } as const;
      await store.commit({ organizationId: caller.organizationId, events: [], revokedTickets: [revocation] });
    },
    read: async (code) => {
      const read = readFeedCode(code);
      if (read === undefined) throw noFeed();
      const ticket = await store.findTicket(keyOf(read.organizationId, read.agentId));
      if (ticket?.revokedAt !== null || !tickets.matches(ticket, read.ticketId)) throw noFeed();
      return feedOf(await appointmentsOf(context, read.organizationId, read.agentId));
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
  { store, clock }: UseCaseContext,
  organizationId: string,
  agentId: string,
): Promise<readonly Appointment[]> {
  const now = clock.now();
  const found: Appointment[] = [];
  for (let pageNumber = 1; found.length < mostAppointments; pageNumber += 1) {
    const { items, total } = await store.listAppointments({
      organizationId,
      agentIds: [agentId],
      ranges: [{ from: now - back, to: now + ahead }],
      sortField: 'start',
      sortOrder: 'asc',
      pageNumber,
      pageSize: pageSizes.max,
    });
    found.push(...items);
    if (items.length < pageSizes.max || found.length >= total) break;
  }
  return found.slice(0, mostAppointments);
}

function feedOf(appointments: readonly Appointment[]): CalendarFeed {
  const body = agentCalendar(appointments);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/** One answer for unknown, rotated and revoked. */
function noFeed(): CalendsError {
  return new CalendsError('not_found', 'There is no such calendar feed.');
}
