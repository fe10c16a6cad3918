import { describe, expect, it } from 'vitest';
import { hours, minutes } from '@calends/model';
import type { SchedulingStore } from '../../src/ports/store/store.js';
import { StoreError } from '../../src/store.js';
import type { Caller } from '../../src/index.js';
import type { CustomerSelection } from '../../src/operations.js';
import { caller } from '../sample-appointments.js';
import { answerOrCode } from '../error-of.js';
import {
  agentOne,
  booked,
  clientService,
  customerOf,
  fixture,
  foreignSupervisor,
  maria,
  supervisor,
} from '../fixtures.js';
import { eleni, manageFixture } from './manage-fixture.js';

const email = { from: 'no-reply@clinic.example' };
const applications = { 'app-1': { customerRetention: hours(48), notifications: { active: true, email } } };

/** Statuses of an application's messages, by recipient. */
async function recipients(base: Awaited<ReturnType<typeof manageFixture>>): Promise<readonly unknown[]> {
  const { items } = await base.scheduling.notifications.listStatuses(supervisor, { applicationId: 'app-1' });
  return items.map(({ type, status, recipient }) => [type, status, recipient.displayName, recipient.reasonCode]);
}

describe('Erasing a customer (decisions, Across all)', () => {
  it('Erasing a customer leaves nothing of the profile but that and why it went', async () => {
    const base = await manageFixture();
    const selection = { appointmentId: base.made.id, participantId: base.mariasId };
    expect(await base.customers.erase(supervisor, selection)).toBe(1);
    expect(await base.store.customers.find('org-1', base.made.id, base.mariasId)).toEqual({
      organizationId: 'org-1',
      appointmentId: base.made.id,
      participantId: base.mariasId,
      metadata: {},
      removal: { reason: 'PDM_ERASED', at: base.clock.now() },
    });
    const others = await base.store.customers.find('org-1', base.made.id, base.elenisId);
    expect(others).toMatchObject({ primaryEmail: 'eleni@example.org' });
  });

  it('Erasing a customer leaves no hash that recognises the customer, and tells subscribers without personal data', async () => {
    const base = await manageFixture();
    base.newEvents();
    await base.customers.erase(supervisor, { appointmentId: base.made.id, participantId: base.mariasId });
    const found = await base.store.appointments.find('org-1', base.made.id);
    expect(found?.participants.find(({ id }) => id === base.mariasId)).toEqual({ id: base.mariasId, type: 'CUSTOMER' });
    expect(base.newEvents()).toEqual(['APParticipantUpdatedEvent']);
    expect(base.events().at(-1)?.data).toMatchObject({ participantId: base.mariasId, reason: 'PDM_ERASED' });
    expect(JSON.stringify(base.events())).not.toContain('example.org');
  });

  it('Erasing a customer is done once, however often it is asked for', async () => {
    const base = await manageFixture();
    const selection = { primaryEmail: 'MARIA@example.org' };
    expect(await base.customers.erase(clientService, selection)).toBe(1);
    base.newEvents();
    expect(await base.customers.erase(clientService, selection)).toBe(0);
    expect(base.newEvents()).toEqual([]);
  });

  it('Erasing a customer reaches every appointment of the organization by an address, in any state, and no other', async () => {
    const base = fixture();
    const [first, second] = [await booked(base), await booked(base, { start: '2030-05-07T09:00:00Z' })];
    await base.appointments.cancel(supervisor, { id: first.id });
    const theirs = await booked(base, {}, { ...foreignSupervisor, roles: ['ROLE_AGENT'] });
    expect(await base.scheduling.customers.erase(supervisor, { primaryEmail: 'maria@example.org' })).toBe(2);
    for (const { id, organizationId } of [first, second, theirs]) {
      const profiles = await base.store.customers.list(organizationId, id);
      const isErased = profiles.some(({ removal }) => removal !== undefined);
      expect(isErased).toBe(organizationId === 'org-1');
    }
  });

  it('Erasing a customer reaches an address whose domain was written in another way', async () => {
    const base = fixture();
    await booked(base, { customers: [{ contact: { primaryEmail: 'maria@exam\u00ADple\uFF0Eorg' } }] });
    expect(await base.scheduling.customers.erase(supervisor, { primaryEmail: 'maria@example.org' })).toBe(1);
    await booked(base, { customers: [maria], start: '2030-05-07T09:00:00Z' });
    expect(await base.scheduling.customers.erase(supervisor, { primaryEmail: 'maria@example\u3002org' })).toBe(1);
  });

  it('Erasing a customer takes back what waits to be sent to them, and to nobody else', async () => {
    const base = await manageFixture({ applications });
    await base.customers.erase(supervisor, { appointmentId: base.made.id, participantId: base.mariasId });
    const waiting = (await recipients(base)).filter((row) => (row as string[])[1] === 'INITIALIZED');
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.every((row) => (row as string[])[2] !== '-' || (row as string[])[3] === 'NO_NAME')).toBe(true);
  });

  it('Erasing a customer shows - with the reason to anyone who lists messages (D57)', async () => {
    const base = await manageFixture({ applications });
    await base.customers.erase(supervisor, { appointmentId: base.made.id, participantId: base.mariasId });
    const erased = (await recipients(base)).filter((row) => (row as string[])[3] === 'PDM_ERASED');
    expect(erased.length).toBeGreaterThan(0);
    expect(new Set(erased.map((row) => `${(row as string[])[1]} ${(row as string[])[2]}`))).toEqual(
      new Set(['CANCELLED -']),
    );
  });

  it.each(['erased', 'kept no longer'])(
    'Erasing a customer and the end of retention say the same of whatever they take back: a customer who is %s',
    async (how) => {
      const base = fixture({
        applications: {
          'app-1': { customerRetention: hours(1), notifications: { active: true, email, followUps: [hours(3)] } },
        },
      });
      const { id, schedule } = await booked(base);
      if (how === 'kept no longer') base.clock.set(schedule.end + hours(1));
      else await base.scheduling.customers.erase(supervisor, { primaryEmail: 'maria@example.org' });
      // The first pass ends the appointment as a no-show.
      for (let pass = 0; pass < 2; pass += 1) await base.scheduling.workers.runOnce();
      const { items } = await base.scheduling.notifications.listStatuses(supervisor, { applicationId: 'app-1' });
      const theirs = items.filter(
        ({ appointmentId, recipient }) => appointmentId === id && recipient.reasonCode?.startsWith('PDM_'),
      );
      expect(theirs.map(({ type }) => type)).toContain('FOLLOW_UP');
      for (const { status, message } of theirs) {
        expect(`${status}: ${message}`).toBe('CANCELLED: the personal data of the customer was removed');
      }
    },
  );

  it.each<[string, Caller]>([
    ['an agent', agentOne],
    ['a customer', caller('ROLE_CUSTOMER')],
    ['an administrator', caller('ROLE_ADMIN')],
  ])('Erasing a customer is not for %s, nor is the export', async (_who, by) => {
    const base = await manageFixture();
    const selection = { appointmentId: base.made.id, participantId: base.mariasId };
    expect(await answerOrCode(() => base.customers.erase(by, selection))).toBe('forbidden');
    expect(await answerOrCode(() => base.customers.export(by, selection))).toBe('forbidden');
  });

  it.each<[string, CustomerSelection, Caller, string]>([
    ['that says nothing', {}, supervisor, 'validation_failed'],
    ['of empty texts', { username: '', primaryEmail: '' }, supervisor, 'validation_failed'],
    ['of a malformed id', { appointmentId: 'x', participantId: 'y' }, supervisor, 'not_found'],
  ])('Erasing a customer refuses a selection %s', async (_what, selection, by, code) => {
    const { customers } = await manageFixture();
    expect(await answerOrCode(() => customers.erase(by, selection))).toBe(code);
    expect(await answerOrCode(() => customers.export(by, selection))).toBe(code);
  });

  it('Erasing a customer does not know a participant of another organization', async () => {
    const base = await manageFixture();
    const selection = { appointmentId: base.made.id, participantId: base.mariasId };
    expect(await answerOrCode(() => base.customers.erase(foreignSupervisor, selection))).toBe('not_found');
    expect(await base.customers.erase(foreignSupervisor, { primaryEmail: 'maria@example.org' })).toBe(0);
  });
});

describe('Personal data under a token of some applications (D34)', () => {
  const limited = { ...supervisor, applicationIds: ['app-2'] };

  it('personal data under a token of some applications is exported and erased by address in these only', async () => {
    const base = fixture();
    const [other, own] = [await booked(base), await booked(base, { applicationId: 'app-2' })];
    const { customers } = base.scheduling;
    const { records } = await customers.export(limited, maria.contact);
    expect(records.map(({ appointment: { id } }) => id)).toEqual([own.id]);
    const text = (await partsOf(customers.exportText(limited, maria.contact))).join('');
    expect(text).toContain(own.id);
    expect(text).not.toContain(other.id);
    expect(await customers.erase(limited, maria.contact)).toBe(1);
    expect(await customers.erase(limited, maria.contact)).toBe(0);
    const left = await customers.export(supervisor, maria.contact);
    expect(left.records.map(({ appointment: { id } }) => id)).toEqual([other.id]);
  });

  it('personal data under a token of some applications is forbidden for one customer of another, and that is recorded', async () => {
    const base = fixture();
    const made = await booked(base);
    const selection = { appointmentId: made.id, participantId: customerOf(made) };
    const { customers } = base.scheduling;
    expect(await answerOrCode(() => customers.export(limited, selection))).toBe('forbidden');
    expect(await answerOrCode(() => partsOf(customers.exportText(limited, selection)))).toBe('forbidden');
    expect(await answerOrCode(() => customers.erase(limited, selection))).toBe('forbidden');
    await base.scheduling.close();
    const { items } = await base.scheduling.audit.list(supervisor, { appointmentId: made.id });
    expect(items.map(({ operation, outcome }) => `${operation} ${outcome}`).toSorted()).toEqual([
      'eraseCustomer forbidden',
      'exportCustomer forbidden',
      'schedule done',
    ]);
  });

  it('personal data under a token of some applications is not reached through the messages of a removed record', async () => {
    const base = fixture({ applications });
    const made = await booked(base);
    await base.appointments.remove(supervisor, made.id);
    const { customers } = base.scheduling;
    const selection = { appointmentId: made.id, participantId: customerOf(made) };
    expect((await customers.export(limited, maria.contact)).records).toEqual([]);
    expect(await customers.erase(limited, maria.contact)).toBe(0);
    expect(await answerOrCode(() => customers.export(limited, selection))).toBe('not_found');
    expect(await answerOrCode(() => customers.erase(limited, selection))).toBe('not_found');
    expect((await customers.export(supervisor, maria.contact)).records).toHaveLength(1);
  });
});

describe('The end of retention (PDM_EXPIRED)', () => {
  it('the end of retention (PDM_EXPIRED) comes so long after the end, and not before', async () => {
    const base = await manageFixture({ applications });
    const end = base.made.schedule.end + hours(48);
    base.clock.set(end - 1);
    await base.scheduling.workers.runOnce();
    expect((await base.store.customers.list('org-1', base.made.id)).every(({ removal }) => removal === undefined)).toBe(
      true,
    );
    base.clock.set(end);
    await base.scheduling.workers.runOnce();
    const profiles = await base.store.customers.list('org-1', base.made.id);
    expect(profiles.map(({ removal, primaryEmail }) => [removal?.reason, primaryEmail])).toEqual([
      ['PDM_EXPIRED', undefined],
      ['PDM_EXPIRED', undefined],
    ]);
    expect((await recipients(base)).map((row) => (row as string[])[3])).toContain('PDM_EXPIRED');
  });

  it('the end of retention (PDM_EXPIRED) comes for what was cancelled, too, and only once', async () => {
    const base = await manageFixture({ applications });
    await base.appointments.cancel(supervisor, { id: base.made.id });
    base.clock.set(base.made.schedule.end + hours(49));
    await base.scheduling.workers.runOnce();
    const { version } = await base.appointments.get(supervisor, base.made.id);
    base.clock.advance(hours(1));
    await base.scheduling.workers.runOnce();
    expect((await base.appointments.get(supervisor, base.made.id)).version).toBe(version);
    expect((await base.store.customers.list('org-1', base.made.id)).map(({ removal }) => removal?.reason)).toEqual([
      'PDM_EXPIRED',
      'PDM_EXPIRED',
    ]);
  });

  it('the end of retention (PDM_EXPIRED) never comes where the application sets none', async () => {
    const base = await manageFixture();
    base.clock.set(base.made.schedule.end + hours(24 * 3650));
    await base.scheduling.workers.runOnce();
    expect((await base.store.customers.list('org-1', base.made.id)).every(({ removal }) => removal === undefined)).toBe(
      true,
    );
  });
});

describe('The export of a customer', () => {
  it('the export of a customer has everything that is held about them, and nobody else', async () => {
    const base = await manageFixture({ applications });
    base.clock.advance(minutes(1));
    const { exportedAt, records } = await base.customers.export(supervisor, maria.contact);
    expect(exportedAt).toBe(base.clock.now());
    expect(records).toHaveLength(1);
    const [record] = records;
    expect(record?.profile).toMatchObject({ participantId: base.mariasId, ...maria.contact });
    expect(record?.appointment.participants.map(({ id }) => id)).not.toContain(base.elenisId);
    expect(record?.notifications.length).toBeGreaterThan(0);
    expect(record?.deliveryEvents.length).toBeGreaterThanOrEqual(record?.notifications.length ?? 0);
    expect(JSON.stringify(records)).not.toContain(eleni.contact.primaryEmail);
  });

  it('the export of a customer is recorded, and the record is in the next one', async () => {
    const base = await manageFixture();
    const selection = { appointmentId: base.made.id, participantId: base.mariasId };
    await base.customers.export(supervisor, selection);
    const { records } = await base.customers.export(supervisor, selection);
    expect(records[0]?.audit.map(({ operation }) => operation)).toEqual(['exportCustomer', 'exportCustomer']);
  });

  it('the export of a customer as text is what the export answers, as JSON', async () => {
    const base = await manageFixture({ applications });
    for (let hour = 0; hour < 3; hour += 1) await booked(base, { start: `2030-05-0${String(7 + hour)}T09:00:00Z` });
    const selection = { appointmentId: base.made.id, participantId: base.mariasId };
    for (let times = 0; times < 60; times += 1) await base.customers.export(supervisor, selection);
    for (const each of [selection, maria.contact, { primaryEmail: 'nobody@example.org' }]) {
      const parts = await partsOf(base.customers.exportText(supervisor, each));
      const exported = await base.customers.export(supervisor, each);
      const told = JSON.parse(parts.join('')) as typeof exported;
      // The second call has the line of the first one, and its own.
      const withoutCalls = ({ records }: typeof exported) =>
        records.map((record) => ({
          ...record,
          audit: record.audit.filter(({ operation }) => operation !== 'exportCustomer'),
        }));
      expect(withoutCalls(told)).toEqual(JSON.parse(JSON.stringify(withoutCalls(exported))));
      expect(Object.keys(told)).toEqual(['exportedAt', 'records']);
      expect(told.records.map(({ audit }) => audit.length + 1)).toEqual(
        exported.records.map(({ audit }) => audit.length),
      );
    }
  });

  it('the export of a customer has every record, however many there are, also as text', async () => {
    const base = fixture();
    for (let made = 0; made < 205; made += 1) await booked(base);
    const { records } = await base.scheduling.customers.export(supervisor, maria.contact);
    expect(records).toHaveLength(205);
    const parts = await partsOf(base.scheduling.customers.exportText(supervisor, maria.contact));
    expect((JSON.parse(parts.join('')) as typeof records & { records: unknown[] }).records).toHaveLength(205);
  });

  it('the export of a customer as text has no end where the store fails in the middle, and is read no further once nobody takes it', async () => {
    const base = await manageFixture({ applications });
    const fault = new StoreError('unavailable', 'The disk is gone.');
    let looks = 0;
    const audit: SchedulingStore['audit'] = {
      ...base.store.audit,
      list: () => {
        looks += 1;
        return Promise.reject(fault);
      },
    };
    const { customers } = fixture({ store: { ...base.store, audit }, ids: base.ids, clock: base.clock }).scheduling;
    const taken: string[] = [];
    const taking = (async () => {
      for await (const part of customers.exportText(supervisor, maria.contact)) taken.push(part);
    })();
    await expect(taking).rejects.toThrow(fault);
    expect(taken.length).toBeGreaterThan(0);
    expect(() => JSON.parse(taken.join('')) as unknown).toThrow(SyntaxError);
    for await (const _part of customers.exportText(supervisor, maria.contact)) break;
    expect(looks).toBe(1);
  });

  it.each<[string, CustomerSelection, Caller, string]>([
    ['an agent', maria.contact, agentOne, 'forbidden'],
    ['a selection that says nothing', {}, supervisor, 'validation_failed'],
    ['an unknown appointment', { appointmentId: 'x', participantId: 'y' }, supervisor, 'not_found'],
  ])('the export of a customer as text is refused before its first part: %s', async (_what, selection, by, code) => {
    const base = await manageFixture();
    expect(await answerOrCode(() => partsOf(base.customers.exportText(by, selection)))).toBe(code);
  });
});

async function partsOf(parts: AsyncIterable<string>): Promise<readonly string[]> {
  const taken: string[] = [];
  for await (const part of parts) taken.push(part);
  return taken;
}
