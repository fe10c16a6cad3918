import { describe, expect, it } from 'vitest';
import type { Caller, ListAppointmentsQuery } from '../src/index.js';
import {
  agentOne,
  agentTwo,
  booked,
  clientService,
  type Fixture,
  fixture,
  foreignSupervisor,
  supervisor,
} from './fixtures.js';
import { errorOf } from './error-of.js';

const off = { agentsSeeOnlyOwnAppointments: false };

/** Titles of the appointments that a caller gets. */
async function titles(base: Fixture, by: Caller, query: ListAppointmentsQuery = {}): Promise<readonly string[]> {
  const { items } = await base.appointments.list(by, query);
  return items.map(({ title }) => title);
}

/** Three appointments on three days: of agent-1, of agent-2, and of agent-1 for agent-2. */
async function three(settings = {}): Promise<Fixture> {
  const base = fixture({ applications: { 'app-1': settings, 'app-2': settings } });
  await booked(base, { title: 'one', start: '2030-06-01T10:00:00Z', duration: 'PT30M' });
  await booked(base, { title: 'two', start: '2030-06-02T10:00:00Z', duration: 'PT1H' }, agentTwo);
  const target = { id: 'agent-2' };
  await booked(base, { title: 'both', start: '2030-06-03T10:00:00Z', duration: 'P1D', targetAssignment: target });
  return base;
}

describe('The list (spec: Endpoints, rule 1)', () => {
  it('the list gives an agent those that they organize or are assigned to (D34)', async () => {
    const base = await three();
    expect(await titles(base, agentOne)).toEqual(['one', 'both']);
    expect(await titles(base, agentTwo)).toEqual(['two', 'both']);
    expect(await titles(base, clientService)).toEqual([]);
  });

  it('the list replaces agentId and organizerId by the own id of anyone who is not a supervisor', async () => {
    const base = await three();
    expect(await titles(base, agentOne, { agentIds: ['agent-2'], organizerIds: ['agent-2'] })).toEqual(['one', 'both']);
  });

  it('the list gives a supervisor all, or those of agents, or of organizers', async () => {
    const base = await three();
    expect(await titles(base, supervisor)).toEqual(['one', 'two', 'both']);
    expect(await titles(base, supervisor, { agentIds: ['agent-2'] })).toEqual(['two', 'both']);
    expect(await titles(base, supervisor, { organizerIds: ['agent-2'] })).toEqual(['two']);
    expect(await titles(base, supervisor, { agentIds: ['agent-2'], organizerIds: ['agent-1'] })).toEqual([
      'two',
      'both',
    ]);
    expect(await titles(base, supervisor, { agentIds: ['agent-2', 'agent-1'] })).toEqual(['one', 'two', 'both']);
  });

  it('the list is organization-wide for everyone when every application in question has the restriction off', async () => {
    const base = await three(off);
    expect(await titles(base, agentOne, { applicationId: 'app-1' })).toEqual(['one', 'two', 'both']);
    expect(await titles(base, clientService, { applicationId: 'app-1', agentIds: ['agent-1'] })).toEqual([
      'one',
      'both',
    ]);
    const limited = { ...agentOne, applicationIds: ['app-1', 'app-2'] };
    expect(await titles(base, limited)).toEqual(['one', 'two', 'both']);
    expect(await titles(base, { ...limited, applicationIds: ['app-1', 'app-3'] })).toEqual(['one', 'both']);
  });

  it('the list never reaches another organization, nor an application that the token may not use (D34)', async () => {
    const base = await three(off);
    expect(await titles(base, foreignSupervisor)).toEqual([]);
    const limited = { ...supervisor, applicationIds: ['app-2'] };
    expect(await titles(base, limited)).toEqual([]);
    const error = await errorOf(() => base.appointments.list(limited, { applicationId: 'app-1' }));
    expect(error.code).toBe('forbidden');
    expect(await titles(base, { ...supervisor, applicationIds: [] })).toEqual([]);
  });

  it.each<[string, ListAppointmentsQuery, readonly string[]]>([
    ['an application', { applicationId: 'app-1' }, ['one', 'two', 'both']],
    ['another application', { applicationId: 'app-2' }, []],
    ['a duration', { durations: ['PT60M'] }, ['two']],
    ['durations, which are OR-ed', { durations: ['PT30M', 'PT24H'] }, ['one', 'both']],
    ['the answered form of a duration', { durations: ['PT1H (1 hour)'] }, ['two']],
    ['no durations', { durations: [] }, ['one', 'two', 'both']],
    ['weeks in v1', { durations: ['P1W'], durationForms: 'iso8601' }, []],
    ['months and years in v1, which match nothing', { durations: ['P1M', 'P1Y'], durationForms: 'iso8601' }, []],
    ['a range: from ≤ start', { ranges: [{ from: '2030-06-02T10:00:00Z' }] }, ['two', 'both']],
    ['a range: start < to', { ranges: [{ to: '2030-06-02T10:00:00Z' }] }, ['one']],
    [
      'a range with an offset',
      { ranges: [{ from: '2030-06-01T13:00:00+03:00', to: '2030-06-01T13:00:01+03:00' }] },
      ['one'],
    ],
    [
      'ranges, which are OR-ed',
      { ranges: [{ to: '2030-06-01T11:00:00Z' }, { from: '2030-06-03T00:00:00Z' }] },
      ['one', 'both'],
    ],
    ['states', { states: ['ACTIVATED'] }, []],
    ['no states', { states: [] }, ['one', 'two', 'both']],
    ['several at once', { durations: ['PT1H', 'P1D'], agentIds: ['agent-1'] }, ['both']],
  ])('the list narrows by %s (D32, D33)', async (_what, query, expected) => {
    expect(await titles(await three(), supervisor, query)).toEqual(expected);
  });

  it.each<[string, ListAppointmentsQuery, string]>([
    ['a page size of 0', { pageSize: 0 }, '/pageSize'],
    ['a page number of 1.5', { pageNumber: 1.5 }, '/pageNumber'],
    ['an unknown sort field', { sortField: 'organizationId' as 'id' }, '/sortField'],
    ['an unknown order', { sortOrder: 'up' as 'asc' }, '/sortOrder'],
    ['weeks in v2', { durations: ['PT1H', 'P1W'] }, '/durations/1'],
    ['years in v2', { durations: ['P1Y'] }, '/durations/0'],
    ['no duration', { durations: ['soon'], durationForms: 'iso8601' }, '/durations/0'],
    ['the wrong order in v1', { durations: ['PT1M1H'], durationForms: 'iso8601' }, '/durations/0'],
    ['101 durations', { durations: Array.from({ length: 101 }, () => 'PT1H') }, '/durations'],
    [
      'an end before its start',
      { ranges: [{ from: '2030-06-02T00:00:00Z', to: '2030-06-01T00:00:00Z' }] },
      '/ranges/0',
    ],
    ['an empty range', { ranges: [{ from: '2030-06-02T00:00:00Z', to: '2030-06-02T00:00:00Z' }] }, '/ranges/0'],
    ['a range without sides', { ranges: [{}] }, '/ranges/0'],
    ['a range without a zone', { ranges: [{ from: '2030-06-02T00:00:00' }] }, '/ranges/0'],
    ['an unknown state', { states: ['PENDING' as 'SCHEDULED'] }, '/states'],
    ['an empty application id', { applicationId: '' }, '/applicationId'],
    ['an agent id of 129', { agentIds: ['x'.repeat(129)] }, '/agentIds/0'],
    ['101 agents', { agentIds: Array.from({ length: 101 }, () => 'a') }, '/agentIds'],
  ])('the list is not valid with %s', async (_what, query, pointer) => {
    const error = await errorOf(() => fixture().appointments.list(supervisor, query));
    expect(error.code).toBe('validation_failed');
    expect(error.issues.map((issue) => issue.pointer)).toEqual([pointer]);
  });

  it.each([
    ['P1W', 'dayTime', 'Must be an ISO 8601 duration of days, hours, minutes and seconds.'],
    ['soon', 'iso8601', 'Must be an ISO 8601 duration.'],
  ] as const)('the list that refuses the duration %s says which are taken: %s', async (text, durationForms, detail) => {
    const query = { durations: [text], durationForms };
    const { issues } = await errorOf(() => fixture().appointments.list(supervisor, query));
    expect(issues).toMatchObject([{ detail }]);
  });

  it('the list has an envelope that echoes what was used (spec: Paged envelope; D30)', async () => {
    const base = await three();
    const page = await base.appointments.list(supervisor, {
      pageSize: 2,
      pageNumber: 2,
      sortField: 'title',
      sortOrder: 'desc',
    });
    expect(page).toMatchObject({
      total: 3,
      pageCount: 2,
      pageNumber: 2,
      pageSize: 2,
      sortField: 'title',
      sortOrder: 'desc',
    });
    expect(page.items.map(({ title }) => title)).toEqual(['both']);
    const beyond = await base.appointments.list(supervisor, { pageNumber: 9 });
    expect(beyond).toMatchObject({ items: [], total: 3, pageCount: 1 });
  });

  it('the list has retained records unless states narrow it (D25)', async () => {
    const base = await three();
    const { items } = await base.appointments.list(supervisor, {});
    await base.appointments.cancel(supervisor, { id: items[0]!.id });
    await base.appointments.abort(supervisor, { id: items[1]!.id, reason: 'x' });
    expect(await titles(base, supervisor)).toEqual(['one', 'two', 'both']);
    expect(await titles(base, supervisor, { states: ['SCHEDULED', 'ACTIVATED'] })).toEqual(['both']);
    expect(await titles(base, supervisor, { states: ['CANCELLED', 'ABORTED'] })).toEqual(['one', 'two']);
  });
});

describe('The eligible list (spec: Endpoints, rule 12; D24)', () => {
  it('the eligible list has every scheduled appointment that is not activated, at any time', async () => {
    const base = await three();
    const { items } = await base.appointments.list(supervisor, {});
    await base.appointments.activate(supervisor, items[0]!.id);
    const eligible = await all(base.appointments.listEligible(clientService));
    expect(eligible.map(({ title }) => title)).toEqual(['two', 'both']);
    expect(await all(base.appointments.listEligible(foreignSupervisor))).toEqual([]);
    expect(await all(base.appointments.listEligible({ ...clientService, applicationIds: ['app-2'] }))).toEqual([]);
  });

  it('the eligible list of an agent has what get shows them: their own where the application has it so', async () => {
    const of = async (base: Fixture) => (await all(base.appointments.listEligible(agentTwo))).map(({ title }) => title);
    expect(await of(await three())).toEqual(['two', 'both']);
    expect(await of(await three(off))).toEqual(['one', 'two', 'both']);
  });

  it('the eligible list takes a valid timeFrame, which does not narrow', async () => {
    const base = await three();
    expect(await all(base.appointments.listEligible(clientService, { timeFrame: 'PT1M' }))).toHaveLength(3);
    expect(await all(base.appointments.listEligible(clientService, { timeFrame: 'P1W' }))).toHaveLength(3);
    const error = await errorOf(() => all(base.appointments.listEligible(clientService, { timeFrame: 'soon' })));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer: '/timeFrame' }] });
  });
});

/** What a walk gives, to its end. */
async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
