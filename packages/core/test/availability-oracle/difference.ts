import { chooseActors } from '../../src/availability/choose-actors.js';
import { decideSlot } from '../../src/availability/decide-slot.js';
import { findSlots } from '../../src/availability/find-slots.js';
import { compileQuestion, type Question } from '../../src/availability/question.js';
import { serviceActorId } from '../../src/domain/appointments/participants.js';
import type { BusyEntry } from '../../src/ports/store/availability.js';
import { oracle } from './oracle.js';
import type { Taken, World } from './world.js';

const applicationId = 'app-1';

/** What a store would list of it. */
function entriesOf({ id, until, ...taken }: Taken): readonly BusyEntry[] {
  const { start, end, before, after, serviceId } = taken;
  const serviceActor = serviceId === undefined ? undefined : serviceActorId(applicationId, serviceId);
  const entry = {
    start,
    end,
    busy: { from: start - before, to: end + after },
    serviceActorId: serviceActor,
    ...(until === undefined ? { appointmentId: id } : { holdId: id }),
  };
  const ofActors = taken.actorIds.map((actorId) => ({ ...entry, actorId, blocks: taken.blocks }));
  return serviceActor === undefined ? ofActors : [...ofActors, { ...entry, actorId: serviceActor, blocks: false }];
}

function questionOf(world: World): Question {
  const { now, movedId } = world;
  const stands = ({ id, until }: Taken): boolean => id !== movedId && (until === undefined || until > now);
  return compileQuestion({
    service: { ...world.rules, id: world.serviceId },
    applicationId,
    minBuffer: world.buffer,
    now,
    window: {
      from: Math.min(world.from, ...world.starts),
      to: Math.max(world.to, ...world.starts) + world.duration,
    },
    hours: world.hours,
    busy: world.taken.filter(stands).flatMap(entriesOf),
    elsewhere: world.elsewhere,
    staleActorIds: new Set(world.stale),
    agentIds: world.agentIds,
  });
}

/** All that the core finds, asked on from where each answer ends. */
function inPages(question: Question, { from, to, duration }: World, max: number) {
  const found: { readonly start: number; readonly actorIds: readonly string[] }[] = [];
  let next: number | undefined = from;
  while (next !== undefined) {
    const page = findSlots(question, { from: next, to, duration, max: Math.max(1, max) });
    found.push(...page.slots.map(({ start, actorIds }) => ({ start, actorIds })));
    next = page.next;
  }
  return found;
}

/** What the core says otherwise than the oracle; `undefined` where they agree. */
export function difference(world: World): unknown {
  const asked = oracle(world);
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

  const expected = asked.offers();
  const found = inPages(questionOf(world), world, Math.ceil(expected.length / 2));
  if (!isSame(found, expected)) return { offers: { expected, found } };

  const starts = [...world.starts, ...found.slice(0, 1).map(({ start }) => start)];
  for (const start of starts) {
    const slot = { start, end: start + world.duration };
    const verdict = asked.decide(start);
    // As the library asks about one start: of that time alone.
    const question = questionOf({ ...world, from: start, to: start, starts: [] });
    const decision = decideSlot(question, slot);
    const reasons = decision.free ? [] : decision.reasons();
    if (decision.free !== (verdict.reasons.length === 0) || !isSame(inFull(reasons), inFull(verdict.reasons))) {
      return { start, expected: verdict.reasons, decided: reasons };
    }
    const choice = chooseActors(question, slot);
    if (choice.free !== decision.free) return { start, decided: decision, chosen: choice };
    if (!choice.free) continue;
    const [first] = choice.choices;
    const ofKind = (wanted: string) =>
      verdict.chosen?.filter((_, place) => world.rules.requirements[place]?.kind === wanted).flat();
    const best = { agentIds: ofKind('agent'), resourceIds: ofKind('resource') };
    if (!isSame(first, best)) return { start, expected: best, chosen: first };
  }
  return undefined;
}

type Reason = ReturnType<ReturnType<typeof oracle>['decide']>['reasons'][number];

/** Every member, in one order. */
const inFull = (reasons: readonly Reason[]) =>
  reasons.map(({ code, actorId = null, appointmentId = null }) => [code, actorId, appointmentId]);
