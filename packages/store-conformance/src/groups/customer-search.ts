import type { CustomerProfile, CustomerSearch, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect, spoil } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { commitAll } from '../steps.js';

const ada = { username: 'ada', primaryEmail: 'ada@example.org', primaryPhone: '+4930123' };

/** A profile without any address unless told otherwise. */
const person = (a: Words, participantId: string, addresses: Partial<CustomerProfile> = {}) =>
  ({
    organizationId: a.organizationId,
    appointmentId: 'appointment-1',
    participantId,
    metadata: {},
    ...addresses,
  }) as const;

async function withCustomers(
  store: SchedulingStore,
  a: Words,
  customers: readonly CustomerProfile[],
  id = 'appointment-1',
): Promise<void> {
  await commitAll(store, insertion(a.scheduled({ id }), { customers }));
}

async function found(
  store: SchedulingStore,
  a: Words,
  search: Partial<Omit<CustomerSearch, 'organizationId'>>,
): Promise<readonly string[]> {
  const profiles = await store.customers.findByContact({ organizationId: a.organizationId, limit: 100, ...search });
  return profiles.map(({ appointmentId, participantId }) => `${appointmentId} ${participantId}`);
}

export const customerSearchGroup = group('customers are found by each of their addresses, while their data is there', [
  { rule: 'customer-search' },
  it('a profile is found by user name, e-mail address and phone number, each alone, and comes back whole', async (store, a, organizationId) => {
    const full = person(a, 'full', { ...ada, firstName: 'Ada', metadata: { segment: 'gold' } });
    await withCustomers(store, a, [full, person(a, 'bare')]);
    for (const search of [
      { username: 'ada' },
      { primaryEmail: 'ada@example.org' },
      { primaryPhone: '+4930123' },
      { username: 'ada', primaryEmail: 'other@example.org', primaryPhone: '+4930999' },
    ]) {
      expect(await store.customers.findByContact({ organizationId, limit: 10, ...search })).toEqual([full]);
    }
  }),
  it('the addresses are alternatives, each profile is answered once, and none is found by none of them', async (store, a) => {
    const customers = [
      person(a, 'a', { username: 'ada' }),
      person(a, 'b', { primaryEmail: 'ada@example.org' }),
      person(a, 'c', { primaryPhone: '+4930123' }),
      person(a, 'd', ada),
      person(a, 'e', { username: 'bob', primaryEmail: 'bob@example.org', primaryPhone: '+4930124' }),
      person(a, 'f'),
    ];
    await withCustomers(store, a, customers);
    expect(await found(store, a, ada)).toEqual(['a', 'b', 'c', 'd'].map((id) => `appointment-1 ${id}`));
    expect(await found(store, a, {})).toEqual([]);
    const crossed = { username: 'ada@example.org', primaryEmail: '+4930123', primaryPhone: 'ada' };
    expect(await found(store, a, crossed)).toEqual([]);
  }),
  it('the answer is in the order of appointment and participant, by code point, and bounded', async (store, a, organizationId) => {
    const participants = ['2', '10', '\u00e9', 'e'];
    const inOrder = ['B', 'a', 'b', '\uff5e', '\u{10400}'].flatMap((id) =>
      ['10', '2', 'e', '\u00e9'].map((participantId) => `${id} ${participantId}`),
    );
    for (const id of ['b', '\u{10400}', 'a', '\uff5e', 'B']) {
      const customers = participants.map((participantId) =>
        a.profile({ organizationId, id }, { participantId, username: 'ada' }),
      );
      await withCustomers(store, a, customers, id);
    }
    expect(await found(store, a, { username: 'ada' })).toEqual(inOrder);
    expect(await found(store, a, { username: 'ada', limit: 7 })).toEqual(inOrder.slice(0, 7));
    const search = { username: 'ada', primaryEmail: 'customer@example.org', limit: 3 };
    expect(await found(store, a, search)).toEqual(inOrder.slice(0, 3));
    for (const [place, last] of inOrder.entries()) {
      const [appointmentId = '', participantId = ''] = last.split(' ');
      const rest = await found(store, a, { username: 'ada', after: { appointmentId, participantId }, limit: 3 });
      expect(rest).toEqual(inOrder.slice(place + 1, place + 4));
    }
  }),
  it('a profile is found as it is now: by its new addresses, and never after it went', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const kept = person(a, 'kept', { username: 'ada', primaryEmail: 'ada@example.org' });
    const gone = person(a, 'gone', { username: 'ada', primaryPhone: '+4930123' });
    await commitAll(store, insertion(appointment, { customers: [kept, gone] }));
    const second = nextVersion(appointment);
    const moved = person(a, 'kept', { username: 'ada', primaryEmail: 'lovelace@example.org' });
    await commitAll(store, update(second, { customers: [moved], removedCustomers: ['gone'] }));
    expect(await found(store, a, { username: 'ada' })).toEqual(['appointment-1 kept']);
    expect(await found(store, a, { primaryPhone: '+4930123' })).toEqual([]);
    expect(await found(store, a, { primaryEmail: 'ada@example.org' })).toEqual([]);
    const primaryEmail = 'lovelace@example.org';
    expect(await store.customers.findByContact({ organizationId, primaryEmail, limit: 9 })).toEqual([moved]);
    await commitAll(store, removal(second));
    expect(await found(store, a, { username: 'ada', primaryEmail })).toEqual([]);
  }),
  it('a profile whose data was removed comes back with reason and time alone, and is found by nothing', async (store, a) => {
    const appointment = a.scheduled();
    const customers = ['erased', 'expired', 'kept'].map((id) => person(a, id, ada));
    const removed: readonly CustomerProfile[] = [
      person(a, 'erased', { removal: { reason: 'PDM_ERASED', at: fixtureStart + 1 } }),
      person(a, 'expired', { removal: { reason: 'PDM_EXPIRED', at: fixtureStart + 2 } }),
    ];
    await commitAll(store, insertion(appointment, { customers }));
    await commitAll(store, update(nextVersion(appointment), { customers: removed }));
    await expect.profiles(store, ...removed);
    for (const search of [ada, { username: 'ada' }, { primaryEmail: 'ada@example.org' }]) {
      expect(await found(store, a, search)).toEqual(['appointment-1 kept']);
    }
  }),
  { rule: 'code-points' },
  it('e-mail addresses compare without regard to the case of ASCII letters, and of no others', async (store, a) => {
    const customers = [
      person(a, 'a', { primaryEmail: 'Ada.Lovelace@Example.ORG' }),
      person(a, 'b', { primaryEmail: 'ada.lovelace@example.org' }),
      person(a, 'c', { primaryEmail: '\u00c9va@example.org' }),
      person(a, 'd', { primaryEmail: '\u212aim@example.org' }),
      person(a, 'e', { primaryEmail: 'adaxlovelace@example.org' }),
    ];
    await withCustomers(store, a, customers);
    const both = ['appointment-1 a', 'appointment-1 b'];
    for (const primaryEmail of ['ada.lovelace@example.org', 'ADA.LOVELACE@EXAMPLE.ORG', 'aDa.Lovelace@example.Org']) {
      expect(await found(store, a, { primaryEmail })).toEqual(both);
    }
    expect(await found(store, a, { primaryEmail: '\u00c9VA@EXAMPLE.ORG' })).toEqual(['appointment-1 c']);
    for (const primaryEmail of ['\u00e9va@example.org', 'eva@example.org', 'kim@example.org', 'ada%@example.org']) {
      expect(await found(store, a, { primaryEmail })).toEqual([]);
    }
  }),
  it('user names and phone numbers compare by code point, e-mail addresses too but for ASCII case', async (store, a) => {
    const texts = lookalikes('n');
    const customers = texts.map((text, index) =>
      person(a, `p-${index}`, { username: text, primaryPhone: `+${text}`, primaryEmail: `@${text}` }),
    );
    await withCustomers(store, a, customers);
    const inSmallLetters = texts.map((text) => text.replace('E', 'e'));
    for (const [index, text] of texts.entries()) {
      expect(await found(store, a, { username: text })).toEqual([`appointment-1 p-${index}`]);
      expect(await found(store, a, { primaryPhone: `+${text}` })).toEqual([`appointment-1 p-${index}`]);
      const alike = inSmallLetters.flatMap((other, place) =>
        other === inSmallLetters[index] ? [`appointment-1 p-${place}`] : [],
      );
      expect(await found(store, a, { primaryEmail: `@${text}` })).toEqual(alike);
    }
  }),
  { rule: 'organization-first' },
  it('an organization finds its own customers alone', async (store, a) => {
    const other = a.of('b');
    await withCustomers(store, a, [person(a, 'mine', ada)]);
    expect(await found(store, other, ada)).toEqual([]);
    await withCustomers(store, other, [person(other, 'theirs', ada)]);
    expect(await found(store, other, ada)).toEqual(['appointment-1 theirs']);
    expect(await found(store, a, ada)).toEqual(['appointment-1 mine']);
  }),
  { rule: 'copies' },
  it('what a caller does to an answer changes nothing stored', async (store, a, organizationId) => {
    const expected = person(a, 'a', { username: 'ada', metadata: { a: '1' } });
    await withCustomers(store, a, [expected]);
    const search = { organizationId, username: 'ada', limit: 1 };
    spoil(await store.customers.findByContact(search));
    expect(await store.customers.findByContact(search)).toEqual([expected]);
  }),
]);
