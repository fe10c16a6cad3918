import { days, lastInstant, limits, minutes } from '@calends/model';
import { decideSlot, idsOf } from '../../availability/decide-slot.js';
import { findSlots } from '../../availability/find-slots.js';
import type { Caller } from '../../domain/calls/caller.js';
import { type InputIssues, readInput } from '../../domain/calls/input.js';
import { readDuration, readInstant, requireEnd } from '../../domain/appointments/schedule.js';
import type { KnownService } from '../../ports/availability-source.js';
import type { CallOptions } from '../call-options.js';
import type { UseCaseContext } from '../context.js';
import { type Asker, askerOf, hasCandidates, readDurations, requireDuration } from './asker.js';
import type { ExplainQuery, Explanation, FindQuery, Offers, Visitor } from './commands.js';
import { factsOf, ServiceChanged } from './facts.js';
import { shownReasons } from './reasons.js';

/** Days that a customer who moves an appointment may look at once. */
const customerDays = 31;

/** Finds starts that can be booked. */
export function findTimes(context: UseCaseContext) {
  const search = async (...[by, query, options, mayRemember]: Search): Promise<Offers> => {
    const { asker, asked } = await askerOf(context, by, {
      named: query,
      opened: ({ options: { public: isPublic } }) => isPublic,
      read: (issues) => readSpan(query, issues),
      options,
      mayRemember,
    });
    if (asker.proof !== undefined) readInput((issues) => requireDays(customerDays, asked, issues));
    const { to } = asked;
    const durations = readDurations(asker, query.durations);
    const from = Math.max(asked.from, context.clock.now());
    const longest = Math.max(...durations);
    const isEmpty = from >= to || durations.length === 0;
    if (isEmpty && asker.remembered !== undefined) throw new ServiceChanged();
    if (isEmpty) return { durations: durations.map((duration) => ({ duration, offers: [] })) };
    const question = await factsOf(context, {
      ...wantedBy(asker, query),
      remembered: asker.remembered,
      window: { from, to: to + longest },
      isChoosing: false,
      isShown: true,
      isSearch: true,
    });
    const max = Math.max(1, Math.floor(limits.offers / durations.length));
    const found = durations.map((duration) => ({
      duration,
      ...findSlots(question, { from, to: Math.min(to, lastInstant - duration), duration, max }),
    }));
    const next = Math.min(...found.map((each) => each.next ?? Infinity));
    return {
      durations: found.map(({ duration, slots }) => {
        const told = next === Infinity ? slots : slots.filter(({ start }) => start < next);
        return { duration, offers: asker.isStaff ? told : told.map(({ start, end }) => ({ start, end })) };
      }),
      ...(next === Infinity ? {} : { next }),
    };
  };
  return async (by: Caller | Visitor, query: FindQuery, options?: CallOptions): Promise<Offers> => {
    const mayRemember = query.appointmentId === undefined ? (service: KnownService) => fits(service, query) : undefined;
    try {
      return await search(by, query, options, mayRemember);
    } catch (error) {
      if (error instanceof ServiceChanged) return search(by, query, options, undefined);
      throw error;
    }
  };
}

type Search = [by: Caller | Visitor, query: FindQuery, options: CallOptions | undefined, mayRemember: Remembering];

type Remembering = ((service: KnownService) => boolean) | undefined;

/** Whether a service has what is asked for; where it does not, it is read again before anybody is refused. */
function fits(service: KnownService, { agentIds = [], durations = [] }: FindQuery): boolean {
  const has = new Set(service.durations);
  return service.archived !== true && hasCandidates(service, agentIds) && durations.every((text) => has.has(text));
}

/** Says of one start whether it can be booked, and if not, why. */
export function explainTime(context: UseCaseContext) {
  return async (by: Caller | Visitor, query: ExplainQuery, options?: CallOptions): Promise<Explanation> => {
    const { asker, asked: slot } = await askerOf(context, by, {
      named: query,
      opened: ({ options: { public: isPublic } }) => isPublic,
      read: (issues) => readTime(query, issues),
      options,
    });
    requireDuration(asker, slot.end - slot.start);
    requireEnd(slot);
    const window = { from: slot.start, to: slot.end };
    const question = await factsOf(context, { ...wantedBy(asker, query), window, isChoosing: false, isShown: true });
    const decision = decideSlot(question, slot);
    if (decision.free)
      return asker.isStaff ? { free: true, actorIds: idsOf(question, decision.actors) } : { free: true };
    const reasons = await shownReasons(context, decision.reasons(), asker.isStaff ? asker.caller : undefined);
    return { free: false, reasons };
  };
}

/** What a question is about, as far as who asks and what they name says it. */
export function wantedBy(
  { room, organizationId, settings, service, appointment }: Asker,
  { applicationId, agentIds }: Pick<FindQuery, 'applicationId' | 'agentIds'>,
) {
  return { room, organizationId, applicationId, settings, service, agentIds, exceptAppointmentId: appointment?.id };
}

/** Reads a start and a duration. */
export function readTime(
  { start: text, duration }: { readonly start: string; readonly duration: string },
  issues: InputIssues,
) {
  const start = readInstant('/start', text, issues);
  return { start, end: start + readDuration('/duration', duration, issues) };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function readSpan(query: Pick<FindQuery, 'from' | 'to' | 'durations'>, issues: InputIssues): Span {
  issues.list('/durations', query.durations);
  const span = { from: readInstant('/from', query.from, issues), to: readInstant('/to', query.to, issues) };
  if (issues.has('/from') || issues.has('/to')) return span;
  if (span.to <= span.from) issues.add('/to', 'invalid_value', 'Must lie after from.');
  requireDays(limits.availabilityDays, span, issues);
  return span;
}

/** A day in which clocks go back has an hour more, in Antarctica/Troll two. */
function requireDays(max: number, { from, to }: Span, issues: InputIssues): void {
  if (to - from > days(max) + minutes(120)) {
    issues.add('/to', 'too_large', `Must be at most ${String(max)} days after from.`);
  }
}
