import { describe, expect, it } from 'vitest';
import type { Caller, Role } from '../src/index.js';
import { answerOrCode } from './error-of.js';
import { booked, booking, type Fixture, fixture } from './fixtures.js';
import { caller } from './sample-appointments.js';

const open = { applications: { 'app-1': { agentsSeeOnlyOwnAppointments: false } } };
const window = { applicationId: 'app-1', organizationId: 'org-1', starts: ['2030-05-01T00:00:00Z'], timeFrame: 'P9D' };
const as = (...roles: readonly string[]): Caller => ({ ...caller('ROLE_AGENT'), roles: roles as readonly Role[] });

const calls: Readonly<Record<string, (base: Fixture, by: Caller, id: string) => Promise<unknown>>> = {
  schedule: ({ appointments }, by) => appointments.schedule(by, booking()),
  get: ({ appointments }, by, id) => appointments.get(by, id),
  list: ({ appointments }, by) => appointments.list(by, {}),
  update: ({ appointments }, by, id) => appointments.update(by, { id, title: 'Another' }),
  reschedule: ({ appointments }, by, id) =>
    appointments.reschedule(by, { id, start: '2030-06-01T10:00:00Z', duration: 'PT30M', timezone: 'UTC' }),
  cancel: ({ appointments }, by, id) => appointments.cancel(by, { id }),
  activate: ({ appointments }, by, id) => appointments.activate(by, id),
  listStatuses: ({ scheduling }, by) => scheduling.notifications.listStatuses(by, { applicationId: 'app-1' }),
  erase: ({ scheduling }, by) => scheduling.customers.erase(by, { primaryEmail: 'maria@example.org' }),
};

describe('A caller of the library', () => {
  it.each([[], ['customer'], ['AGENT'], ['role_agent'], ['ROLE_FOO'], ['ROLE_ADMIN']].map((roles) => [roles]))(
    'who has no role of staff does nothing with appointments, and is not taken for an agent: %j',
    async (roles) => {
      const base = fixture(open);
      const { id } = await booked(base);
      for (const [name, call] of Object.entries(calls)) {
        expect([name, await answerOrCode(() => call(base, as(...roles), id))]).toEqual([name, 'forbidden']);
      }
      expect((await base.appointments.get(caller('ROLE_AGENT', { id: 'agent-1' }), id)).version).toBe(1);
    },
  );

  it.each([[], ['ROLE_FOO'], ['ROLE_ADMIN']].map((roles) => [roles]))(
    'a caller counts in the organization, whatever the role (D28): %j',
    async (roles) => {
      const base = fixture(open);
      await booked(base);
      expect(await base.appointments.count(as(...roles), window)).toMatchObject([{ count: 1 }]);
    },
  );

  it.each([['ROLE_CUSTOMER'], ['ROLE_FOO'], ['ROLE_AGENT']])(
    'who is an administrator too loses nothing by another role: %s (D34)',
    async (role) => {
      const { scheduling } = fixture(open);
      expect(await scheduling.notifications.listEndpoints(as('ROLE_ADMIN', role), 'app-1')).toEqual([]);
    },
  );

  it.each(['schedule', 'cancel', 'update', 'reschedule', 'activate'])(
    'a caller whose object becomes another one while a call is under way is who it was when the call began: %s',
    async (name) => {
      const base = fixture({ applications: { find: () => Promise.resolve({ agentsSeeOnlyOwnAppointments: false }) } });
      const { id } = await booked(base);
      const by = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT' as Role], applicationIds: ['app-1'] };
      const call = calls[name]?.(base, by, id);
      by.id = 'agent-2';
      by.organizationId = 'org-2';
      by.roles.splice(0, 1, 'ROLE_CUSTOMER');
      by.applicationIds.splice(0);
      await call;
      const { organizationId, actor } = base.events().at(-1) ?? {};
      expect({ organizationId, actor }).toMatchObject({
        organizationId: 'org-1',
        actor: { id: 'agent-1', role: 'ROLE_AGENT' },
      });
    },
  );
});
