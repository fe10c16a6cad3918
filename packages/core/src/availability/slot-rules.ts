import { type Instant, offsetAt } from '@calends/model';
import type { TimeReason } from '../domain/calls/errors.js';
import type { Candidate } from './candidate.js';
import type { Question } from './question.js';
import type { CompiledService } from './service-rules.js';

/** A time that may be booked. */
export interface Slot {
  readonly start: Instant;
  readonly end: Instant;
}

type SlotRule = (slot: Slot, question: Question) => readonly TimeReason[];
type ActorRule = (actor: Candidate, slot: Slot, service: CompiledService) => readonly TimeReason[];

const fine: readonly never[] = [];

/** What is asked of the time itself, whoever comes. */
const slotRules: readonly SlotRule[] = [
  function isOnGrid({ start }, { service: { grid, clock } }) {
    if (grid.isByOpening) return fine;
    const wall = start + offsetAt(start, clock.timezone);
    // The same as `wall % step`, which takes several times as long for numbers of this size.
    return Math.floor(wall / grid.step) * grid.step === wall ? fine : [{ code: 'OFF_GRID' }];
  },
  function isLateEnough({ start }, { service: { earliest, clock } }) {
    const isEarly = start < earliest.instant || (earliest.day > -Infinity && clock.dayAt(start) < earliest.day);
    return isEarly ? [{ code: 'LEAD_TIME' }] : fine;
  },
  function isSoonEnough({ start }, { service: { latest, clock } }) {
    const isLate = start > latest.instant || (latest.day < Infinity && clock.dayAt(start) > latest.day);
    return isLate ? [{ code: 'HORIZON' }] : fine;
  },
  function isWithinLimits({ start }, { isFull }) {
    return isFull(start) ? [{ code: 'LIMIT' }] : fine;
  },
];

function fitsOwnGrid({ working }: Candidate, { start }: Slot, { grid }: CompiledService): boolean {
  if (!grid.isByOpening) return true;
  const openings = working?.openings.meeting(start, start + 1) ?? fine;
  return openings.some(({ from }) => (start - from) % grid.step === 0);
}

/** What is asked of each who may come. */
const actorRules: readonly ActorRule[] = [
  function isAtWork({ id: actorId, working, isAlwaysOpen }, { start, end }) {
    if (isAlwaysOpen || working?.open.covers(start, end) === true) return fine;
    const isException = working !== undefined && working.usual !== working.open && working.usual.covers(start, end);
    return [{ code: isException ? 'CLOSED' : 'OUTSIDE_HOURS', actorId }];
  },
  function isOnOwnGrid(actor, slot, service) {
    return fitsOwnGrid(actor, slot, service) ? fine : [{ code: 'OFF_GRID', actorId: actor.id }];
  },
  function isKnown({ id: actorId, isStale }) {
    return isStale ? [{ code: 'SOURCE_STALE', actorId }] : fine;
  },
  function isNotTaken({ id: actorId, taken }, { start, end }, { buffers }) {
    const [from, to] = [start - buffers.before, end + buffers.after];
    const near = taken.meeting(from, to);
    if (near.length === 0) return fine;
    // The larger of two buffers, not their sum: one's busy span meets the other's appointment.
    return near.flatMap(({ entry }): readonly TimeReason[] => {
      const isBusy = entry.start < end && entry.end > start;
      const isNear = (entry.start < to && entry.end > from) || (entry.busy.from < end && entry.busy.to > start);
      if (!isBusy && !isNear) return fine;
      if (entry.appointmentId === undefined) return [{ code: 'HELD', actorId }];
      return [{ code: isBusy ? 'BUSY' : 'BUFFER', actorId, appointmentId: entry.appointmentId }];
    });
  },
  function isNotElsewhere({ id: actorId, elsewhere }, { start, end }, { buffers }) {
    const isMet = elsewhere.meeting(start - buffers.before, end + buffers.after).length > 0;
    return isMet ? [{ code: 'BUSY_ELSEWHERE', actorId }] : fine;
  },
  function isWithinOwnLimits({ id: actorId, isFull }, { start }) {
    return isFull(start) ? [{ code: 'LIMIT', actorId }] : fine;
  },
];

/** Whether a reason counts; staff may pass over some. */
const counts = ({ code }: TimeReason, { overrides }: Question): boolean => !overrides.has(code);

/** Why the time cannot be had whoever comes; none = it can. A search asks it of each start: it makes a list where there is a reason. */
export function slotReasons(slot: Slot, question: Question): readonly TimeReason[] {
  let reasons: readonly TimeReason[] = fine;
  for (const rule of slotRules) {
    const broken = rule(slot, question);
    if (broken.length > 0) reasons = [...reasons, ...broken.filter((reason) => counts(reason, question))];
  }
  return reasons;
}

/** Why one cannot come, all of it. */
export const actorReasons = (actor: Candidate, slot: Slot, question: Question): readonly TimeReason[] =>
  actorRules.flatMap((rule) => rule(actor, slot, question.service)).filter((reason) => counts(reason, question));

/** Whether there is no reason against one. A search asks it of each start and actor, so it looks at what was compiled of the rules. */
export function isFree(actor: Candidate, slot: Slot, question: Question): boolean {
  const { service, overrides } = question;
  if (overrides.size > 0) return actorReasons(actor, slot, question).length === 0;
  return actor.free.covers(slot.start, slot.end) && fitsOwnGrid(actor, slot, service) && !actor.isFull(slot.start);
}
