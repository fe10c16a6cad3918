import { days, lastInstant, limits, minutes } from '@calends/model';
import { decideSlot, idsOf } from '../../availability/decide-slot.js';
import { findSlots } from '../../availability/find-slots.js';
import type { Caller } from '../../domain/calls/caller.js';
import { type InputIssues, readInput } from '../../domain/calls/input.js';
import { readDuration, readInstant, requireEnd } from '../../domain/appointments/schedule.js';
import type { CallOptions } from '../call-options.js';
import type { UseCaseContext } from '../context.js';
import { type Asker, askerOf, readDurations, requireDuration } from './asker.js';
import type { ExplainQuery, Explanation, FindQuery, Offers, Visitor } from './commands.js';
import { factsOf } from './facts.js';
import { shownReasons } from './reasons.js';

/** Days that a customer who moves an appointment may look at once. */
const customerDays = 31;

/** Finds starts that can be booked. */
export function findTimes(context: UseCaseContext) {
  return async (by: Caller | Visitor, query: FindQuery, options?: CallOptions): Promise<Offers> => {
    const { asker, asked } = await askerOf(context, by, {
      named: query,
      opened: ({ options: { public: isPublic } }) => isPublic,
      read: (issues) => readSpan(query, issues),
      options,
    });
    if (asker.proof !== undefined) readInput((issues) => requireDays(customerDays, asked, issues));
    const { to } = asked;
    const durations = readDurations(asker, query.durations);
    const from = Math.max(asked.from, context.clock.now());
    const longest = Math.max(...durations);
    if (from >= to) return { durations: durations.map((duration) => ({ duration, offers: [] })) };
    const question = (
      await factsOf(context, {
        ...wantedBy(asker, query),
        window: { from, to: to + longest },
        isChoosing: false,
        isShown: true,
        isSearch: true,
      })
    )();
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
    const question = (
      await factsOf(context, { ...wantedBy(asker, query), window, isChoosing: false, isShown: true })
    )();
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

function readSpan(query: Pick<FindQuery, 'from' | 'to'>, issues: InputIssues): Span {
  const span = { from: readInstant('/from', query.from, issues), to: readInstant('/to', query.to, issues) };
  if (issues.has('/from') || issues.has('/to')) return span;
  if (span.to <= span.from) issues.add('/to', 'invalid_value', 'Must lie after from.');
  requireDays(limits.availabilityDays, span, issues);
  return span;
}

/** A day in which clocks go back has an hour more. */
function requireDays(max: number, { from, to }: Span, issues: InputIssues): void {
  if (to - from > days(max) + minutes(60)) {
    issues.add('/to', 'too_large', `Must be at most ${String(max)} days after from.`);
  }
}
