import { type Instant, offsetSpanAt, type TimeWindow } from '@calends/model';
import type { Candidate } from './candidate.js';
import { actorsAt, idsOf } from './decide-slot.js';
import type { Question } from './question.js';
import { joined, type OpenTime } from './open-time.js';

/** A time that can be booked. */
export interface FreeSlot {
  readonly start: Instant;
  readonly end: Instant;
  /** All that are free then, by code point. */
  readonly actorIds: readonly string[];
}

/** What is looked for. */
export interface SlotSearch extends TimeWindow {
  /** In milliseconds. */
  readonly duration: number;
  /** Greatest number of slots in the answer. */
  readonly max: number;
}

/** So many questions whether one actor is free at one start are asked in one go; nothing else runs in the process meanwhile. */
const maxQuestions = 1_000_000;

/** Walks the starts of the grid from `from` on, before `to`; `next` is where to go on, where the answer was full or the walk too long. */
export function findSlots(
  question: Question,
  { from, to, duration, max }: SlotSearch,
): { readonly slots: readonly FreeSlot[]; readonly next?: Instant } {
  const slots: FreeSlot[] = [];
  const candidates = question.requirements.reduce((sum, requirement) => sum + requirement.candidates.length, 0);
  let startsLeft = Math.ceil(maxQuestions / Math.max(1, candidates));
  for (const start of startsOf(question, { from, to })) {
    if (startsLeft === 0) return { slots, next: start };
    startsLeft -= 1;
    const end = start + duration;
    const actors = actorsAt(question, { start, end });
    if (actors === undefined) continue;
    if (slots.length === max) return { slots, next: start };
    slots.push({ start, end, actorIds: idsOf(question, actors) });
  }
  return { slots };
}

function startsOf(question: Question, asked: TimeWindow): readonly Instant[] {
  const { service, requirements } = question;
  if (!service.grid.isByOpening) return startsAtWork(question, asked);
  const candidates = requirements.flatMap(({ candidates: all }) => all);
  return startsInOpenings(service.grid.step, candidates, asked);
}

function startsAtWork(question: Question, asked: TimeWindow): readonly Instant[] {
  const { grid, clock } = question.service;
  // One list of numbers: a list of lists, made flat, has an object for each.
  const starts: Instant[] = [];
  for (const time of timesToLookAt(question, asked)) addStartsOnWall(starts, grid.step, clock.timezone, time);
  return starts;
}

/** Where to look at all: nothing is free while nobody works, or the only one is taken, whom one of the requirements could have. */
function timesToLookAt({ requirements, overrides }: Question, { from, to }: TimeWindow): readonly TimeWindow[] {
  const bound = requirements.find(({ candidates }) => !candidates.some(({ isAlwaysOpen }) => isAlwaysOpen));
  if (bound === undefined || overrides.size > 0) return [{ from, to }];
  return openTo(bound.candidates, { from, to })
    .meeting(from, to)
    .map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }));
}

function openTo(candidates: readonly Candidate[], { from, to }: TimeWindow): OpenTime {
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only.free;
  const hours = new Set(candidates.map(({ working }) => working));
  return joined([...hours].flatMap((working) => working?.open.meeting(from, to) ?? []));
}

/** Adds every instant at which the wall clock is on the grid: none in a gap, each twice in an hour that is repeated. */
function addStartsOnWall(starts: Instant[], step: number, timezone: string, { from, to }: TimeWindow): void {
  for (let at = from; at < to;) {
    const { offset, to: change } = offsetSpanAt(at, timezone);
    const end = Math.min(change, to);
    for (let start = Math.ceil((at + offset) / step) * step - offset; start < end; start += step) starts.push(start);
    at = end;
  }
}

/** Every step of every opening. */
function startsInOpenings(
  step: number,
  candidates: readonly Candidate[],
  { from, to }: TimeWindow,
): readonly Instant[] {
  const starts = new Set<Instant>();
  for (const { working } of candidates) {
    for (const opening of working?.openings.meeting(from, to) ?? []) {
      const first = opening.from + Math.ceil(Math.max(0, from - opening.from) / step) * step;
      for (let start = first; start < Math.min(opening.to, to); start += step) starts.add(start);
    }
  }
  return [...starts].sort((one, other) => one - other);
}
