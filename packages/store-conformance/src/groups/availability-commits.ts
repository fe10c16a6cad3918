import { availabilityKinds, type Change, type RefusalStatus, type SchedulingStore } from '@calends/core/store';
import { group } from '../conformance-case.js';
import { availabilityOf, expect } from '../expectations.js';
import { fixtureStart, hour } from '../fixtures/appointments.js';
import { aHold, aRecord, deleting, heldAt, holding, recording } from '../fixtures/availability.js';
import type { Words } from '../fixtures/words.js';
import {
  atomicityCases,
  precedenceCases,
  refusals,
  type Refusals,
  type Situation,
  type Trial,
} from '../refused-commits.js';
import { commitAll } from '../steps.js';

const window = { from: fixtureStart, to: fixtureStart + hour };

/** What stands there of availability, and what a change makes of it. */
function heldIn({ organizationId }: Pick<Situation, 'organizationId'>) {
  const holdOf = (id: string, actor: string) =>
    aHold({ organizationId, id, agentIds: [`agent-${actor}`], ownerKey: `owner-${actor}` });
  return {
    used: holdOf('used', '5'),
    given: holdOf('given', '6'),
    rival: holdOf('rival', '7'),
    ended: { ...holdOf('ended', '8'), until: heldAt },
    added: holdOf('added', '5'),
    changed: aRecord({ organizationId, id: 'changed' }),
    gone: aRecord({ organizationId, id: 'gone' }),
    fresh: aRecord({ organizationId, id: 'fresh' }),
  };
}

const nextOf = (situation: Situation) => ({ ...heldIn(situation).changed, version: 2 });

/** Every change uses a hold, gives one up, writes one, and writes and deletes records; nothing is in its way. */
function besides(situation: Situation) {
  const { added, gone, fresh } = heldIn(situation);
  const held = { from: added.start, to: added.end };
  return {
    holds: { consume: 'used', release: ['given'], add: added },
    holdsAt: heldAt,
    records: [recording(nextOf(situation)), deleting(gone), recording(fresh)],
    limits: [{ actorId: 'owner-5', window, max: 1 }],
    guard: { actorIds: ['agent-5', 'agent-6'], window: held, span: held, exceptHoldIds: ['used', 'given'] },
  } satisfies Partial<Change>;
}

/** A hold in another organization with the id `foreign`. */
async function prepare(store: SchedulingStore, situation: Situation, a: Words): Promise<void> {
  const { used, given, rival, ended, changed, gone } = heldIn(situation);
  await commitAll(store, ...[used, given, rival, ended].map((hold) => holding(hold)));
  await commitAll(store, holding(a.of('abroad').hold({ id: 'foreign' })));
  await commitAll(store, a.change({ records: [recording(changed), recording(gone)] }));
}

async function expectBesides(store: SchedulingStore, situation: Situation, isWritten: boolean): Promise<void> {
  const { organizationId } = situation;
  const { used, given, added, changed, gone, fresh } = heldIn(situation);
  const found = (id: string) => availabilityOf(store).findHold(organizationId, id);
  expect(await Promise.all([used, given, added].map(({ id }) => found(id)))).toEqual(
    isWritten ? [undefined, undefined, added] : [used, given, undefined],
  );
  expect(await availabilityOf(store).listRecords({ organizationId, kinds: availabilityKinds })).toEqual(
    isWritten ? [nextOf(situation), fresh] : [changed, gone],
  );
}

const consuming = (consume: string) => (situation: Situation) => ({ holds: { ...besides(situation).holds, consume } });
const limited = (actorId: string) => (situation: Situation) => ({
  limits: [...besides(situation).limits, { actorId, window, max: 1 }],
});

/** Also what holds, limits and records refuse. */
const all = {
  ...refusals,
  stale: {
    ...refusals.stale,
    'a record has another version': (situation) => ({
      records: [...besides(situation).records, deleting(aRecord({ id: 'unknown' }))],
    }),
  },
  holdLost: {
    'the hold to use is not there': consuming('unknown'),
    'the hold to use has ended': consuming('ended'),
    'the hold to use is one of another organization': consuming('foreign'),
  },
  limitReached: {
    'a limit of appointments is reached': limited('agent-9'),
    'a limit of holds is reached': limited('owner-7'),
  },
  slotConflict: {
    ...refusals.slotConflict,
    'a living hold stands in the way': (situation) => {
      const { guard } = besides(situation);
      return { guard: { ...guard, actorIds: [...guard.actorIds, 'agent-7'] } };
    },
  },
} as const satisfies Required<Refusals>;

const trial: Trial = { refusals: all, besides, prepare, expectBesides };
const own: readonly RefusalStatus[] = ['holdLost', 'limitReached'];

/** All that are of availability, and one of each other kind of refusal. */
const names = Object.entries(all).flatMap(([status, of]) => {
  const [first, ...others] = Object.keys(of);
  const known = Object.keys((refusals as Refusals)[status as RefusalStatus] ?? {});
  return [first ?? '', ...others.filter((name) => !known.includes(name))];
});

export const availabilityCommitsGroup = group('holds, limits and records stand or fall with their commit', [
  { rule: 'all-or-nothing' },
  ...atomicityCases(trial, names),
  { rule: 'refusal-order' },
  ...precedenceCases(trial, own),
]);
