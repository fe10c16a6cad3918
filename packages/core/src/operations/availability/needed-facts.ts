import { days, type Instant, lastInstant, type ServiceRules, type TimeWindow } from '@calends/model';
import { serviceActorId } from '../../domain/appointments/participants.js';
import type { HoursQuery } from '../../ports/availability-source.js';
import { buffersOf } from '../../availability/service-rules.js';
import { dateOfDay } from '../../availability/zone-clock.js';

/** What will be asked of a service. */
export interface Asked {
  readonly applicationId: string;
  readonly serviceId: string;
  /** From the first start to the end of the longest booking. */
  readonly window: TimeWindow;
  /** Least buffer of every booking of the application, in milliseconds. */
  readonly minBuffer: number;
  /** Only these agents; absent = all that the service names. */
  readonly agentIds?: readonly string[] | undefined;
  /** True = actors will be chosen: the strategy looks at more than what stands in the way. */
  readonly isChoosing: boolean;
}

/** What stores and sources must be asked for, before a question can be compiled. */
export interface NeededFacts {
  /** Everybody who may take part, each once: whose hours and other calendars to ask for. */
  readonly actorIds: readonly string[];
  /** The same, and the service where its limits count: whose entries to ask the actor index for. */
  readonly busyActorIds: readonly string[];
  /** In which time, buffers, days, weeks and turns included. */
  readonly busy: TimeWindow;
  /** In which time other calendars matter. */
  readonly elsewhere: TimeWindow;
  readonly days: HoursQuery['days'];
}

const day = days(1);
/** How far back `round-robin` looks for whose turn it was. */
const turns = days(28);

const dateOf = (instant: Instant): string => dateOfDay(Math.floor(Math.min(instant, lastInstant) / day));

/** Which time, days and actors a question is about: rather too much than too little, since zones of actors are not known yet. */
export function neededFacts(
  service: ServiceRules,
  { applicationId, serviceId, window, minBuffer, agentIds, isChoosing }: Asked,
): NeededFacts {
  const named = service.requirements.flatMap(({ kind, anyOf }) =>
    kind === 'agent' && agentIds !== undefined ? anyOf.filter((id) => agentIds.includes(id)) : anyOf,
  );
  const actorIds = [...new Set(named)];
  const limits = service.limits ?? [];
  const { before, after } = buffersOf(service, minBuffer);
  const { strategy = 'balanced' } = service.assignment ?? {};
  const reachOf = { day: days(2), week: days(8) } as const;
  const reach = Math.max(
    0,
    ...limits.map((limit) => reachOf[limit.window]),
    isChoosing && strategy === 'balanced' ? reachOf.week : 0,
  );
  const back = isChoosing && strategy === 'round-robin' ? turns : 0;
  return {
    actorIds,
    busyActorIds: limits.some(({ per }) => per === 'service')
      ? [...actorIds, serviceActorId(applicationId, serviceId)]
      : actorIds,
    busy: { from: window.from - Math.max(before, reach, back), to: window.to + Math.max(after, reach) },
    elsewhere: { from: window.from - before, to: window.to + after },
    // A day for the zone, and two for shifts that began before (see `workingTime`); one more after.
    days: { from: dateOf(window.from - 3 * day), until: dateOf(window.to + day) },
  };
}
