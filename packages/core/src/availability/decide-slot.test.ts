import { describe, expect, it } from 'vitest';
import { hours, minutes, type OverridableReason } from '@calends/model';
import { ask, at, booked, hoursOf, service } from '../../test/availability/sample-question.js';
import { decideSlot } from './decide-slot.js';
import type { Question, QuestionParts } from './question.js';

const noon = '2026-05-04T12:00:00Z';

/** The reasons of half an hour, each as one line; `free` where there are none. */
function answer(question: Question, start = noon, length = minutes(30)): string {
  const decision = decideSlot(question, { start: at(start), end: at(start) + length });
  if (decision.free) return 'free';
  const lines = decision
    .reasons()
    .map(({ code, actorId, appointmentId }) =>
      [code, actorId, appointmentId].filter((id) => id !== undefined).join(' '),
    );
  return lines.join(', ');
}

/** The sample service with other rules. */
const ruled = (more: Parameters<typeof service>[0], parts: Partial<QuestionParts> = {}) =>
  ask({ service: service(more), ...parts });

const now = at('2026-05-03T23:00:00Z');

describe('A time is refused for itself', () => {
  it.each<[string, Question, string]>([
    ['off the grid', ask(), '2026-05-04T12:05:00Z'],
    ['off the grid by seconds', ask(), '2026-05-04T12:00:01Z'],
  ])('a time is refused as OFF_GRID when it is %s', (_what, question, start) => {
    expect(answer(question, start)).toBe('OFF_GRID');
  });

  it.each<[string, Parameters<typeof service>[0], number, string]>([
    ['in the past', {}, at(noon) + 1, 'LEAD_TIME'],
    ['now', {}, at(noon), 'free'],
    ['sooner than the lead time', { leadTime: { duration: 'PT2H' } }, at(noon) - hours(2) + 1, 'LEAD_TIME'],
    ['after the lead time', { leadTime: { duration: 'PT2H' } }, at(noon) - hours(2), 'free'],
    ['sooner than so many days', { leadTime: { days: 2 } }, at('2026-05-03T00:00:00Z'), 'LEAD_TIME'],
    ['after so many days', { leadTime: { days: 2 } }, at('2026-05-02T23:59:00Z'), 'free'],
    ['later today, with a lead time of no day', { leadTime: { days: 0 } }, at(noon), 'free'],
    ['beyond the horizon', { horizon: { duration: 'PT2H' } }, at(noon) - hours(2) - 1, 'HORIZON'],
    ['at the horizon', { horizon: { duration: 'PT2H' } }, at(noon) - hours(2), 'free'],
    ['after so many days', { horizon: { days: 1 } }, at('2026-05-02T23:59:00Z'), 'HORIZON'],
    ['within so many days', { horizon: { days: 1 } }, at('2026-05-03T00:00:00Z'), 'free'],
  ])('a time is refused or free when it is %s', (_what, rules, instant, expected) => {
    expect(answer(ruled(rules, { now: instant }))).toBe(expected);
  });

  it('days of the lead time are those of the zone of the service', () => {
    const rules = { timezone: 'Pacific/Auckland', leadTime: { days: 2 } };
    expect(answer(ruled(rules, { now: at('2026-05-03T11:59:00Z') }))).toBe('free');
    expect(answer(ruled(rules, { now: at('2026-05-03T12:00:00Z') }))).toBe('LEAD_TIME');
  });
});

describe('Hours', () => {
  it.each([
    ['2026-05-04T09:00:00Z', 'free'],
    ['2026-05-04T16:30:00Z', 'free'],
    ['2026-05-04T08:45:00Z', 'OUTSIDE_HOURS anna'],
    ['2026-05-04T16:45:00Z', 'OUTSIDE_HOURS anna'],
  ])('hours have the whole time in them, at %s: %s', (start, expected) => {
    expect(answer(ask(), start)).toBe(expected);
  });

  it('hours of nobody are never for an agent and always for a resource', () => {
    expect(answer(ask({ hours: [] }))).toBe('OUTSIDE_HOURS anna');
    expect(answer(ruled({ requirements: [{ kind: 'resource', anyOf: ['anna'] }] }, { hours: [] }))).toBe('free');
  });

  it.each([
    [[], noon, 'CLOSED anna'],
    [[{ from: '10:00', until: '12:15' }], noon, 'CLOSED anna'],
    [[{ from: '10:00', until: '12:30' }], noon, 'free'],
    [[{ from: '10:00', until: '20:00' }], '2026-05-04T18:00:00Z', 'free'],
    [[], '2026-05-04T18:00:00Z', 'OUTSIDE_HOURS anna'],
  ])('hours of an exception with %j at %s: %s', (open, start, expected) => {
    expect(answer(ask({ hours: [hoursOf('anna', { exceptions: { '2026-05-04': { open } } })] }), start)).toBe(expected);
  });
});

describe('What is taken', () => {
  const buffers = (before: number, after: number) => ({
    busy: { from: at(noon) - minutes(before), to: at(noon) + minutes(30 + after) },
  });

  it.each([
    ['2026-05-04T11:45:00Z', 'BUSY anna x'],
    ['2026-05-04T12:15:00Z', 'BUSY anna x'],
    ['2026-05-04T11:30:00Z', 'free'],
    ['2026-05-04T12:30:00Z', 'free'],
  ])('what is taken is BUSY, half-open, at %s: %s', (start, expected) => {
    expect(answer(ask({ busy: [booked('anna', noon, { appointmentId: 'x' })] }), start)).toBe(expected);
  });

  it.each([
    // The gap is the larger of the two buffers between, never their sum.
    [10, 0, 0, 15, '2026-05-04T12:45:00Z', 'free'],
    [30, 0, 0, 15, '2026-05-04T12:45:00Z', 'BUFFER anna x'],
    [30, 0, 0, 15, '2026-05-04T13:00:00Z', 'free'],
    [0, 0, 0, 20, '2026-05-04T12:45:00Z', 'BUFFER anna x'],
    [0, 30, 0, 20, '2026-05-04T12:45:00Z', 'BUFFER anna x'],
    [0, 30, 0, 0, '2026-05-04T12:45:00Z', 'free'],
    [0, 30, 15, 0, '2026-05-04T11:15:00Z', 'BUFFER anna x'],
    [0, 15, 15, 0, '2026-05-04T11:15:00Z', 'free'],
    [0, 0, 20, 0, '2026-05-04T11:15:00Z', 'BUFFER anna x'],
  ])(
    'what is taken keeps the larger of its buffers and ours: ours %i, %i, its %i, %i at %s: %s',
    (before, after, its, theirs, start, expected) => {
      const rules = { bufferBefore: `PT${before}M`, bufferAfter: `PT${after}M` };
      const busy = [booked('anna', noon, { appointmentId: 'x', ...buffers(its, theirs) })];
      expect(answer(ruled(rules, { busy }), start)).toBe(expected);
    },
  );

  it('what is taken keeps the buffer of the application at least', () => {
    const busy = [booked('anna', noon, { appointmentId: 'x' })];
    const question = ruled({ bufferBefore: 'PT10M' }, { busy, minBuffer: minutes(20) });
    expect(
      ['2026-05-04T12:45:00Z', '2026-05-04T13:00:00Z', '2026-05-04T11:15:00Z', '2026-05-04T11:00:00Z'].map((start) =>
        answer(question, start),
      ),
    ).toEqual(['BUFFER anna x', 'free', 'BUFFER anna x', 'free']);
  });

  it('what is taken is HELD, without an id, by a hold in its time or near it', () => {
    const hold = { appointmentId: undefined, holdId: 'h', ...buffers(0, 20) };
    const question = ask({ busy: [booked('anna', noon, hold)] });
    expect([noon, '2026-05-04T12:30:00Z', '2026-05-04T13:00:00Z'].map((start) => answer(question, start))).toEqual([
      'HELD anna',
      'HELD anna',
      'free',
    ]);
  });

  it('a time is not taken by what does not block, nor by others', () => {
    const busy = [booked('anna', noon, { blocks: false }), booked('ben', noon)];
    expect(answer(ask({ busy }))).toBe('free');
  });

  it('what is taken elsewhere is BUSY_ELSEWHERE, our buffers included, and SOURCE_STALE where nobody knows', () => {
    const elsewhere = [{ actorId: 'anna', from: at(noon) - hours(3), to: at(noon) - minutes(10) }];
    expect(answer(ask({ elsewhere }))).toBe('free');
    expect(answer(ruled({ bufferBefore: 'PT11M' }, { elsewhere }))).toBe('BUSY_ELSEWHERE anna');
    expect(answer(ask({ staleActorIds: new Set(['anna']) }))).toBe('SOURCE_STALE anna');
  });

  it('what is taken is told with every booking and every reason, in their order', () => {
    const busy = [
      booked('anna', '2026-05-04T12:15:00Z', { appointmentId: 'b' }),
      booked('anna', noon, { appointmentId: 'a' }),
      booked('ben', noon, { appointmentId: 'a' }),
      booked('anna', '2026-05-04T11:00:00Z', { appointmentId: 'c', end: at(noon) }),
    ];
    const rules = { bufferBefore: 'PT5M', requirements: [{ kind: 'agent' as const, anyOf: ['ben', 'anna'] }] };
    expect(answer(ruled(rules, { busy, now: at(noon) + minutes(1), hours: [hoursOf('anna')] }))).toBe(
      'LEAD_TIME, OUTSIDE_HOURS ben, BUSY anna a, BUSY anna b, BUSY ben a, BUFFER anna c',
    );
  });
});

describe('Limits', () => {
  const perAgent = { per: 'agent', window: 'day', max: 1 } as const;
  const perService = { per: 'service', window: 'week', max: 2 } as const;
  const auckland = [
    hoursOf('anna', { timezone: 'Pacific/Auckland', weekly: [{ days: ['MO', 'TU'], from: '00:00', until: '24:00' }] }),
  ];

  it('limits of an agent count in the days of the agent, what is over already too', () => {
    // 5 May begins in Auckland at 12:00 of 4 May in UTC.
    const busy = [booked('anna', '2026-05-04T11:30:00Z', { blocks: false })];
    const question = ruled({ limits: [perAgent] }, { busy, hours: auckland });
    expect(['2026-05-04T10:30:00Z', noon].map((start) => answer(question, start))).toEqual(['LIMIT anna', 'free']);
  });

  it('limits count appointments of the service, or all', () => {
    const busy = [booked('anna', '2026-05-04T15:00:00Z', { serviceActorId: undefined })];
    expect(answer(ruled({ limits: [perAgent] }, { busy }))).toBe('free');
    expect(answer(ruled({ limits: [{ ...perAgent, of: 'any' }] }, { busy }))).toBe('LIMIT anna');
  });

  it('limits of a service count in the weeks of the service, which begin on Monday', () => {
    const { service: compiled } = ask();
    const busy = ['2026-05-03T23:59:00Z', '2026-05-04T00:00:00Z', '2026-05-10T23:59:00Z'].map((start) =>
      booked(compiled.actorId, start, { blocks: false }),
    );
    expect(answer(ruled({ limits: [perService] }, { busy }))).toBe('LIMIT');
    expect(answer(ruled({ limits: [perService] }, { busy: busy.slice(0, 2) }))).toBe('free');
    expect(answer(ruled({ limits: [perService], timezone: 'Europe/London' }, { busy: busy.slice(0, 2) }))).toBe(
      'LIMIT',
    );
  });

  it('limits of agents do not count for resources', () => {
    const requirements = [{ kind: 'resource' as const, anyOf: ['room'] }];
    const busy = [booked('room', '2026-05-04T15:00:00Z')];
    expect(answer(ruled({ limits: [perAgent], requirements }, { busy }))).toBe('free');
  });
});

describe('Several actors', () => {
  const two = (...pairs: readonly (readonly [readonly string[], number])[]) => ({
    requirements: pairs.map(([anyOf, count]) => ({ kind: 'resource' as const, anyOf: [...anyOf], count })),
  });

  it.each<[string, readonly (readonly [readonly string[], number])[], readonly string[], string]>([
    [
      'one of each',
      [
        [['a'], 1],
        [['b'], 1],
      ],
      [],
      'free',
    ],
    [
      'nobody twice',
      [
        [['a'], 1],
        [['a'], 1],
      ],
      [],
      'NO_ACTOR',
    ],
    [
      'the shared one where only it can',
      [
        [['a', 'b'], 1],
        [['a'], 1],
      ],
      [],
      'free',
    ],
    [
      'a chain of shared ones',
      [
        [['a', 'b'], 1],
        [['b', 'c'], 1],
        [['a'], 1],
      ],
      [],
      'free',
    ],
    [
      'three of three for four',
      [
        [['a', 'b', 'c'], 2],
        [['a', 'b', 'c'], 2],
      ],
      [],
      'NO_ACTOR',
    ],
    ['more than there are', [[['a', 'b'], 3]], [], 'NO_ACTOR'],
    ['two of three, one busy', [[['a', 'b', 'c'], 2]], ['b'], 'free'],
    ['two of three, two busy', [[['a', 'b', 'c'], 2]], ['a', 'c'], 'BUSY a x, BUSY c x'],
    [
      'reasons of the one that lacks',
      [
        [['a', 'b'], 1],
        [['c'], 1],
      ],
      ['a', 'c'],
      'BUSY c x',
    ],
    [
      'the shared one busy',
      [
        [['a', 'b'], 1],
        [['b'], 1],
      ],
      ['a'],
      'NO_ACTOR',
    ],
    ['one named twice', [[['a', 'a'], 2]], [], 'NO_ACTOR'],
  ])('several actors, %s: %j with %j busy is %j', (_what, pairs, taken, expected) => {
    const busy = taken.map((id) => booked(id, noon, { appointmentId: 'x' }));
    expect(answer(ruled(two(...pairs), { busy, hours: [] }))).toBe(expected);
  });

  it('agents are narrowed by those that are asked for, resources are not', () => {
    const requirements = [
      { kind: 'agent' as const, anyOf: ['anna', 'ben'] },
      { kind: 'resource' as const, anyOf: ['room'] },
    ];
    const known = { hours: [hoursOf('anna'), hoursOf('ben')], busy: [booked('anna', noon, { appointmentId: 'x' })] };
    expect(answer(ruled({ requirements }, { ...known, agentIds: ['ben'] }))).toBe('free');
    expect(answer(ruled({ requirements }, { ...known, agentIds: ['anna'] }))).toBe('BUSY anna x');
    expect(answer(ruled({ requirements }, { ...known, agentIds: [] }))).toBe('NO_ACTOR');
  });
});

it('What staff pass over is no reason, and what is taken stays one', () => {
  const overrides: readonly OverridableReason[] = [
    'OFF_GRID',
    'LEAD_TIME',
    'HORIZON',
    'OUTSIDE_HOURS',
    'CLOSED',
    'LIMIT',
  ];
  const start = '2026-05-04T05:55:00Z';
  const rules = { leadTime: { days: 9 }, limits: [{ per: 'agent' as const, window: 'day' as const, max: 1 }] };
  const parts = { now, busy: [booked('anna', noon, { appointmentId: 'x' })] };
  expect(answer(ruled(rules, parts), start)).toBe('OFF_GRID, LEAD_TIME, OUTSIDE_HOURS anna, LIMIT anna');
  expect(answer(ruled(rules, { ...parts, overrides }), start)).toBe('free');
  expect(answer(ruled(rules, { ...parts, overrides }))).toBe('BUSY anna x');
});
