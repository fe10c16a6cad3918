import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agent, customer, scheduled } from '../../test/sample-appointments.js';
import { busyReasons } from './overlap.js';

/** Organized by agent-1; assigned to agent-2; of the customer whose identity is `identity-1`. */
const standing = scheduled({ id: 'standing' });
const shared = scheduled({ id: 'shared', participants: [agent('agent-1'), agent('agent-2'), customer] });

describe('The reasons of a taken time (D75)', () => {
  it.each([
    ['an assigned agent', ['agent-2'], [{ code: 'BUSY', appointmentId: 'standing', actorId: 'agent-2' }]],
    ['the organizer', ['agent-1'], [{ code: 'BUSY', appointmentId: 'standing', actorId: 'agent-1' }]],
    [
      'only agents who are asked for',
      ['agent-2', 'agent-9'],
      [{ code: 'BUSY', appointmentId: 'standing', actorId: 'agent-2' }],
    ],
    ['a customer, without a name', ['identity-1'], [{ code: 'BUSY', appointmentId: 'standing' }]],
    [
      'an agent and a customer, each by a reason',
      ['agent-2', 'identity-1'],
      [
        { code: 'BUSY', appointmentId: 'standing', actorId: 'agent-2' },
        { code: 'BUSY', appointmentId: 'standing' },
      ],
    ],
    ['an appointment that has other actors by now', ['agent-9'], [{ code: 'BUSY', appointmentId: 'standing' }]],
  ])('the reasons of a taken time name %s', (_what, actorIds, expected) => {
    expect(busyReasons({ guard: { actorIds }, visible: [standing], hasOthers: false })).toEqual(expected);
  });

  it('the reasons of a taken time name each agent once, in the order of the appointments', () => {
    const guard = { actorIds: ['agent-1', 'agent-2'] };
    expect(busyReasons({ guard, visible: [shared, standing], hasOthers: false })).toEqual([
      { code: 'BUSY', appointmentId: 'shared', actorId: 'agent-1' },
      { code: 'BUSY', appointmentId: 'shared', actorId: 'agent-2' },
      { code: 'BUSY', appointmentId: 'standing', actorId: 'agent-1' },
      { code: 'BUSY', appointmentId: 'standing', actorId: 'agent-2' },
    ]);
  });

  it('the reasons of a taken time have the bare code once for what the reader may not see, at the end', () => {
    const guard = { actorIds: ['agent-2'] };
    expect(busyReasons({ guard, visible: [], hasOthers: true })).toEqual([{ code: 'BUSY' }]);
    expect(busyReasons({ guard, visible: [standing], hasOthers: true })).toEqual([
      { code: 'BUSY', appointmentId: 'standing', actorId: 'agent-2' },
      { code: 'BUSY' },
    ]);
  });

  it('the reasons of a taken time tell each visible appointment and nothing twice, and never the identity of a customer', () => {
    const actors = fc.subarray(['agent-1', 'agent-2', 'agent-9', 'identity-1', 'customer-1']);
    const seen = fc.subarray([standing, shared]);
    fc.assert(
      fc.property(actors, seen, fc.boolean(), (actorIds, visible, hasOthers) => {
        const reasons = busyReasons({ guard: { actorIds }, visible, hasOthers });
        const told = new Set(reasons.flatMap(({ appointmentId }) => appointmentId ?? []));
        expect([...told]).toEqual(visible.map(({ id }) => id));
        expect(new Set(reasons.map((reason) => JSON.stringify(reason))).size).toBe(reasons.length);
        expect(reasons.filter(({ appointmentId }) => appointmentId === undefined)).toEqual(
          hasOthers ? [{ code: 'BUSY' }] : [],
        );
        for (const { actorId } of reasons) expect([undefined, 'agent-1', 'agent-2']).toContain(actorId);
      }),
    );
  });
});
