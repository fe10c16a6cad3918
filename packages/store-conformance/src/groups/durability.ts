import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { auditRecord, deliveryEventsOf, expect } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { nestedMetadata } from '../fixtures/awkward-values.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { adding, changed, delivered, deliveryEvent } from '../fixtures/notifications.js';
import { consumptionOf, firstIssue } from '../fixtures/proofs.js';
import { completing, keyOf } from '../fixtures/requests.js';
import { commitAll, put } from '../steps.js';

const claim = { now: fixtureStart, limit: 10, leaseUntil: fixtureStart + minute };

export const durabilityGroup = group('what was committed survives a restart', [
  { rule: 'durable', level: 'events', requires: 'durable' },
  it('appointments, profiles, events and answers survive a restart', async (store, a, organizationId, context) => {
    const appointment = a.activated({ metadata: nestedMetadata, agentIds: ['agent-2'] });
    const removed = a.scheduled({ id: 'removed' });
    const changed = nextVersion(appointment, { title: 'Changed' });
    const answered = a.request({ answer: '"kept"' });
    await commitAll(
      store,
      insertion(appointment, { customers: [a.profile(appointment)], events: [a.event(appointment)] }),
      update(changed, { events: [a.event(changed)] }),
      insertion(removed),
      removal(removed),
      completing(answered),
    );

    const reopened = await context.reopen();
    const listed = await reopened.appointments.list(a.listQuery({ agentIds: ['agent-2'] }));
    expect(listed).toEqual({ items: [changed], total: 1 });
    expect(await reopened.appointments.find(organizationId, 'removed')).toEqual(undefined);
    const profile = await reopened.customers.find(organizationId, appointment.id, 'customer-1');
    expect(profile).toEqual(a.profile(appointment));
    const events = await reopened.events.list({ organizationId, appointmentId: appointment.id });
    expect(events).toEqual([a.event(appointment), a.event(changed)]);
    const { fingerprint, answer, at } = answered;
    expect(await reopened.requests.find(keyOf(answered), at)).toEqual({ fingerprint, answer });
    expect(await reopened.commit(completing(answered))).toEqual({ status: 'requestLost' });
  }),
  { rule: 'durable', level: 'events', emptyStore: true, requires: 'durable' },
  it('claims, their tokens and what is due survive a restart', async (store, a, _organizationId, context) => {
    const appointment = a.scheduled();
    const waiting = a.scheduled({ id: 'waiting' });
    await commitAll(
      store,
      insertion(appointment, { wakeAt: fixtureStart, events: [a.event(appointment)] }),
      insertion(waiting, { wakeAt: fixtureStart + 1 }),
    );
    await store.appointments.claimDue(claim);
    const [claimed] = await store.events.claim(claim);
    assert.ok(claimed !== undefined);

    const reopened = await context.reopen();
    const due = await reopened.appointments.claimDue({ ...claim, now: fixtureStart + 1 });
    expect(due).toEqual([{ appointment: waiting, wakeAt: fixtureStart + 1 }]);
    expect(await reopened.events.claim(claim)).toEqual([]);
    const { event, token } = claimed;
    await reopened.events.settle([{ eventId: event.id, token, status: 'delivered', at: fixtureStart }]);
    expect(await reopened.events.claim({ ...claim, now: claim.leaseUntil })).toEqual([]);
  }),
  { rule: 'durable', level: 'notifications', emptyStore: true, requires: 'durable' },
  it('notifications with their claims, and the state of endpoints, survive a restart', async (store, a, organizationId, context) => {
    const waiting = a.notification({ id: 'n-1', kept: '{"body":1}' });
    const leased = a.notification({ id: 'n-2', channel: 'SMS' });
    const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
    const state = { failingSince: fixtureStart, disabledAt: null, reason: 'timeout' };
    await commitAll(store, adding(waiting, leased));
    await store.notifications.putEndpoint(key, state);
    const leaseFor = minute;
    const { claimed } = await store.notifications.claim({ channel: 'SMS', limit: 1, leaseFor, now: fixtureStart });
    const [held] = claimed;
    assert.ok(held !== undefined);

    const reopened = await context.reopen();
    await expect.notifications(reopened, waiting, held.notification);
    expect(await deliveryEventsOf(reopened, waiting)).toEqual([deliveryEvent()]);
    expect(await reopened.notifications.findEndpoint(key)).toEqual(state);
    const again = await reopened.notifications.claim({ channel: 'SMS', limit: 1, leaseFor, now: fixtureStart });
    expect(again.claimed).toEqual([]);
    const settled = changed(held.notification, delivered);
    expect(await reopened.notifications.settle([settled])).toEqual([true]);
  }),
  { rule: 'durable', emptyStore: true, requires: 'durable' },
  it('one-time passwords with their tries, tickets, the audit record and its seals survive a restart', async (store, a, organizationId, context) => {
    const tried = a.challenge();
    const used = a.challenge({ subject: 'used' });
    const ticket = a.ticket();
    const feed = a.feedTicket();
    const entries = ['entry-1', 'entry-2'].map((id) => a.entry({ id }));
    const seal = a.seal();
    await put(store, tried);
    await put(store, used);
    const attempt = { organizationId, subject: tried.subject, now: fixtureStart, limit: 2 };
    await store.customers.countTry(attempt);
    await commitAll(
      store,
      a.change({ otp: consumptionOf(used), ticket: firstIssue(ticket), audit: entries }),
      a.change({ ticket: firstIssue(feed) }),
      a.change({ revokedTickets: [{ kind: 'MANAGE', subjectId: ticket.subjectId, at: 7 }] }),
    );
    expect(await store.audit.seal(seal)).toEqual(true);

    const reopened = await context.reopen();
    expect(await reopened.commit(a.change({ otp: consumptionOf(used) }))).toEqual({ status: 'otpUsed' });
    expect(await reopened.customers.countTry(attempt)).toEqual({ ...tried, tries: 2 });
    expect(await reopened.customers.countTry(attempt)).toEqual(undefined);
    await expect.tickets(reopened, { ...ticket, revokedAt: 7 }, feed);
    expect(await auditRecord(reopened, organizationId)).toEqual(entries.toReversed());
    expect(await reopened.audit.listSeals(organizationId, 1, 9)).toEqual([{ seal, entries: entries.slice(0, 1) }]);
    const unsealed = { organizationId, entries: entries.slice(1), lastSeal: seal };
    expect(await reopened.audit.unsealed(9)).toEqual(unsealed);
    expect(await reopened.audit.seal(a.seal({ number: 2 }))).toEqual(false);
  }),
]);
