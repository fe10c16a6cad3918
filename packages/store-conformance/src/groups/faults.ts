import assert from 'node:assert/strict';
import type { SchedulingStore, StoreErrorCode } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { availabilityOf, auditRecord, expect } from '../expectations.js';
import { hour } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { adding, written } from '../fixtures/notifications.js';
import { added, commitAll } from '../steps.js';

const codes: Readonly<Record<StoreErrorCode, true>> = {
  unavailable: true,
  contention: true,
  schema: true,
  engine: true,
  unexpected: true,
};

const sqlWords = /\b(?:select|insert|update|delete)\b.*\b(?:from|into|set|where|values)\b/is;

/** Nothing that a fault may tell stands in this. */
const secret = 'known-to-nobody';

/** Expects the call to reject with a fault that tells nothing of what it was given, and the store to go on. */
async function expectFault(store: SchedulingStore, call: Promise<unknown>): Promise<void> {
  const fault: unknown = await call.then(
    (answer) => assert.fail(`The call must reject, and answered ${JSON.stringify(answer)}.`),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Error);
  expect(fault.name).toEqual('StoreError');
  const code: unknown = Reflect.get(fault, 'code');
  assert.ok(typeof code === 'string' && code in codes, `The code ${String(code)} is none of a StoreError.`);
  assert.ok(!fault.message.includes(secret), `The message has a value: ${fault.message}`);
  assert.doesNotMatch(fault.message, sqlWords);
  await store.check();
}

export const faultsGroup = group('a fault has a code, and tells nothing of what was written', [
  { rule: 'faults', level: 'events' },
  it('the id of an event is taken', async (store, a) => {
    const event = a.event(a.scheduled(), { id: `${secret}-${a.organizationId}` });
    await commitAll(store, { ...a.change({}), events: [event] });
    const next = a.scheduled({ id: secret, title: secret, metadata: { secret } });
    const customers = [a.profile(next, { lastName: secret, primaryEmail: `${secret}@example.org` })];
    await expectFault(store, store.commit(insertion(next, { customers, events: [event] })));
    await commitAll(store, insertion(next, { customers }));
  }),
  { rule: 'faults', level: 'notifications' },
  it('the id of a notification is taken, and its dedupeKey is not: nothing of the commit is written', async (store, a, organizationId) => {
    const first = await added(store, a.notification({ id: secret }));
    const again = a.notification({ id: secret, dedupeKey: `${secret} again`, message: secret });
    const next = a.scheduled({ id: secret });
    await expectFault(store, store.commit(insertion(next, { notifications: { add: [written(again)] } })));
    const twice = [1, 2].map((each) => a.notification({ id: `${secret} twice`, dedupeKey: `${secret} ${each}` }));
    await expectFault(store, store.commit(adding(...twice)));
    expect(await store.appointments.find(organizationId, next.id)).toEqual(undefined);
    expect(await store.notifications.find(organizationId, `${secret} twice`)).toEqual(undefined);
    await expect.notifications(store, first);
    await added(store, a.notification({ id: 'another', dedupeKey: again.dedupeKey }));
  }),
  { rule: 'faults', level: 'audit' },
  it('a line of the audit record stands already, of a commit or of a refused call', async (store, a, organizationId) => {
    const entry = a.entry({ id: secret });
    const refusal = a.refusal({ id: `${secret} refused`, requestId: secret });
    await commitAll(store, insertion(a.scheduled(), { audit: [entry] }));
    await expectFault(store, store.commit(a.change({ audit: [{ ...entry, requestId: secret }] })));
    await store.audit.recordRefusals([refusal]);
    await expectFault(store, store.audit.recordRefusals([refusal]));
    expect((await auditRecord(store, organizationId)).length).toEqual(2);
  }),
  { rule: 'faults', level: 'availability' },
  it('the id of a hold is taken', async (store, a, organizationId) => {
    const hold = a.hold({ id: secret, ownerKey: secret });
    await commitAll(store, a.holding(hold));
    const again = a.hold({ id: hold.id, start: hold.start + hour, resourceIds: [secret] });
    await expectFault(store, store.commit(a.holding(again)));
    expect(await availabilityOf(store).findHold(organizationId, hold.id)).toEqual(hold);
  }),
]);
