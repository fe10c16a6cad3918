import { describe, expect, it } from 'vitest';
import type { ConfiguredApplication, ScheduleCommand } from '../src/index.js';
import { agentOne, booking, clientService, fixture, maria, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';
import { caller, end, now, start } from './sample-appointments.js';

const withSettings = (settings: ConfiguredApplication): ReturnType<typeof fixture> =>
  fixture({ applications: { 'app-1': settings } });

describe('A scheduled appointment (spec: Endpoints, rule 2)', () => {
  it('a scheduled appointment has what was given and the defaults for the rest (D1)', async () => {
    const { appointments, store } = fixture();
    const made = await appointments.schedule(agentOne, booking());
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      organizationId: 'org-1',
      applicationId: 'app-1',
      state: 'SCHEDULED',
      version: 1,
      scheduleVersion: 0,
      title: '',
      notes: '',
      metadata: {},
      locale: 'en',
      schedule: { start, end, timezone: 'Europe/Athens' },
      notificationHeaders: {},
      notificationsActive: false,
      organizer: { id: 'agent-1', type: 'AGENT' },
      participants: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          type: 'CUSTOMER',
          identity: expect.stringMatching(/^[\w-]{43}$/) as string,
        },
      ],
      targetAssignment: undefined,
      interaction: { state: 'PENDING', acceptedBy: [], customFields: {}, properties: {}, routing: undefined },
      customerReschedules: 0,
      createdAt: now,
      updatedAt: now,
    });
    expect(await store.appointments.find('org-1', made.id)).toEqual(made);
  });

  it('a scheduled appointment has what was given', async () => {
    const { appointments, store } = fixture();
    const command = booking({
      title: 'Loan',
      notes: 'Bring papers',
      metadata: { branch: { city: 'Athens' } },
      locale: 'el_GR',
      notificationHeaders: '{"X-Tenant":"blue"}',
      interaction: { customFields: { topic: 'loan' } },
      customers: [{ ...maria, username: 'maria', name: { firstName: 'Maria' }, metadata: { segment: 'gold' } }],
    });
    const made = await appointments.schedule(agentOne, command);
    expect(made).toMatchObject({
      title: 'Loan',
      notes: 'Bring papers',
      metadata: { branch: { city: 'Athens' } },
      locale: 'el-GR',
      notificationHeaders: { 'X-Tenant': 'blue' },
      interaction: { customFields: { topic: 'loan' } },
    });
    const participantId = made.participants[0]!.id;
    expect(await store.customers.find('org-1', made.id, participantId)).toMatchObject({
      username: 'maria',
      primaryEmail: 'maria@example.org',
      firstName: 'Maria',
      metadata: { segment: 'gold' },
    });
  });

  it('a scheduled appointment keeps no field that the document does not name (D8)', async () => {
    const { appointments } = fixture();
    const command = { ...booking(), state: 'ACTIVATED', organizationId: 'org-2', id: 'mine', version: 9, extra: 1 };
    const made = await appointments.schedule(agentOne, command);
    expect(made).toMatchObject({ state: 'SCHEDULED', organizationId: 'org-1', version: 1 });
    expect(made).not.toHaveProperty('extra');
    expect(made.id).not.toBe('mine');
  });
});

describe('The organizer (D10)', () => {
  const target = { id: 'agent-7', type: 'AGENT' } as const;
  const agent = (id: string): object => ({ id, type: 'AGENT' });

  it.each([
    ['the creating agent', agentOne, {}, {}, agent('agent-1')],
    ['the creating agent, also with a target', agentOne, { targetAssignment: target }, {}, agent('agent-1')],
    ['the target agent for a client service', clientService, { targetAssignment: target }, {}, agent('agent-7')],
    ["the application's default agent, else", clientService, {}, { defaultAgent: 'agent-5' }, agent('agent-5')],
    ['the system, else', clientService, {}, {}, { id: 'service-1', type: 'SYSTEM' }],
    [
      'the system when the target is no agent',
      clientService,
      { targetAssignment: { id: 'queue-1', type: 'SYSTEM' } },
      {},
      { id: 'service-1', type: 'SYSTEM' },
    ],
  ])('the organizer is %s', async (_who, by, more, settings, organizer) => {
    const made = await withSettings(settings).appointments.schedule(by, booking(more));
    expect(made.organizer).toEqual(organizer);
  });

  it('the organizer comes from the caller: targetAssignment of type AGENT becomes an AGENT participant', async () => {
    const { appointments } = fixture();
    const made = await appointments.schedule(agentOne, booking({ targetAssignment: { id: 'agent-7' } }));
    expect(made.targetAssignment).toEqual(agent('agent-7'));
    expect(made.participants.map(({ id, type }) => ({ id, type }))).toContainEqual(agent('agent-7'));
  });

  it('the organizer is told that a target is not an agent of the organization', async () => {
    const { appointments } = withSettings({ organizationId: 'org-1', agents: ['agent-1'] });
    for (const id of ['agent-9', 'not an id', "'; DROP TABLE"]) {
      const error = await errorOf(() => appointments.schedule(agentOne, booking({ targetAssignment: { id } })));
      expect(error.code).toBe('invalid_agent');
    }
  });
});

describe('The application', () => {
  it('the application of another organization is refused with forbidden', async () => {
    const { appointments, newEvents } = withSettings({ organizationId: 'org-2' });
    expect((await errorOf(() => appointments.schedule(agentOne, booking()))).code).toBe('forbidden');
    expect(newEvents()).toEqual([]);
  });

  it('the application that the token does not cover is refused with forbidden (D34)', async () => {
    const { appointments } = fixture();
    const limited = caller('ROLE_AGENT', { applicationIds: ['app-2'] });
    expect((await errorOf(() => appointments.schedule(limited, booking()))).code).toBe('forbidden');
  });

  it('the application gives locale, routing, and the snapshot of its notifications (D1, D11, D12)', async () => {
    const { appointments } = withSettings({
      locale: 'de',
      routing: { type: 'PROVIDERA_CLOUD_FLOW', deploymentId: 'd-1' },
      notifications: { active: true },
    });
    const made = await appointments.schedule(agentOne, booking());
    expect(made).toMatchObject({ locale: 'de', notificationsActive: true });
    expect(made.interaction.routing).toEqual({
      type: 'PROVIDERA_CLOUD_FLOW',
      properties: { deploymentId: 'd-1', chatMode: 'providerA-web-messaging' },
    });
  });

  it('an application that is switched on or off later changes nothing for old appointments (D12)', async () => {
    let active = false;
    const { appointments } = fixture({ applications: { find: () => ({ notifications: { active } }) } });
    const before = await appointments.schedule(agentOne, booking());
    active = true;
    const after = await appointments.schedule(agentOne, booking());
    const read = async (id: string): Promise<boolean> => (await appointments.get(supervisor, id)).notificationsActive;
    expect([await read(before.id), await read(after.id)]).toEqual([false, true]);
    const touched = await appointments.update(agentOne, { id: before.id, title: 'x' });
    expect(touched.notificationsActive).toBe(false);
  });

  it('the application gets chatMode defaults from the family of the call (spec: Interaction)', async () => {
    const { appointments } = withSettings({ routing: { type: 'PROVIDERA_CLOUD_FLOW', deploymentId: 'd-1' } });
    const chatModes = { PROVIDERA_CLOUD_FLOW: 'providerA-cloud' };
    const made = await appointments.schedule(agentOne, booking(), { chatModes });
    expect(made.interaction.routing?.properties['chatMode']).toBe('providerA-cloud');
  });
});

describe('A create request that is not valid', () => {
  it('a create request that is not valid gets one entry for each missing field (D1)', async () => {
    const { appointments } = fixture();
    const error = await errorOf(() => appointments.schedule(agentOne, {} as ScheduleCommand));
    expect(error.code).toBe('validation_failed');
    expect(error.issues.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/applicationId required',
      '/start required',
      '/duration required',
      '/timezone required',
      '/customers required',
    ]);
  });

  const faulty: readonly [string, object, string][] = [
    ['no customer', { customers: [] }, '/customers'],
    ['21 customers', { customers: Array.from({ length: 21 }, () => maria) }, '/customers'],
    ['a customer that is no list', { customers: maria }, '/customers'],
    ['a customer that is null', { customers: [null] }, '/customers/0'],
    ['a customer that is a text', { customers: ['maria'] }, '/customers/0'],
    ['an unreachable second customer', { customers: [maria, {}] }, '/customers/1'],
    ['a title of 201', { title: 'x'.repeat(201) }, '/title'],
    ['notes of 4001', { notes: 'x'.repeat(4001) }, '/notes'],
    ['metadata that is a list', { metadata: [] }, '/metadata'],
    ['an unknown locale', { locale: 'not a locale' }, '/locale'],
    ['headers that are no JSON', { notificationHeaders: 'X: 1' }, '/notificationHeaders'],
    ['headers that are no string', { notificationHeaders: 5 }, '/notificationHeaders'],
    ['custom fields of numbers', { interaction: { customFields: { a: 1 } } }, '/interaction/customFields'],
    ['a target without an id', { targetAssignment: { type: 'AGENT' } }, '/targetAssignment/id'],
    ['a target of another type', { targetAssignment: { id: 'a', type: 'ADMIN' } }, '/targetAssignment/type'],
    ['an unknown routing', { interaction: { routing: { type: 'X' } } }, '/interaction/routing/type'],
    ['an application id of 65', { applicationId: 'x'.repeat(65) }, '/applicationId'],
  ];

  it.each(faulty)('a create request that is not valid with %s is told where', async (_what, more, pointer) => {
    const { appointments, newEvents } = fixture();
    const error = await errorOf(() => appointments.schedule(agentOne, { ...booking(), ...more }));
    expect(error.code).toBe('validation_failed');
    expect(error.issues.map((issue) => issue.pointer)).toContain(pointer);
    expect(newEvents()).toEqual([]);
  });

  it.each([
    ['a start in the past', { start: '2030-05-06T07:58:59Z' }],
    ['a duration of 30 s', { duration: 'PT30S' }],
    ['a duration of nothing', { duration: 'PT0S' }],
    ['a duration of 25 h', { duration: 'PT25H' }],
    ['an end after the year 9999', { start: '9999-12-31T23:59:00Z' }],
  ])('a create request that is not valid with %s has an invalid schedule', async (_what, more) => {
    const { appointments } = fixture();
    expect((await errorOf(() => appointments.schedule(agentOne, booking(more)))).code).toBe('invalid_schedule');
  });

  it('a create request takes the answered form of a duration back (D4)', async () => {
    const { appointments } = fixture();
    const made = await appointments.schedule(agentOne, booking({ duration: 'PT30M (30 minutes)' }));
    expect(made.schedule).toMatchObject({ start, end });
  });
});

describe('Inside create (D18)', () => {
  it.each([
    ['before the lead', '2030-05-06T08:30:01Z', 'SCHEDULED'],
    ['at the lead', '2030-05-06T08:30:00Z', 'ACTIVATED'],
    ['after the start', '2030-05-06T07:59:30Z', 'ACTIVATED'],
  ])('an appointment that is created %s becomes %s', async (_when, at, state) => {
    const { appointments, newEvents } = fixture();
    const made = await appointments.schedule(agentOne, booking({ start: at }));
    expect(made).toMatchObject({ state, version: 1 });
    expect(newEvents()).toEqual(['APCreatedEvent']);
  });

  it('nothing is activated when the application has it off, or the appointment is over', async () => {
    const off = withSettings({ autoActivation: { enabled: false, leadTime: 1_800_000 } });
    expect((await off.appointments.schedule(agentOne, booking({ start: '2030-05-06T08:00:00Z' }))).state).toBe(
      'SCHEDULED',
    );
    const past = withSettings({ allowPastStart: true });
    expect((await past.appointments.schedule(agentOne, booking({ start: '2030-05-06T07:00:00Z' }))).state).toBe(
      'SCHEDULED',
    );
  });
});
