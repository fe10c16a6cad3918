import type { Instant, OverridableReason, TimeReasonCode, TimeWindow } from '@calends/model';
import type { ActorHours, KnownService } from '../ports/availability-source.js';
import type { BusyElsewhere } from '../ports/busy-source.js';
import type { BusyEntry, ActorTimes } from '../ports/store/availability.js';
import { compareText } from '../support/compare-text.js';
import { type Candidate, compileCandidate, fullness } from './candidate.js';
import { type CompiledService, compileService, type ServicePlace } from './service-rules.js';
import { type WorkingTime, workingTime } from './working-time.js';

/** What a service needs of one kind. */
export interface Requirement {
  readonly kind: 'agent' | 'resource';
  readonly count: number;
  /** In the order in which the service names them. */
  readonly named: readonly Candidate[];
  /** By code point of their ids. */
  readonly candidates: readonly Candidate[];
}

/** All that answers whether, when and with whom a service can be had. */
export interface Question {
  readonly service: CompiledService;
  readonly requirements: readonly Requirement[];
  /** Everybody who may take part, by code point. */
  readonly actorIds: readonly string[];
  /** True = an actor may stand for two requirements. */
  readonly isShared: boolean;
  /** Whether a limit of the service is reached for this start. */
  readonly isFull: (start: Instant) => boolean;
  readonly overrides: ReadonlySet<TimeReasonCode>;
}

/** What a question is made of. */
export interface QuestionParts extends ServicePlace {
  readonly service: KnownService;
  /** The time of everything that will be asked: from the first start to the end of the longest booking. */
  readonly window: TimeWindow;
  readonly hours: readonly ActorHours[];
  /** What stands in the way or counts for limits; without the appointment that is moved, and without the caller's own hold. */
  readonly busy: readonly BusyEntry[];
  /** When actors are taken, in the place of `busy` where nobody asks why, and nothing is counted. Default none. */
  readonly taken?: readonly ActorTimes[] | undefined;
  readonly elsewhere: readonly BusyElsewhere[];
  /** Actors of whom nobody knows how busy they are elsewhere. */
  readonly staleActorIds: ReadonlySet<string>;
  /** Only these agents; absent = all that the service names. */
  readonly agentIds?: readonly string[] | undefined;
  /** Reasons that are passed over. Default none. */
  readonly overrides?: readonly OverridableReason[] | undefined;
}

function byActor<Item extends { readonly actorId: string }>(
  items: readonly Item[],
): (actorId: string) => readonly Item[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.actorId);
    if (group === undefined) groups.set(item.actorId, [item]);
    else group.push(item);
  }
  return (actorId) => groups.get(actorId) ?? [];
}

/** Compiles a question: all that does not depend on the start is done here, once. */
export function compileQuestion(parts: QuestionParts): Question {
  const service = compileService(parts.service, parts);
  const hours = new Map(parts.hours.map((rules) => [rules.actorId, rules]));
  const [busy, elsewhere] = [byActor(parts.busy), byActor(parts.elsewhere)];
  const taken = new Map(parts.taken?.map(({ actorId, spans }) => [actorId, spans]));
  const agents = parts.agentIds === undefined ? undefined : new Set(parts.agentIds);

  const shared = new Map<string, WorkingTime>();
  /** Most have the same hours as others. */
  const workingOf = (own: ActorHours | undefined): WorkingTime | undefined => {
    if (own === undefined) return undefined;
    const key = JSON.stringify([own.timezone, own.weekly, own.exceptions]);
    const working = shared.get(key) ?? workingTime(own, parts.window);
    shared.set(key, working);
    return working;
  };

  const known = new Map<string, Candidate>();
  const candidateOf = (id: string, kind: Requirement['kind']): Candidate => {
    const key = `${kind} ${id}`;
    const candidate =
      known.get(key) ??
      compileCandidate(
        {
          id,
          kind,
          working: workingOf(hours.get(id)),
          entries: busy(id),
          elsewhere: elsewhere(id),
          taken: taken.get(id) ?? [],
          isStale: parts.staleActorIds.has(id),
        },
        service,
      );
    known.set(key, candidate);
    return candidate;
  };

  const requirements = service.requirements.map(({ kind, anyOf, count = 1 }): Requirement => {
    const ids = [...new Set(anyOf)].filter((id) => kind === 'resource' || agents === undefined || agents.has(id));
    const named = ids.map((id) => candidateOf(id, kind));
    return { kind, count, named, candidates: named.toSorted((one, other) => compareText(one.id, other.id)) };
  });
  const ids = requirements.flatMap(({ named }) => named.map(({ id }) => id));
  const actorIds = [...new Set(ids)].sort(compareText);
  const limits = service.limits.filter(({ per }) => per === 'service');
  return {
    service,
    requirements,
    actorIds,
    isShared: actorIds.length < ids.length,
    isFull: fullness(limits, busy(service.actorId), { clock: service.clock, service }),
    overrides: new Set(parts.overrides),
  };
}
