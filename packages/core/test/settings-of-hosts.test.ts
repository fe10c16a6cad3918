import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { createScheduling } from '../src/index.js';
import { answerOrCode } from './error-of.js';
import { agentOne, booked, booking, fixture, secret, standingClock, supervisor } from './fixtures.js';
import { at, mornings, service, talk } from './availability/sample-service.js';

/** Settings as a host without types may write into them. */
type Written<Value> = { -readonly [Name in keyof Value]: Written<Value[Name]> };

describe('Settings that the host writes into after the library was made', () => {
  it('settings that the host writes into after the library was made stay as they were: of applications', async () => {
    const applications = {
      'app-1': { organizationId: 'org-1', agents: ['agent-1'], overlap: { mode: 'agent' as string, buffer: 0 } },
    };
    const base = fixture({ applications: applications as never });
    applications['app-1'].overlap.mode = 'off';
    applications['app-1'].organizationId = 'org-9';
    applications['app-1'].agents.push('agent-2');
    await booked(base, { targetAssignment: { id: 'agent-1' } });
    const twice = booking({ targetAssignment: { id: 'agent-1' } });
    expect(await answerOrCode(() => base.appointments.schedule(agentOne, twice))).toBe('slot_conflict');
    const other = booking({ targetAssignment: { id: 'agent-2' }, start: '2030-05-06T15:00:00Z' });
    expect(await answerOrCode(() => base.appointments.schedule(agentOne, other))).toBe('invalid_agent');
    Object.assign(applications, { 'app-2': { organizationId: 'org-9' } });
    const added = await base.appointments.schedule(agentOne, booking({ applicationId: 'app-2' }));
    expect(added.organizationId).toBe('org-1');
  });

  it('settings that the host writes into after the library was made stay as they were: of services and hours', async () => {
    const hours = {
      timezone: mornings.timezone,
      weekly: [{ ...mornings.weekly[0], days: [...mornings.weekly[0].days] }],
    };
    const availability = { services: { 'app-1': { talk: service() } }, hours: { 'agent-1': hours, 'agent-2': hours } };
    const { scheduling } = fixture({ availability });
    const written = availability as unknown as Written<typeof availability>;
    written.services['app-1'].talk.durations = ['PT3H'];
    written.hours['agent-1'].weekly.splice(0);
    Object.assign(availability, { public: true });
    const window = { from: at('09:00'), to: at('12:00') };
    const { durations } = await scheduling.availability.find(supervisor, { ...talk, ...window });
    expect(durations.map(({ offers }) => offers.length)).toEqual([6]);
    const visitor = { clientAddress: '203.0.113.7', organizationId: 'org-1' };
    expect(await answerOrCode(() => scheduling.availability.find(visitor as never, { ...talk, ...window }))).toBe(
      'unauthenticated',
    );
  });

  it('settings that the host writes into after the library was made stay as they were: those that it was answered', async () => {
    const exceptions = { '2030-05-08': { open: [] } };
    const availability = {
      services: { 'app-1': { talk: service() } },
      hours: { 'agent-1': { timezone: 'UTC', weekly: [], exceptions } },
    };
    const { services, hours } = fixture({ availability }).scheduling.availability;
    const days = { actorId: 'agent-1', from: '2030-05-01', until: '2030-05-31' };
    const answers = async () => [
      await services.get(supervisor, talk),
      await services.list(supervisor, talk),
      await hours.get(supervisor, { actorId: 'agent-1' }),
      await hours.list(supervisor),
      await hours.listExceptions(supervisor, days),
    ];
    const first = structuredClone(await answers());
    const emptied = (given: unknown): void => {
      if (Array.isArray(given)) given.splice(0).forEach(emptied);
      else if (typeof given === 'object' && given !== null) Object.values(given).forEach(emptied);
    };
    emptied(await answers());
    expect(await answers()).toEqual(first);
  });

  it('settings that the host writes into after the library was made stay as they were: of routing', async () => {
    const provider = { type: 'OWN', entryPoint: 'deploymentId' as const, chatModes: ['own'], defaultChatMode: 'own' };
    const base = fixture({ routingProviders: [provider] });
    provider.chatModes.splice(0);
    provider.defaultChatMode = 'changed';
    const routing = { type: 'OWN', properties: { deploymentId: 'd-1' } };
    const { interaction } = await base.appointments.schedule(agentOne, booking({ interaction: { routing } }));
    expect(JSON.stringify(interaction.routing)).toContain('"own"');
  });

  it('settings that the host writes into after the library was made stay as they were: a secret that is wiped', async () => {
    const store = memoryStore();
    const clock = standingClock();
    const bytes = new TextEncoder().encode(secret);
    const wiped = createScheduling({ store, secret: bytes, clock });
    const kept = createScheduling({ store, secret, clock });
    bytes.fill(0);
    const about = { about: 'x', validFor: 1000 };
    expect(kept.sealing.open(wiped.sealing.seal('text', about), 'x')).toBe('text');
    const idempotency = { key: 'k-1', operation: 'o' };
    const { id } = await wiped.appointments.schedule(agentOne, booking(), { idempotency });
    expect((await kept.appointments.schedule(agentOne, booking(), { idempotency })).id).toBe(id);
  });
});
