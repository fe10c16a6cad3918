import { describe, expect, it } from 'vitest';
import { hours, minutes } from '@calends/model';
import { ask, at, booked, hoursOf, iso, service } from '../../test/availability/sample-question.js';
import type { KnownService } from '../ports/availability-source.js';
import { chooseActors, limitGuards } from './choose-actors.js';
import type { QuestionParts } from './question.js';

const noon = at('2026-05-06T12:00:00Z');
const slot = { start: noon, end: noon + minutes(30) };
const staff = ['anna', 'ben', 'cleo'];
const agents = { kind: 'agent' as const, anyOf: staff };

const asked = (rules: Partial<KnownService>, more: Partial<QuestionParts> = {}) =>
  ask({ service: service({ requirements: [agents], ...rules }), hours: staff.map((id) => hoursOf(id)), ...more });

/** Every choice as one line. */
function choices(rules: Partial<KnownService>, more: Partial<QuestionParts> = {}): readonly string[] {
  const choice = chooseActors(asked(rules, more), slot);
  if (!choice.free) throw new Error('It is not free.');
  return Array.from(choice.choices, ({ agentIds, resourceIds }) => [...agentIds, ...resourceIds].join(' '));
}

describe('The order of those that are free', () => {
  it('the order by priority is that in which the service names them', () => {
    const busy = [booked('anna', '2026-05-05T12:00:00Z')];
    expect(choices({ assignment: { strategy: 'priority' } }, { busy })).toEqual(['anna', 'ben', 'cleo']);
  });

  it('the order is balanced by the time that is booked in the week of the service, in shares', () => {
    const busy = [
      booked('anna', '2026-05-04T00:00:00Z', { end: at('2026-05-04T02:00:00Z') }),
      booked('anna', '2026-05-07T09:00:00Z', { blocks: false }),
      booked('ben', '2026-05-03T23:30:00Z', { end: at('2026-05-04T06:00:00Z') }),
      booked('ben', '2026-05-10T23:30:00Z', { end: at('2026-05-11T01:00:00Z'), serviceActorId: undefined }),
      booked('cleo', '2026-05-11T00:00:00Z', { end: at('2026-05-11T09:00:00Z') }),
    ];
    expect(choices({}, { busy })).toEqual(['cleo', 'ben', 'anna']);
    expect(choices({ assignment: { strategy: 'balanced' } }, { busy })).toEqual(['cleo', 'ben', 'anna']);
    const weights = { anna: 2 };
    expect(choices({ assignment: { strategy: 'balanced', weights } }, { busy })).toEqual(['cleo', 'anna', 'ben']);
  });

  it('the order in turns begins with who has not had one, then whose turn was the longest ago', () => {
    const busy = [
      booked('anna', '2026-05-05T12:00:00Z'),
      booked('anna', '2026-04-05T12:00:00Z'),
      booked('ben', '2026-05-05T11:00:00Z', { blocks: false }),
      booked('ben', '2026-05-06T13:00:00Z'),
      booked('cleo', '2026-05-06T08:00:00Z', { serviceActorId: undefined }),
    ];
    expect(choices({ assignment: { strategy: 'round-robin' } }, { busy })).toEqual(['cleo', 'ben', 'anna']);
  });

  it('the order leaves nobody out but who is not free', () => {
    expect(choices({}, { busy: [booked('ben', iso(noon))] })).toEqual(['anna', 'cleo']);
  });
});

describe('Several actors', () => {
  it('several actors are chosen by requirement, and nobody is taken whom another requirement needs', () => {
    const requirements: KnownService['requirements'] = [
      { ...agents, count: 2 },
      { kind: 'agent', anyOf: ['anna'] },
      { kind: 'resource', anyOf: ['room 2', 'room 1'] },
    ];
    expect(choices({ requirements })).toEqual(['ben cleo anna room 2', 'ben cleo anna room 1']);
  });

  it('actors that are not enough are told with reasons', () => {
    const choice = chooseActors(
      asked({ requirements: [{ ...agents, count: 3 }] }, { busy: [booked('ben', iso(noon), { appointmentId: 'x' })] }),
      slot,
    );
    const reasons = [{ code: 'BUSY', actorId: 'ben', appointmentId: 'x' }];
    expect(choice).toEqual({ free: false, reasons, isForLimits: false });
  });
});

describe('What limits are in the way of', () => {
  const limits: KnownService['limits'] = [{ per: 'agent', window: 'day', max: 1 }];
  const atLimit = booked('anna', '2026-05-06T09:00:00Z');
  const requirements: KnownService['requirements'] = [{ kind: 'agent', anyOf: ['anna', 'ben'] }];

  it.each<[string, boolean, Partial<KnownService>, Partial<QuestionParts>]>([
    ['all who work are at their limit', true, {}, { busy: [atLimit, booked('ben', '2026-05-06T10:00:00Z')] }],
    ['one is at the limit and the other does not work', true, {}, { hours: [hoursOf('anna')], busy: [atLimit] }],
    ['one is at the limit and the other is busy', true, {}, { busy: [atLimit, booked('ben', iso(noon))] }],
    ['who is at the limit is busy as well', false, {}, { hours: [hoursOf('anna')], busy: [booked('anna', iso(noon))] }],
    ['who is at the limit does not work then', false, {}, { hours: [], busy: [atLimit] }],
    [
      'the service is at its limit and nobody works',
      false,
      { limits: [{ per: 'service', window: 'day', max: 0 }] },
      { hours: [] },
    ],
  ])('a time is refused for limits where nothing else keeps it from being had: %s', (_case, expected, rules, more) => {
    const choice = chooseActors(asked({ requirements, limits, ...rules }, more), slot);
    expect(choice).toMatchObject({ free: false, isForLimits: expected });
  });
});

describe('Limits as guards', () => {
  const limits: KnownService['limits'] = [
    { per: 'agent', window: 'day', max: 3 },
    { per: 'agent', window: 'week', max: 9, of: 'any' },
    { per: 'service', window: 'week', max: 20 },
  ];

  it('limits as guards count in the day or week of the start, of each agent in theirs and of the service in its own', () => {
    const timezone = 'Pacific/Auckland';
    const question = asked(
      { limits, timezone: 'Europe/Berlin' },
      { hours: [hoursOf('anna', { timezone }), hoursOf('ben')] },
    );
    const { actorId } = question.service;
    const guards = limitGuards(question, slot, { agentIds: ['anna', 'ben'], resourceIds: [] });
    expect(
      guards.map(({ window, ...guard }) => ({
        ...guard,
        window: [iso(window.from).slice(0, 16), iso(window.to).slice(0, 16)],
      })),
    ).toEqual([
      { actorId: 'anna', serviceActorId: actorId, max: 3, window: ['2026-05-06T12:00', '2026-05-07T12:00'] },
      { actorId: 'ben', serviceActorId: actorId, max: 3, window: ['2026-05-06T00:00', '2026-05-07T00:00'] },
      { actorId: 'anna', max: 9, window: ['2026-05-03T12:00', '2026-05-10T12:00'] },
      { actorId: 'ben', max: 9, window: ['2026-05-04T00:00', '2026-05-11T00:00'] },
      { actorId, max: 20, window: ['2026-05-03T22:00', '2026-05-10T22:00'] },
    ]);
  });

  it('the limits of a day on which clocks change are as long as it is', () => {
    const day = at('2026-10-25T12:00:00Z');
    const question = asked({ limits: [{ per: 'service', window: 'day', max: 1 }], timezone: 'Europe/Berlin' });
    const [guard] = limitGuards(question, { start: day, end: day + hours(1) }, { agentIds: [], resourceIds: [] });
    expect(guard?.window).toEqual({ from: at('2026-10-24T22:00:00Z'), to: at('2026-10-25T23:00:00Z') });
  });

  it('limits are none where staff pass over them', () => {
    expect(
      limitGuards(asked({ limits }, { overrides: ['LIMIT'] }), slot, { agentIds: ['anna'], resourceIds: [] }),
    ).toEqual([]);
  });
});
