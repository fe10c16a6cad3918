import assert from 'node:assert/strict';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { auditRecord, commitAll, deliveryEventsOf, expectNotifications, expectTickets } from '../expectations.js';
import { anActivatedAppointment, aScheduledAppointment, fixtureStart, minute } from '../fixtures/appointments.js';
import { anEntry, aSeal } from '../fixtures/audit.js';
import { nestedMetadata } from '../fixtures/awkward-values.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { adding, changed, deliveryEvent, notification } from '../fixtures/notifications.js';
import { aProfile } from '../fixtures/profiles.js';
import { aChallenge, aFeedTicket, aTicket, consumptionOf, firstIssue, proving } from '../fixtures/proofs.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';

const claim = { now: fixtureStart, limit: 10, leaseUntil: fixtureStart + minute };

const cases: readonly Omit<ConformanceCase, 'requires'>[] = [
  {
    name: 'appointments, profiles, events and answers',
    async run({ store, organizationId, reopen }) {
      const appointment = anActivatedAppointment({ organizationId, metadata: nestedMetadata, agentIds: ['agent-2'] });
      const removed = aScheduledAppointment({ organizationId, id: 'removed' });
      const changed = nextVersion(appointment, { title: 'Changed' });
      const answered = aRequest(organizationId, { answer: '"kept"' });
      await commitAll(
        store,
        insertion(appointment, { customers: [aProfile(appointment)], events: [anEvent(appointment)] }),
        update(changed, { events: [anEvent(changed)] }),
        insertion(removed),
        removal(removed),
        completing(answered),
      );

      const reopened = await reopen();
      const listed = await reopened.listAppointments(listQuery(organizationId, { agentIds: ['agent-2'] }));
      assert.deepStrictEqual(listed, { items: [changed], total: 1 });
      assert.equal(await reopened.findAppointment(organizationId, 'removed'), undefined);
      const profile = await reopened.findCustomer(organizationId, appointment.id, 'customer-1');
      assert.deepStrictEqual(profile, aProfile(appointment));
      const events = await reopened.listEvents({ organizationId, appointmentId: appointment.id });
      assert.deepStrictEqual(events, [anEvent(appointment), anEvent(changed)]);
      const { fingerprint, answer, at } = answered;
      assert.deepEqual(await reopened.findRequest(keyOf(answered), at), { fingerprint, answer });
      assert.deepEqual(await reopened.commit(completing(answered)), { status: 'requestLost' });
    },
  },
  {
    name: 'claims, their tokens and what is due',
    emptyStore: true,
    async run({ store, organizationId, reopen }) {
      const appointment = aScheduledAppointment({ organizationId });
      const waiting = aScheduledAppointment({ organizationId, id: 'waiting' });
      await commitAll(
        store,
        insertion(appointment, { wakeAt: fixtureStart, events: [anEvent(appointment)] }),
        insertion(waiting, { wakeAt: fixtureStart + 1 }),
      );
      await store.claimDueAppointments(claim);
      const [claimed] = await store.claimEvents(claim);
      assert.ok(claimed !== undefined);

      const reopened = await reopen();
      const due = await reopened.claimDueAppointments({ ...claim, now: fixtureStart + 1 });
      assert.deepStrictEqual(due, [{ appointment: waiting, wakeAt: fixtureStart + 1 }]);
      assert.deepEqual(await reopened.claimEvents(claim), []);
      const { event, token } = claimed;
      await reopened.settleEvents([{ eventId: event.id, token, status: 'delivered', at: fixtureStart }]);
      assert.deepEqual(await reopened.claimEvents({ ...claim, now: claim.leaseUntil }), []);
    },
  },
  {
    name: 'notifications with their claims, and the state of endpoints',
    emptyStore: true,
    async run({ store, organizationId, reopen }) {
      const waiting = notification({ organizationId, id: 'n-1', kept: '{"body":1}' });
      const leased = notification({ organizationId, id: 'n-2', channel: 'SMS' });
      const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
      const state = { failingSince: fixtureStart, disabledAt: null, reason: 'timeout' };
      await commitAll(store, adding(waiting, leased));
      await store.putEndpoint(key, state);
      const leaseFor = minute;
      const { claimed } = await store.claimNotifications({ channel: 'SMS', limit: 1, leaseFor, now: fixtureStart });
      const [held] = claimed;
      assert.ok(held !== undefined);

      const reopened = await reopen();
      await expectNotifications(reopened, waiting, held.notification);
      assert.deepStrictEqual(await deliveryEventsOf(reopened, waiting), [deliveryEvent()]);
      assert.deepStrictEqual(await reopened.findEndpoint(key), state);
      const again = await reopened.claimNotifications({ channel: 'SMS', limit: 1, leaseFor, now: fixtureStart });
      assert.deepEqual(again.claimed, []);
      const settled = changed(held.notification, { phase: 'DONE', status: 'DELIVERED', wakeAt: null });
      assert.deepEqual(await reopened.settleNotifications([settled]), [true]);
    },
  },
  {
    name: 'one-time passwords with their tries, tickets, the audit record and its seals',
    emptyStore: true,
    async run({ store, organizationId, reopen }) {
      const tried = aChallenge({ organizationId });
      const used = aChallenge({ organizationId, subject: 'used' });
      const ticket = aTicket({ organizationId });
      const feed = aFeedTicket({ organizationId });
      const entries = ['entry-1', 'entry-2'].map((id) => anEntry({ organizationId, id }));
      const seal = aSeal(organizationId);
      await store.putOtpChallenge(tried, undefined);
      await store.putOtpChallenge(used, undefined);
      const attempt = { organizationId, subject: tried.subject, now: fixtureStart, limit: 2 };
      await store.countOtpTry(attempt);
      await commitAll(
        store,
        proving(organizationId, { otp: consumptionOf(used), ticket: firstIssue(ticket), audit: entries }),
        proving(organizationId, { ticket: firstIssue(feed) }),
        proving(organizationId, { revokedTickets: [{ kind: 'MANAGE', subjectId: ticket.subjectId, at: 7 }] }),
      );
      assert.equal(await store.sealAudit(seal), true);

      const reopened = await reopen();
      assert.deepEqual(await reopened.commit(proving(organizationId, { otp: consumptionOf(used) })), {
        status: 'otpUsed',
      });
      assert.deepStrictEqual(await reopened.countOtpTry(attempt), { ...tried, tries: 2 });
      assert.equal(await reopened.countOtpTry(attempt), undefined);
      await expectTickets(reopened, { ...ticket, revokedAt: 7 }, feed);
      assert.deepStrictEqual(await auditRecord(reopened, organizationId), entries.toReversed());
      assert.deepStrictEqual(await reopened.listSeals(organizationId, 1, 9), [{ seal, entries: entries.slice(0, 1) }]);
      const unsealed = { organizationId, entries: entries.slice(1), lastSeal: seal };
      assert.deepStrictEqual(await reopened.unsealedAudit(9), unsealed);
      assert.equal(await reopened.sealAudit(aSeal(organizationId, { number: 2 })), false);
    },
  },
];

export const durabilityGroup: ConformanceGroup = {
  name: 'what was committed survives a restart',
  cases: cases.map((candidate): ConformanceCase => ({ ...candidate, requires: 'durable' })),
};
