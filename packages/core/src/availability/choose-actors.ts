import type { Instant } from '@calends/model';
import type { TimeReason } from '../domain/calls/errors.js';
import type { LimitGuard } from '../ports/store/commit.js';
import { assignments } from './assign.js';
import type { Candidate } from './candidate.js';
import { decideSlot, isForLimits } from './decide-slot.js';
import type { Question } from './question.js';
import { limitWindow } from './service-rules.js';
import type { Slot } from './slot-rules.js';
import { weekOf } from './zone-clock.js';

/** Who comes. */
export interface ChosenActors {
  /** In the order of the requirements, then of the strategy; the first is the organizer. */
  readonly agentIds: readonly string[];
  readonly resourceIds: readonly string[];
}

/** Why nobody can come. */
export interface NoChoice {
  readonly free: false;
  readonly reasons: readonly TimeReason[];
  /** True = somebody could, were it not for limits. */
  readonly isForLimits: boolean;
}

/** Everybody who could come, the best first, made as they are asked for; or why nobody can. */
export type Choice = { readonly free: true; readonly choices: Iterable<ChosenActors> } | NoChoice;

/**
 * Chooses among those that are free: those who take part already, in their order, then by the service's strategy. Where a commit finds the first choice taken,
 * ask again with what is busy by then, or take the next.
 */
export function chooseActors(question: Question, slot: Slot, present: readonly string[] = []): Choice {
  const decision = decideSlot(question, slot);
  if (!decision.free) {
    return { free: false, reasons: decision.reasons(), isForLimits: isForLimits(question, slot) };
  }
  const { requirements } = question;
  const pools = requirements.map(({ count, named }, place) => {
    const free = new Set(decision.actors[place]);
    const candidates = named.filter((candidate) => free.has(candidate));
    const ids = ordered(question, candidates, slot.start).map(({ id }) => id);
    return { count, ids: [...present.filter((id) => ids.includes(id)), ...ids.filter((id) => !present.includes(id))] };
  });
  return { free: true, choices: choicesOf(question, assignments(pools)) };
}

function* choicesOf({ requirements }: Question, ways: ReturnType<typeof assignments>): Iterable<ChosenActors> {
  for (const way of ways) {
    const idsOf = (wanted: 'agent' | 'resource'): readonly string[] =>
      way.filter((_, place) => requirements[place]?.kind === wanted).flat();
    yield { agentIds: idsOf('agent'), resourceIds: idsOf('resource') };
  }
}

/** The best first; equals stay in the order in which the service names them. */
function ordered({ service }: Question, candidates: readonly Candidate[], start: Instant): readonly Candidate[] {
  const { strategy, clock, weightOf, actorId } = service;
  if (strategy === 'priority') return candidates;
  const week = weekOf(clock.dayAt(start));
  const rankOf = ({ id, entries }: Candidate): number =>
    strategy === 'balanced'
      ? entries
          .filter((entry) => entry.blocks && weekOf(clock.dayAt(entry.start)) === week)
          .reduce((sum, entry) => sum + entry.end - entry.start, 0) / weightOf(id)
      : entries
          .filter((entry) => entry.serviceActorId === actorId && entry.start < start)
          .reduce((latest, entry) => Math.max(latest, entry.start), -1);
  return candidates
    .map((candidate) => ({ candidate, rank: rankOf(candidate) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ candidate }) => candidate);
}

/** The limits of a booking as guards of its commit: they count again, under its locks. */
export function limitGuards(
  { service, requirements, overrides }: Question,
  { start }: Slot,
  { agentIds }: ChosenActors,
): readonly LimitGuard[] {
  if (overrides.has('LIMIT')) return [];
  const chosen = requirements.flatMap(({ kind, named }) =>
    kind === 'agent' ? named.filter(({ id }) => agentIds.includes(id)) : [],
  );
  return service.limits.flatMap((limit): readonly LimitGuard[] => {
    const { max } = limit;
    if (limit.per === 'service') {
      return [{ actorId: service.actorId, window: limitWindow(limit, start, service.clock), max }];
    }
    const ofService = limit.of === 'any' ? {} : { serviceActorId: service.actorId };
    return Array.from(new Set(chosen), ({ id, clock }) => {
      return { actorId: id, ...ofService, window: limitWindow(limit, start, clock), max };
    });
  });
}
