import fc from 'fast-check';
import type { RefusedCall } from '../src/operations.js';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import { holds, sealHash } from '../src/domain/audit/audit-chain.js';
import { type AuditEntry, type AuditSeal, StoreError } from '../src/store.js';
import { answerOrCode } from './error-of.js';
import {
  agentOne,
  agentTwo,
  booked,
  customerOf,
  fixture,
  type Fixture,
  foreignSupervisor,
  supervisor,
} from './fixtures.js';
import { caller } from './sample-appointments.js';

const lines = async ({ scheduling }: Fixture, appointmentId?: string): Promise<readonly AuditEntry[]> =>
  (await scheduling.audit.list(supervisor, { appointmentId, pageSize: 100 })).items;

const told = ({ operation, outcome, from, to, proof, actor }: AuditEntry): string =>
  [operation, outcome, from ?? '-', to ?? '-', proof, actor?.id ?? '-'].join(' ');

describe('The audit record', () => {
  it('the audit record has a line for every change, in the commit of the change', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await base.appointments.update(agentOne, { id, title: 'Other' }, { correlationId: 'request-2' });
    await base.appointments.activate(agentOne, id);
    await base.appointments.cancel(supervisor, { id });
    expect((await lines(base, id)).map(told)).toEqual([
      'cancel done ACTIVATED CANCELLED token supervisor-1',
      'activate done SCHEDULED ACTIVATED token agent-1',
      'update done SCHEDULED SCHEDULED token agent-1',
      'schedule done - SCHEDULED token agent-1',
    ]);
    const update = (await lines(base, id)).find(({ operation }) => operation === 'update');
    expect(update).toMatchObject({ requestId: 'request-2', version: 2, organizationId: 'org-1' });
  });

  it('the audit record has none for what changed nothing, and stays when the record is removed', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await base.appointments.cancel(agentOne, { id });
    await base.appointments.cancel(agentOne, { id });
    await base.appointments.remove(supervisor, id);
    expect((await lines(base, id)).map(told)).toEqual([
      'remove done CANCELLED - token supervisor-1',
      'cancel done SCHEDULED CANCELLED token agent-1',
      'schedule done - SCHEDULED token agent-1',
    ]);
  });

  it("the audit record has the worker's own steps, by nobody's proof", async () => {
    const base = fixture();
    const { id, schedule } = await booked(base);
    base.clock.set(schedule.start - minutes(10));
    await base.scheduling.workers.runOnce();
    expect((await lines(base, id)).map(told)[0]).toBe('automatic done SCHEDULED ACTIVATED none calends');
  });

  it('the audit record has refused calls of known appointments, once a minute each, and none of unknown ones', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const tryOn = async (): Promise<void> => {
      await answerOrCode(() => base.appointments.get(agentTwo, id));
      await answerOrCode(() => base.appointments.get(caller('ROLE_CUSTOMER', { conferenceId: 'x' }), id));
      await answerOrCode(() => base.appointments.get(agentTwo, '019a3f5c-ffff-7000-8000-000000000000'));
    };
    await tryOn();
    await tryOn();
    base.clock.advance(minutes(1));
    await tryOn();
    await base.scheduling.close();
    const refused = (await lines(base)).filter(({ outcome }) => outcome !== 'done').map(told);
    expect(refused.toSorted()).toEqual([
      'get forbidden - - join customer',
      'get forbidden - - join customer',
      'get not_assigned - - token agent-2',
      'get not_assigned - - token agent-2',
    ]);
  });

  it('the audit record has refused calls on the links and the personal data of a customer', async () => {
    const base = fixture();
    const { customers } = base.scheduling;
    const made = await booked(base);
    const query = { appointmentId: made.id, participantId: customerOf(made) };
    await answerOrCode(() => customers.issueManageLink(agentTwo, query));
    await answerOrCode(() => customers.revokeManageLink(agentTwo, query));
    await answerOrCode(() => customers.erase(agentTwo, query));
    await answerOrCode(() => customers.export(agentTwo, query));
    await answerOrCode(() => customers.erase(agentTwo, { primaryEmail: 'maria@example.org' }));
    await base.scheduling.close();
    const refused = (await lines(base, made.id)).filter(({ outcome }) => outcome !== 'done').map(told);
    expect(refused.toSorted()).toEqual([
      'eraseCustomer forbidden - - token agent-2',
      'exportCustomer forbidden - - token agent-2',
      'issueManageLink not_assigned - - token agent-2',
      'revokeManageLink not_assigned - - token agent-2',
    ]);
  });

  it('the audit record has a refused call again after the clock has gone back', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await answerOrCode(() => base.appointments.get(agentTwo, id));
    base.clock.advance(-minutes(30));
    await answerOrCode(() => base.appointments.get(agentTwo, id));
    await base.scheduling.close();
    expect((await lines(base)).filter(({ outcome }) => outcome !== 'done')).toHaveLength(2);
  });

  it('the audit record bounds what waits, and tells how many refusals were not written down', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const call = { appointmentId: id, operation: 'get', outcome: 'unauthenticated', proof: 'none' } as const;
    for (let count = 0; count < 1500; count += 1) {
      const by = caller('ROLE_AGENT', { id: `agent-${String(count)}` });
      base.scheduling.audit.refused({ ...call, caller: by, requestId: 'r' });
    }
    await base.scheduling.close();
    const dropped = base.signals.filter(({ type }) => type === 'auditRefusalsDropped');
    expect(dropped).toEqual([{ type: 'auditRefusalsDropped', count: 500 }]);
    expect((await base.scheduling.audit.list(supervisor)).total).toBe(1001);
  });

  it.each([
    ['requestId', { requestId: undefined }],
    ['requestId', { requestId: 'a\u0000b' }],
    ['operation', { operation: 'look' }],
    ['outcome', { outcome: 403 }],
    ['proof', { proof: 'a password' }],
    ['caller', { caller: { id: 'agent-1' } }],
    ['organizationId', { organizationId: 7 }],
    ['applicationId', { applicationId: '' }],
  ])(
    'the audit record takes no refusal whose %s is %j, which no database would: it is told, and others are kept',
    async (field, wrong) => {
      const base = fixture();
      const { id } = await booked(base);
      const call = {
        appointmentId: id,
        operation: 'get',
        outcome: 'forbidden',
        proof: 'token',
        requestId: 'r',
      } as const;
      base.scheduling.audit.refused({ ...call, ...wrong } as unknown as RefusedCall);
      base.scheduling.audit.refused({ ...call, caller: agentTwo });
      await base.scheduling.close();
      const error = new TypeError(`audit.refused: ${field} is not what it must be`);
      expect(base.signals.filter(({ type }) => type === 'auditRefusalsDropped')).toEqual([
        { type: 'auditRefusalsDropped', count: 1, error },
      ]);
      expect((await lines(base)).filter(({ outcome }) => outcome !== 'done')).toHaveLength(1);
    },
  );

  it('the audit record does no harm where the store does not take a refusal', async () => {
    const inner = memoryStore();
    const error = new StoreError('unavailable', 'away');
    const base = fixture({
      store: { ...inner, audit: { ...inner.audit, recordRefusals: () => Promise.reject(error) } },
    });
    const { id } = await booked(base);
    expect(await answerOrCode(() => base.appointments.get(agentTwo, id))).toBe('not_assigned');
    await base.scheduling.close();
    expect(base.signals).toContainEqual({ type: 'auditRefusalsDropped', count: 1, error });
  });

  it('the audit record is for supervisors of the organization', async () => {
    const base = fixture();
    await booked(base);
    const { audit } = base.scheduling;
    for (const by of [agentOne, caller('ROLE_ADMIN'), caller('ROLE_CUSTOMER'), caller('ROLE_CLIENT_SERVICE')]) {
      expect(await answerOrCode(() => audit.list(by))).toBe('forbidden');
      expect(await answerOrCode(() => audit.verify(by))).toBe('forbidden');
    }
    expect((await audit.list(foreignSupervisor)).total).toBe(0);
  });

  it('the audit record is of all applications, and for no token that covers some of them only', async () => {
    const base = fixture();
    await booked(base);
    const { audit } = base.scheduling;
    const limited = { ...supervisor, applicationIds: ['app-1'] };
    expect(await answerOrCode(() => audit.list(limited))).toBe('forbidden');
    expect(await answerOrCode(() => audit.verify(limited))).toBe('forbidden');
  });

  it.each([
    ['a page below one', { pageNumber: 0 }],
    ['a page size above 100', { pageSize: 101 }],
    ['a time without a zone', { from: '2030-01-01T00:00:00' }],
    ['a window that ends before it begins', { from: '2030-01-02T00:00:00Z', to: '2030-01-01T00:00:00Z' }],
  ])('the audit record refuses %s', async (_what, query) => {
    const { audit } = fixture().scheduling;
    expect(await answerOrCode(() => audit.list(supervisor, query))).toBe('validation_failed');
  });

  it('the audit record has the token as the proof of staff, whatever claims of customers stand in it: nobody looks at these', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const claims = { conferenceId: 'x', manage: { ticketId: 'x', token: 'y' } };
    await answerOrCode(() => base.appointments.update({ ...agentTwo, ...claims }, { id, title: 'Other' }));
    await base.appointments.cancel({ ...supervisor, ...claims }, { id });
    await base.scheduling.close();
    expect((await lines(base, id)).map(told).toSorted()).toEqual([
      'cancel done SCHEDULED CANCELLED token supervisor-1',
      'schedule done - SCHEDULED token agent-1',
      'update not_assigned - - token agent-2',
    ]);
    expect(base.signals.filter(({ type }) => type === 'security')).toEqual([]);
  });

  it('the audit record has nothing personal in it', async () => {
    const base = fixture();
    const { id, participants } = await booked(base);
    const participantId = participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
    await base.appointments.updateParticipant(agentOne, {
      id,
      participantId,
      customer: { name: { firstName: 'Marker' }, contact: { primaryEmail: 'marker@example.org' } },
    });
    const customer = caller('ROLE_CUSTOMER', { id: 'marker@example.org', conferenceId: 'x' });
    await answerOrCode(() => base.appointments.get(customer, id));
    await base.scheduling.close();
    expect(JSON.stringify(await lines(base))).not.toMatch(/marker|example|maria/i);
  });
});

describe('The hash chain of the audit record', () => {
  async function sealed(): Promise<Fixture> {
    const base = fixture();
    for (let day = 1; day <= 3; day += 1) {
      await booked(base, { start: `2030-05-1${String(day)}T09:00:00Z` });
      base.clock.advance(seconds(10));
      await base.scheduling.workers.runOnce();
    }
    return base;
  }

  it('the hash chain of the audit record covers every line some seconds later, seal after seal', async () => {
    const base = await sealed();
    const checked = await base.scheduling.audit.verify(supervisor);
    expect(checked).toEqual({ intact: true, seals: 3, entries: 3, unsealed: 0, head: checked.head });
    expect(checked.head).toMatch(/^[\w-]{43}$/);
    await booked(base, { start: '2030-05-20T09:00:00Z' });
    expect(await base.scheduling.audit.verify(supervisor)).toMatchObject({ intact: true, unsealed: 1 });
  });

  it('the hash chain of the audit record seals every organization, however busy another one is', async () => {
    const base = fixture();
    await booked(base, {}, { ...agentOne, organizationId: 'org-2' });
    base.clock.advance(seconds(10));
    await booked(base);
    await base.scheduling.workers.runOnce();
    expect(await base.scheduling.audit.verify(foreignSupervisor)).toMatchObject({ seals: 1, unsealed: 0 });
    expect(await base.scheduling.audit.verify(supervisor)).toMatchObject({ seals: 0, unsealed: 1 });
  });

  it('the hash chain of the audit record seals every organization, however many others are busy', async () => {
    const base = fixture();
    await booked(base, {}, { ...agentOne, organizationId: 'org-999' });
    base.clock.advance(seconds(10));
    for (let number = 100; number < 220; number += 1)
      await booked(base, {}, { ...agentOne, organizationId: `org-${String(number)}` });
    for (let passes = 0; passes < 2; passes += 1) await base.scheduling.workers.runOnce();
    const last = { ...supervisor, organizationId: 'org-999' };
    expect(await base.scheduling.audit.verify(last)).toMatchObject({ seals: 1, unsealed: 0 });
    base.clock.advance(seconds(10));
    for (let passes = 0; passes < 3; passes += 1) await base.scheduling.workers.runOnce();
    const first = { ...supervisor, organizationId: 'org-100' };
    expect(await base.scheduling.audit.verify(first)).toMatchObject({ seals: 1, unsealed: 0 });
  });

  it('the hash chain of the audit record is sealed while events come as fast as subscribers take them', async () => {
    const base = fixture({ worker: { interval: 10 } });
    const { audit, events, workers } = base.scheduling;
    let seals = 0;
    events.subscribe(async ({ appointmentId: id, version }) => {
      ({ seals } = await audit.verify(supervisor));
      if (seals > 0 || version === 200) return;
      base.clock.advance(seconds(6));
      await new Promise((resolve) => setTimeout(resolve, 2));
      await base.appointments.update(agentOne, { id, title: String(version) });
    });
    await booked(base);
    await workers.runOnce();
    expect(seals).toBeGreaterThan(0);
  });

  it('the hash chain of the audit record names the first seal that does not hold', async () => {
    const base = await sealed();
    const found = await base.store.audit.listSeals('org-1', 1, 10);
    const tampered = found.map((each, index) =>
      index === 1
        ? { ...each, entries: each.entries.map((entry) => ({ ...entry, outcome: 'forbidden' as const })) }
        : each,
    );
    const listSeals = (_organization: string, from: number) =>
      Promise.resolve(tampered.filter(({ seal }) => seal.number >= from));
    const other = fixture({ store: { ...base.store, audit: { ...base.store.audit, listSeals } } });
    expect(await other.scheduling.audit.verify(supervisor)).toMatchObject({ intact: false, brokenSeal: 2, seals: 1 });
  });

  it('the hash chain of the audit record finds any single change of a sealed record', async () => {
    const base = await sealed();
    const [first, second] = await base.store.audit.listSeals('org-1', 1, 10);
    if (first === undefined || second === undefined) throw new Error('There should be two seals.');
    const key = new Uint8Array(32).fill(7);
    const own = (previous: AuditSeal | undefined, seal: AuditSeal, entries: readonly AuditEntry[]): AuditSeal => ({
      ...seal,
      hash: sealHash(key, previous, seal.number, entries),
    });
    const one = own(undefined, first.seal, first.entries);
    const two = own(one, second.seal, second.entries);
    expect(holds(key, undefined, one, first.entries)).toBe(true);
    expect(holds(key, one, two, second.entries)).toBe(true);
    const [entry] = second.entries;
    if (entry === undefined) throw new Error('There should be an entry.');
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(entry) as (keyof AuditEntry)[])),
        fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        (field, value) => {
          fc.pre(JSON.stringify(entry[field]) !== JSON.stringify(value));
          expect(holds(key, one, two, [{ ...entry, [field]: value }])).toBe(false);
        },
      ),
    );
    expect(holds(key, one, two, [])).toBe(false);
    expect(holds(key, one, two, [entry, entry])).toBe(false);
    expect(holds(key, undefined, two, second.entries)).toBe(false);
    expect(holds(key, one, { ...two, number: 3 }, second.entries)).toBe(false);
    expect(holds(new Uint8Array(32), one, two, second.entries)).toBe(false);
  });
});
