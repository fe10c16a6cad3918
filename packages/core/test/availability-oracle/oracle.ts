// What free times are, said a second time from the rules of the design alone: slowly, minute by minute. It takes from the
// library nothing but types.
import { Temporal } from 'temporal-polyfill';
import type { TimeReason } from '../../src/domain/calls/errors.js';
import { openingsOf, openMinutes } from './working-time.js';
import type { Taken, World } from './world.js';
import { dateAt, minute, minutesOfDay, mondayOf, wallAt } from './zones.js';

/** Who is taken for each requirement. */
export type Chosen = readonly (readonly string[])[];

/** What is so of one start. */
export interface Verdict {
  readonly reasons: readonly TimeReason[];
  /** All that are free, by code point. */
  readonly actorIds: readonly string[];
  /** Absent where it is not free. */
  readonly chosen?: Chosen | undefined;
}

const codes = [
  ...['OFF_GRID', 'LEAD_TIME', 'HORIZON', 'OUTSIDE_HOURS', 'CLOSED', 'SOURCE_STALE', 'BUSY', 'BUFFER', 'HELD'],
  ...['BUSY_ELSEWHERE', 'LIMIT', 'NO_ACTOR'],
];

const durations = new Map<string, number>();

function lengthOf(iso = 'PT0M'): number {
  let length = durations.get(iso);
  if (length === undefined) durations.set(iso, (length = Temporal.Duration.from(iso).total('milliseconds')));
  return length;
}

export function byCodePoint(one: string, other: string): number {
  const [left, right] = [Array.from(one), Array.from(other)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const byReason = (one: TimeReason, other: TimeReason): number =>
  codes.indexOf(one.code) - codes.indexOf(other.code) ||
  byCodePoint(one.actorId ?? '', other.actorId ?? '') ||
  byCodePoint(one.appointmentId ?? '', other.appointmentId ?? '');

function distinct(reasons: readonly TimeReason[]): readonly TimeReason[] {
  const keyOf = ({ code, actorId, appointmentId }: TimeReason) => JSON.stringify([code, actorId, appointmentId]);
  return [...new Map(reasons.map((reason) => [keyOf(reason), reason])).values()].sort(byReason);
}

interface Wanted {
  readonly count: number;
  readonly free: readonly string[];
}

/** The first way to give each requirement its actors, none twice: all ways are tried, in the order of the candidates. */
function firstWay(wanted: readonly Wanted[]): Chosen | undefined {
  function fill(place: number, chosen: Chosen): Chosen | undefined {
    const requirement = wanted[place];
    if (requirement === undefined) return chosen;
    const { count, free } = requirement;
    const take = (from: number, own: readonly string[]): Chosen | undefined => {
      if (own.length === count) return fill(place + 1, [...chosen, own]);
      for (let at = from; at < free.length; at++) {
        if (chosen.some((others) => others.includes(free[at]!))) continue;
        const found = take(at + 1, [...own, free[at]!]);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return take(0, []);
  }
  return fill(0, []);
}

/** What the oracle says of a world. */
export interface Oracle {
  decide(start: number): Verdict;
  /** Each minute of the window that is free. */
  offers(): readonly { readonly start: number; readonly actorIds: readonly string[] }[];
}

export function oracle(world: World): Oracle {
  const { rules, serviceId, now, duration } = world;
  const zone = rules.timezone;
  const before = Math.max(lengthOf(rules.bufferBefore), world.buffer);
  const after = Math.max(lengthOf(rules.bufferAfter), world.buffer);
  const step = lengthOf(rules.grid.step);
  const today = dateAt(now, zone);
  const taken = world.taken.filter(({ id, until }) => id !== world.movedId && (until === undefined || until > now));
  const ofActors = new Map<string, readonly Taken[]>();
  for (const actorId of taken.flatMap(({ actorIds }) => actorIds)) {
    ofActors.set(
      actorId,
      taken.filter(({ actorIds }) => actorIds.includes(actorId)),
    );
  }
  const takenOf = (actorId: string): readonly Taken[] => ofActors.get(actorId) ?? [];
  const ofService = taken.filter((entry) => entry.serviceId === serviceId);
  const span = {
    start: Math.min(world.from, ...world.starts),
    end: Math.max(world.to, ...world.starts) + duration,
  };

  const requirements = rules.requirements.map(({ kind, anyOf, count = 1 }) => {
    const all = [...new Set(anyOf)];
    const asked =
      kind === 'agent' && world.agentIds !== undefined ? all.filter((id) => world.agentIds!.includes(id)) : all;
    return { kind, count, candidates: asked };
  });

  const named = new Set(requirements.flatMap(({ candidates }) => candidates));
  const working = new Map(
    world.hours.flatMap((hours) => {
      const { actorId, timezone } = hours;
      if (!named.has(actorId)) return [];
      const openings = openingsOf(hours, span, true);
      const isUsual = openMinutes(openingsOf(hours, span, false), span);
      return [[actorId, { timezone, openings, isOpen: openMinutes(openings, span), isUsual }]];
    }),
  );

  const windowOf = (at: number, window: 'day' | 'week', inZone: string): number =>
    window === 'day' ? dateAt(at, inZone) : mondayOf(dateAt(at, inZone));
  const countIn = (entries: readonly Taken[], start: number, window: 'day' | 'week', inZone: string): number =>
    entries.filter((entry) => windowOf(entry.start, window, inZone) === windowOf(start, window, inZone)).length;

  function slotReasons(start: number): readonly TimeReason[] {
    const reasons: TimeReason[] = [];
    const wall = wallAt(start, zone);
    if (rules.grid.anchor !== 'opening' && (wall % (minutesOfDay * minute)) % step !== 0)
      reasons.push({ code: 'OFF_GRID' });
    const { leadTime, horizon } = rules;
    const date = dateAt(start, zone);
    if (
      start < now ||
      (leadTime !== undefined && 'duration' in leadTime && start < now + lengthOf(leadTime.duration)) ||
      (leadTime !== undefined && 'days' in leadTime && date < today + leadTime.days)
    ) {
      reasons.push({ code: 'LEAD_TIME' });
    }
    if (
      (horizon !== undefined && 'duration' in horizon && start > now + lengthOf(horizon.duration)) ||
      (horizon !== undefined && 'days' in horizon && date > today + horizon.days)
    ) {
      reasons.push({ code: 'HORIZON' });
    }
    for (const { per, window, max } of rules.limits ?? []) {
      if (per === 'service' && countIn(ofService, start, window, zone) >= max) reasons.push({ code: 'LIMIT' });
    }
    return reasons;
  }

  function actorReasons(actorId: string, kind: 'agent' | 'resource', start: number): readonly TimeReason[] {
    const reasons: TimeReason[] = [];
    const end = start + duration;
    const hours = working.get(actorId);
    if (hours === undefined) {
      if (kind === 'agent') reasons.push({ code: 'OUTSIDE_HOURS', actorId });
    } else if (!hours.isOpen(start, end)) {
      reasons.push({ code: hours.isUsual(start, end) ? 'CLOSED' : 'OUTSIDE_HOURS', actorId });
    }
    if (rules.grid.anchor === 'opening') {
      const isOn = (opening: { readonly start: number; readonly end: number }) =>
        start >= opening.start && start < opening.end && (start - opening.start) % step === 0;
      if (hours === undefined || !hours.openings.some(isOn)) reasons.push({ code: 'OFF_GRID', actorId });
    }
    if (world.stale.includes(actorId)) reasons.push({ code: 'SOURCE_STALE', actorId });
    const own = takenOf(actorId);
    for (const entry of own) {
      if (!entry.blocks) continue;
      const meets = entry.start < end && entry.end > start;
      const isNear =
        (entry.start < end + after && entry.end > start - before) ||
        (entry.start - entry.before < end && entry.end + entry.after > start);
      if (!meets && !isNear) continue;
      if (entry.until !== undefined) reasons.push({ code: 'HELD', actorId });
      else reasons.push({ code: meets ? 'BUSY' : 'BUFFER', actorId, appointmentId: entry.id });
    }
    for (const other of world.elsewhere) {
      if (other.actorId === actorId && other.from < end + after && other.to > start - before) {
        reasons.push({ code: 'BUSY_ELSEWHERE', actorId });
      }
    }
    for (const { per, window, max, of } of rules.limits ?? []) {
      if (per !== 'agent' || kind !== 'agent') continue;
      const counted = of === 'any' ? own : own.filter((entry) => entry.serviceId === serviceId);
      if (countIn(counted, start, window, hours?.timezone ?? zone) >= max) reasons.push({ code: 'LIMIT', actorId });
    }
    return reasons;
  }

  /** Whom the strategy would rather take, the best first; equals by place. */
  function ordered(candidates: readonly string[], start: number): readonly string[] {
    const { strategy, weights = {} } = rules.assignment ?? { strategy: 'balanced' as const };
    if (strategy === 'priority') return candidates;
    const rank = (actorId: string): number => {
      const own = takenOf(actorId);
      if (strategy === 'round-robin') {
        return Math.max(
          -Infinity,
          ...own.filter((entry) => entry.serviceId === serviceId && entry.start < start).map((entry) => entry.start),
        );
      }
      const isThisWeek = (entry: Taken) => windowOf(entry.start, 'week', zone) === windowOf(start, 'week', zone);
      const booked = own.filter((entry) => entry.blocks && isThisWeek(entry));
      return booked.reduce((sum, entry) => sum + entry.end - entry.start, 0) / (weights[actorId] ?? 1);
    };
    const ranks = new Map(candidates.map((actorId) => [actorId, rank(actorId)]));
    const compare = (one: string, other: string) =>
      ranks.get(one) === ranks.get(other) ? 0 : ranks.get(one)! - ranks.get(other)!;
    return [...candidates].sort(compare);
  }

  /** The reasons as they come, many of them twice; none = free. */
  function judge(start: number) {
    const judged = requirements.map(({ kind, count, candidates }) => {
      const why = candidates.map((actorId) => actorReasons(actorId, kind, start));
      const free = candidates.filter((_, place) => why[place]!.length === 0);
      return { count, candidates, free, reasons: why.flat() };
    });
    const lacking = judged.filter(({ free, count }) => free.length < count);
    const reasons = [...slotReasons(start), ...lacking.flatMap((requirement) => requirement.reasons)];
    const isShort = lacking.some(({ candidates, count }) => candidates.length < count);
    if (isShort || (lacking.length === 0 && firstWay(judged) === undefined)) reasons.push({ code: 'NO_ACTOR' });
    return { judged, reasons, actorIds: [...new Set(judged.flatMap(({ free }) => free))].sort(byCodePoint) };
  }

  return {
    decide(start) {
      const { judged, reasons, actorIds } = judge(start);
      if (reasons.length > 0) return { reasons: distinct(reasons), actorIds };
      const inOrder = judged.map(({ count, free }) => ({ count, free: ordered(free, start) }));
      return { reasons, actorIds, chosen: firstWay(inOrder) };
    },
    offers() {
      const found = [];
      for (let start = Math.ceil(world.from / minute) * minute; start < world.to; start += minute) {
        if (slotReasons(start).length > 0) continue;
        const { reasons, actorIds } = judge(start);
        if (reasons.length === 0) found.push({ start, actorIds });
      }
      return found;
    },
  };
}
