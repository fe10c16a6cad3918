import type { Instant, TimeWindow } from '@calends/model';
import type { BusyElsewhere } from '../ports/busy-source.js';
import type { BusyEntry } from '../ports/store/availability.js';
import { keptFrom, widened } from '../ports/store/actor-times.js';
import { type CompiledService, type ServiceLimit, windowNumber } from './service-rules.js';
import { OpenTime, without } from './open-time.js';
import { SpanIndex } from './span-index.js';
import type { WorkingTime } from './working-time.js';
import type { ZoneClock } from './zone-clock.js';

/** An entry of the actor index with the whole time in which it may be in the way. */
interface TakenTime extends TimeWindow {
  readonly entry: BusyEntry;
}

/** Who may take part, with all that decides whether they are free. */
export interface Candidate {
  readonly id: string;
  /** Absent for who has no hours. */
  readonly working: WorkingTime | undefined;
  /** True for a resource without hours; an agent without hours never works. */
  readonly isAlwaysOpen: boolean;
  /** Of their hours, else that of the service. */
  readonly clock: ZoneClock;
  /** All that counts, what does not block too. */
  readonly entries: readonly BusyEntry[];
  readonly taken: SpanIndex<TakenTime>;
  readonly elsewhere: SpanIndex<BusyElsewhere>;
  /** What is left of their working time, buffers off: hours, bookings, holds and other calendars in one look. */
  readonly free: OpenTime;
  readonly isStale: boolean;
  /** Whether a limit of the agent is reached for this start. */
  readonly isFull: (start: Instant) => boolean;
}

/** What is known of who may take part. */
export interface CandidateParts {
  readonly id: string;
  readonly kind: 'agent' | 'resource';
  readonly working: WorkingTime | undefined;
  readonly entries: readonly BusyEntry[];
  /** Begins and ends in turn, as `ActorTimes` has them. */
  readonly taken: readonly number[];
  readonly elsewhere: readonly BusyElsewhere[];
  readonly isStale: boolean;
}

const always = new OpenTime([-Infinity, Infinity]);
const never = new OpenTime([]);

/** Compiles all that does not depend on the start. */
export function compileCandidate(parts: CandidateParts, service: CompiledService): Candidate {
  const { id, kind, working, entries, isStale } = parts;
  const clock = working?.clock ?? service.clock;
  const limits = kind === 'agent' ? service.limits.filter(({ per }) => per === 'agent') : [];
  const isAlwaysOpen = kind === 'resource' && working === undefined;
  const blocking = entries.filter(({ blocks }) => blocks);
  const gone = [
    ...blocking.map((entry) => keptFrom(entry, service.buffers)),
    ...parts.elsewhere.map((span) => widened(span, service.buffers)),
  ].flatMap(instantsOf);
  return {
    id,
    working,
    isAlwaysOpen,
    clock,
    entries,
    taken: new SpanIndex(blocking.map(takenTime)),
    elsewhere: new SpanIndex(parts.elsewhere),
    free: isStale
      ? never
      : without(
          isAlwaysOpen ? always : (working?.open ?? never),
          gone.length === 0 ? parts.taken : [...parts.taken, ...gone],
        ),
    isStale,
    isFull: fullness(limits, entries, { clock, service }),
  };
}

function takenTime(entry: BusyEntry): TakenTime {
  return { entry, from: Math.min(entry.start, entry.busy.from), to: Math.max(entry.end, entry.busy.to) };
}

const instantsOf = ({ from, to }: TimeWindow): readonly Instant[] => [from, to];

/** Tells of a start whether one of the limits is reached in its day or week. */
export function fullness(
  limits: readonly ServiceLimit[],
  entries: readonly BusyEntry[],
  { clock, service }: { readonly clock: ZoneClock; readonly service: Pick<CompiledService, 'actorId'> },
): (start: Instant) => boolean {
  const counted = limits.map((limit) => {
    const counts = new Map<number, number>();
    for (const { start, serviceActorId } of entries) {
      if (limit.of !== 'any' && serviceActorId !== service.actorId) continue;
      const number = windowNumber(limit, start, clock);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return { limit, counts };
  });
  if (counted.length === 0) return () => false;
  return (start) =>
    counted.some(({ limit, counts }) => (counts.get(windowNumber(limit, start, clock)) ?? 0) >= limit.max);
}
