import { describe, expect, it } from 'vitest';
import { plainIssues } from './plain-issues.js';
import { serviceSchema } from './availability/service.js';

const service = {
  title: 'Consultation',
  timezone: 'UTC',
  durations: ['PT30M'],
  grid: { step: 'PT30M' },
  requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
};

describe('The faults of a field with two forms', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a fault in the one that is meant', { days: 1.5 }, ['leadTime.days']],
    ['a fault in the other', { duration: 'P1M' }, ['leadTime.duration']],
    ['neither', {}, ['leadTime']],
    ['both', { days: 1, duration: 'PT1H' }, ['leadTime']],
    ['a text', 'PT1H', ['leadTime']],
    ['a further member', { days: 1, hours: 2 }, ['leadTime']],
  ])('the faults of %s are at %o', (_what, leadTime, places) => {
    const parsed = serviceSchema.safeParse({ ...service, leadTime });
    const found = plainIssues(parsed.error?.issues ?? []);
    expect(found.map(({ path }) => path.join('.'))).toEqual(places);
  });
});

it('A rule of a service whose value is of another type is one fault', () => {
  const parsed = serviceSchema.safeParse({ ...service, title: [], requirements: '' });
  const found = plainIssues(parsed.error?.issues ?? []);
  expect(found.map(({ path, code }) => [path.join('.'), code])).toEqual([
    ['title', 'invalid_type'],
    ['requirements', 'invalid_type'],
  ]);
});
