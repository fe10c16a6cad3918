import { timeReasonCodes } from '@calends/model';
import type { TimeReason } from '../domain/calls/errors.js';
import { compareText } from '../support/compare-text.js';
import { isAssignable } from './assign.js';
import type { Candidate } from './candidate.js';
import type { Question } from './question.js';
import { actorReasons, isFree, type Slot, slotReasons } from './slot-rules.js';

/** For each requirement those that are free, by code point of their ids. */
type FreeActors = readonly (readonly Candidate[])[];

/** Whether a time can be had. */
export type Decision =
  | { readonly free: true; readonly actors: FreeActors }
  | {
      readonly free: false;
      /**
       * Distinct, in the order of `timeReasonCodes`, then by actor and appointment by code point, absent ones first. Made
       * when asked for: where only free or not matters, the first reason is enough.
       */
      readonly reasons: () => readonly TimeReason[];
    };

/** The one decision: find, explain, hold and book all ask it. */
export function decideSlot(question: Question, slot: Slot): Decision {
  const actors = actorsAt(question, slot);
  return actors === undefined ? { free: false, reasons: () => allReasons(question, slot) } : { free: true, actors };
}

/** The same without reasons, of which a search makes none for the starts that it leaves out; `undefined` = the time cannot be had. */
export function actorsAt(question: Question, slot: Slot): FreeActors | undefined {
  if (slotReasons(slot, question).length > 0) return undefined;
  const actors = freeActors(question, slot);
  return areEnough(question, actors) && hasAssignment(question, actors) ? actors : undefined;
}

/** Whether a time that cannot be had could be, were it not for limits. */
export function isForLimits(question: Question, slot: Slot): boolean {
  return decideSlot({ ...question, overrides: new Set([...question.overrides, 'LIMIT']) }, slot).free;
}

/** All that are free for any requirement, by code point. */
export function idsOf({ requirements, actorIds }: Question, actors: FreeActors): readonly string[] {
  const [only = []] = actors;
  // Answers of a search share their list where everybody is free.
  if (actors.length === 1) return only === requirements[0]?.candidates ? actorIds : only.map(({ id }) => id);
  const free = new Set(actors.flatMap((ofOne) => ofOne.map(({ id }) => id)));
  return actorIds.filter((id) => free.has(id));
}

const freeActors = (question: Question, slot: Slot): FreeActors =>
  question.requirements.map(({ candidates }) => freeOf(candidates, slot, question));

/** Those that are free. A search asks it of each start: where all are, there is no list to make. */
function freeOf(candidates: readonly Candidate[], slot: Slot, question: Question): readonly Candidate[] {
  let free: Candidate[] | undefined;
  let count = 0;
  for (const candidate of candidates) {
    if (isFree(candidate, slot, question)) {
      free?.push(candidate);
      count += 1;
    } else {
      free ??= candidates.slice(0, count);
    }
  }
  return free ?? candidates;
}

const areEnough = ({ requirements }: Question, actors: FreeActors): boolean =>
  requirements.every(({ count }, place) => (actors[place]?.length ?? 0) >= count);

const lacking = ({ requirements }: Question, actors: FreeActors): Question['requirements'] =>
  requirements.filter(({ count }, place) => (actors[place]?.length ?? 0) < count);

/** Whether nobody has to come twice, where each requirement by itself has enough. */
const hasAssignment = ({ requirements, isShared }: Question, actors: FreeActors): boolean =>
  !isShared ||
  isAssignable(requirements.map(({ count }, place) => ({ count, ids: actors[place]?.map(({ id }) => id) ?? [] })));

function allReasons(question: Question, slot: Slot): readonly TimeReason[] {
  const actors = freeActors(question, slot);
  const short = lacking(question, actors);
  const isImpossible =
    short.length === 0 ? !hasAssignment(question, actors) : short.some(({ count, named }) => named.length < count);
  const reasons = [
    ...slotReasons(slot, question),
    ...short.flatMap(({ candidates }) => candidates.flatMap((candidate) => actorReasons(candidate, slot, question))),
    ...(isImpossible ? [{ code: 'NO_ACTOR' } as const] : []),
  ].sort(compareReasons);
  return reasons.filter((reason, place) => {
    const before = reasons[place - 1];
    return before === undefined || compareReasons(before, reason) !== 0;
  });
}

function compareReasons(one: TimeReason, other: TimeReason): number {
  return (
    timeReasonCodes.indexOf(one.code) - timeReasonCodes.indexOf(other.code) ||
    compareText(one.actorId ?? '', other.actorId ?? '') ||
    compareText(one.appointmentId ?? '', other.appointmentId ?? '')
  );
}
