import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ServiceRules, serviceSchema } from './service.js';

const service: ServiceRules = {
  title: 'Consultation',
  timezone: 'UTC',
  durations: ['PT30M'],
  grid: { step: 'PT30M' },
  requirements: [{ kind: 'agent', anyOf: ['a'] }],
};

const placesOf = (changes: object): readonly string[] =>
  serviceSchema.safeParse({ ...service, ...changes }).error?.issues.map(({ path }) => path.join('.')) ?? [];

type Requirement = ServiceRules['requirements'][number];

/** Whether everybody finds a seat, tried in every way. */
function canBeSeated([first, ...others]: readonly Requirement[], taken: ReadonlySet<string> = new Set()): boolean {
  if (first === undefined) return true;
  const { count = 1, anyOf } = first;
  if (count === 0) return canBeSeated(others, taken);
  return anyOf.some(
    (id) => !taken.has(id) && canBeSeated([{ ...first, count: count - 1 }, ...others], new Set([...taken, id])),
  );
}

describe('A service', () => {
  it.each<[string, object, readonly string[]]>([
    ['has durations of different lengths', { durations: ['PT30M', 'PT1H'] }, []],
    ['has no duration twice', { durations: ['PT30M', 'PT30M'] }, ['durations.1']],
    ['has no duration twice in two spellings', { durations: ['PT60M', 'PT30M', 'PT1H'] }, ['durations.2']],
    ['says of each malformed duration where it is', { durations: ['x', 'x'] }, ['durations.0', 'durations.1']],
    ['says once that its step is longer than a day', { grid: { step: 'P2D' } }, ['grid.step']],
    ['says once that its step is none', { grid: { step: 'PT0M' } }, ['grid.step']],
    ['says that its step does not divide a day', { grid: { step: 'PT7M' } }, ['grid.step']],
  ])('a service %s', (_what, changes, places) => {
    expect(placesOf(changes)).toEqual(places);
  });

  it.each<[string, readonly Requirement[], readonly string[]]>([
    ['two of two', [{ kind: 'agent', anyOf: ['a', 'b'], count: 2 }], []],
    ['two of one', [{ kind: 'agent', anyOf: ['a'], count: 2 }], ['requirements.0.count']],
    ['two of one that is named twice', [{ kind: 'agent', anyOf: ['a', 'a'], count: 2 }], ['requirements.0.count']],
    [
      'one of two and the other',
      [
        { kind: 'agent', anyOf: ['a', 'b'] },
        { kind: 'agent', anyOf: ['a'] },
      ],
      [],
    ],
    [
      'the same one twice',
      [
        { kind: 'agent', anyOf: ['a'] },
        { kind: 'resource', anyOf: ['room'] },
        { kind: 'agent', anyOf: ['a'] },
      ],
      ['requirements.2.anyOf'],
    ],
  ])('a service may need %s, or is told where it never could', (_what, requirements, places) => {
    expect(placesOf({ requirements })).toEqual(places);
  });

  it('a service is refused for its requirements exactly where nobody could ever meet them', () => {
    const anyOf = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
    const requirement = fc.record({
      kind: fc.constantFrom('agent' as const, 'resource' as const),
      anyOf,
      count: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 4 }), (requirements) => {
        expect(placesOf({ requirements }).length === 0).toBe(canBeSeated(requirements));
      }),
    );
  });

  it('a service of 100,000 requirements or durations is refused in their number', () => {
    const requirements = Array.from({ length: 100_000 }, () => ({ kind: 'agent', anyOf: ['a'] }));
    expect(placesOf({ requirements })).toEqual(['requirements']);
    expect(placesOf({ durations: Array.from({ length: 100_000 }, () => 'PT30M') })).toEqual(['durations']);
  });
});
