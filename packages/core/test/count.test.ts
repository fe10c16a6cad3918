import { describe, expect, it } from 'vitest';
import type { CountQuery } from '../src/index.js';
import { agentOne, booked, type Fixture, fixture, foreignSupervisor, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';
import { caller } from './sample-appointments.js';

const day = '2030-06-01T00:00:00Z';
const query: CountQuery = { applicationId: 'app-1', organizationId: 'org-1', starts: [day], timeFrame: 'P1D' };

/** Appointments at 10:00, 10:30 and 23:45, each for half an hour. */
async function some(): Promise<Fixture> {
  const base = fixture();
  for (const time of ['10:00', '10:30', '23:45']) await booked(base, { start: `2030-06-01T${time}:00Z` });
  return base;
}

type Counted = Pick<CountQuery, 'starts' | 'timeFrame'>;

describe('Count (spec: Endpoints, rule 11; D27, D29)', () => {
  const rows: readonly [string, Counted, readonly number[], readonly number[]][] = [
    ['a day', { starts: [day], timeFrame: 'P1D' }, [3], [3]],
    ['the next day', { starts: ['2030-06-02T00:00:00Z'], timeFrame: 'P1D' }, [0], [1]],
    ['a start at the beginning', { starts: ['2030-06-01T10:00:00Z'], timeFrame: 'PT1M' }, [1], [1]],
    ['a start at the end', { starts: ['2030-06-01T09:00:00Z'], timeFrame: 'PT1H' }, [0], [0]],
    ['a window inside', { starts: ['2030-06-01T10:05:00Z'], timeFrame: 'PT5M' }, [0], [1]],
    ['an end at the beginning', { starts: ['2030-06-01T11:00:00Z'], timeFrame: 'PT1H' }, [0], [0]],
    [
      'several starts, repeated, in the order given',
      { starts: ['2030-06-02T00:00:00Z', day, '2030-06-01T10:30:00Z', day], timeFrame: 'PT12H' },
      [0, 2, 1, 2],
      [1, 2, 1, 2],
    ],
  ];

  it.each(rows)('a count of %s has what is in its window', async (_what, counted, starting, overlapping) => {
    const { appointments } = await some();
    const asked = { ...query, ...counted };
    expect((await appointments.count(supervisor, asked)).map(({ count }) => count)).toEqual(starting);
    expect((await appointments.countOverlapping(supervisor, asked)).map(({ count }) => count)).toEqual(overlapping);
  });

  it('Count answers one item for each start, with its window', async () => {
    const { appointments } = await some();
    const starts = ['2030-06-01T03:00:00+03:00'];
    expect(await appointments.count(agentOne, { ...query, starts })).toEqual([
      { count: 3, start: Date.UTC(2030, 5, 1), end: Date.UTC(2030, 5, 2) },
    ]);
  });

  it('Count leaves out what is CANCELLED or ABORTED, and keeps what is activated', async () => {
    const base = await some();
    const { items } = await base.appointments.list(supervisor, {});
    await base.appointments.cancel(supervisor, { id: items[0]!.id });
    await base.appointments.abort(supervisor, { id: items[1]!.id, reason: 'x' });
    await base.appointments.activate(supervisor, items[2]!.id);
    expect(await base.appointments.count(supervisor, query)).toMatchObject([{ count: 1 }]);
    expect(await base.appointments.countOverlapping(supervisor, query)).toMatchObject([{ count: 1 }]);
  });

  it('Count is of that organization and application; none is 0', async () => {
    const { appointments } = await some();
    expect(await appointments.count(supervisor, { ...query, applicationId: 'app-2' })).toMatchObject([{ count: 0 }]);
    const foreign = { ...query, organizationId: 'org-2' };
    expect(await appointments.count(foreignSupervisor, foreign)).toMatchObject([{ count: 0 }]);
  });

  it('Count is for any role of that organization (D28)', async () => {
    const { appointments } = await some();
    for (const role of ['ROLE_AGENT', 'ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE', 'ROLE_CUSTOMER'] as const) {
      expect(await appointments.count(caller(role, { id: 'anyone' }), query)).toMatchObject([{ count: 3 }]);
    }
    for (const count of [appointments.count, appointments.countOverlapping]) {
      const limited = caller('ROLE_AGENT', { applicationIds: ['app-2'] });
      for (const [who, what] of [
        [foreignSupervisor, 'organization'],
        [limited, 'application'],
      ] as const) {
        const message = `The credentials do not cover this ${what}.`;
        expect(await errorOf(() => count(who, query))).toMatchObject({ code: 'forbidden', message });
      }
    }
  });

  it.each<[string, Partial<CountQuery>, readonly string[]]>([
    ['no start', { starts: [] }, ['/starts']],
    ['101 starts', { starts: Array.from({ length: 101 }, () => day) }, ['/starts']],
    ['a start without a zone', { starts: [day, '2030-06-01T00:00:00'] }, ['/starts/1']],
    ['an empty start', { starts: [''] }, ['/starts/0']],
    ['no application', { applicationId: '' }, ['/applicationId']],
    ['no organization', { organizationId: '' }, ['/organizationId']],
    ['no time frame', { timeFrame: '' }, ['/timeFrame']],
    ['a time frame of months', { timeFrame: 'P1M' }, ['/timeFrame']],
    ['a time frame of nothing', { timeFrame: 'PT0S' }, ['/timeFrame']],
    ['a time frame of eleven years', { timeFrame: 'P4000D' }, ['/timeFrame']],
    ['a window that ends after the year 9999', { starts: [day, '9999-12-31T00:00:01Z'] }, ['/starts/1']],
    ['a window of ten years at the end', { starts: ['9999-12-31T23:00:00Z'], timeFrame: 'P3660D' }, ['/starts/0']],
  ])('Count with %s is not valid', async (_what, more, pointers) => {
    const error = await errorOf(() => fixture().appointments.count(supervisor, { ...query, ...more }));
    expect(error.code).toBe('validation_failed');
    expect(error.issues.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('Count takes an ISO 8601 duration as the window, relative to each start: a week (rule 11)', async () => {
    const [week] = await (await some()).appointments.count(supervisor, { ...query, starts: [day], timeFrame: 'P1W' });
    expect(week).toMatchObject({ end: Date.parse(day) + 7 * 86_400_000 });
  });

  it('Count takes 100 starts', async () => {
    const starts = Array.from({ length: 100 }, () => day);
    expect(await (await some()).appointments.count(supervisor, { ...query, starts })).toHaveLength(100);
  });
});
