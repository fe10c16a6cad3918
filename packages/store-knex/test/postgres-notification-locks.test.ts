import type { Change, Notification } from '@calends/core/store';
import {
  adding,
  aProfile,
  aRequest,
  aScheduledAppointment,
  changed,
  deliveryEventQuery,
  fixtureStart,
  insertion,
  nextVersion,
  notification,
  notificationQuery,
  notifying,
  removal,
  update,
  written,
} from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { emptyTables, expectQueueInStep, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { holdOpen, untilSomebodyWaits } from './support/open-transactions.js';
import { isOfProgramVersion } from './support/program-version.js';

const appointment = aScheduledAppointment();
const { organizationId, id: appointmentId } = appointment;
const later = nextVersion(appointment);
const mail = notification({ id: 'mail' });
const text = notification({ id: 'text', channel: 'SMS' });
const other = notification({ id: 'other', appointmentId: 'appointment-2', wakeAt: fixtureStart + 1 });
const claim = { channel: 'EMAIL', limit: 10, leaseFor: 1000, now: fixtureStart + 10 } as const;
const everything = { appointmentId, message: 'Cancelled.', at: 7 };
const cancel = [everything];
const overlapping = [{ appointmentId, channels: ['EMAIL'] as const, message: 'Moved.', at: 6 }, ...cancel];

/** Commits that take back everything of the appointment, one of each shape that the statement has. */
const cancellations: Readonly<Record<string, Change>> = {
  'an update': update(later, { notifications: { cancel } }),
  'a removal': removal(appointment, { notifications: { cancel } }),
  'a change of notifications alone': notifying(organizationId, { cancel }),
  'cancellations that overlap': update(later, { notifications: { cancel: overlapping } }),
  'an update under a guard': update(later, {
    guard: { actorIds: ['agent-1'], window: { from: 0, to: 1 } },
    notifications: { cancel },
  }),
  'an answer to a request, with a notification replaced': update(later, {
    request: aRequest(organizationId),
    notifications: { cancel, add: [written(notification({ id: 'new' }))], update: changed(other, { message: 'x' }) },
  }),
};

// In process there is one connection.
describeEach(
  'notifications that two connections want at once',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    let rival: Knex;
    let bystander: Knex;

    beforeAll(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
      rival = database.another();
      bystander = database.another();
    });
    beforeEach(async () => {
      const add = [mail, text, other].map((row) => written(row));
      await store.commit(insertion(appointment, { customers: [aProfile(appointment)], notifications: { add } }));
    });
    afterEach(() => emptyTables(database.knex));
    afterAll(() => database.drop());

    const found = async (id: string): Promise<Notification | undefined> =>
      (await store.notifications.find(organizationId, id))?.notification;
    const eventsOf = async (id: string): Promise<readonly [number, string][]> => {
      const { items } = await store.notifications.listEvents(deliveryEventQuery(organizationId));
      return items
        .filter((item) => item.notification.id === id)
        .map(({ event: { number, status } }) => [number, status]);
    };
    const idsOf = ({ claimed }: Awaited<ReturnType<KnexStore['notifications']['claim']>>): readonly string[] =>
      claimed.map((one) => one.notification.id);

    describe.each(Object.entries(cancellations))('%s that finds a row in other hands', (_, change) => {
      it('a commit that finds a row in other hands marks it when it was claimed meanwhile, and cancels the rest', async () => {
        const claiming = await holdOpen(rival, (joined) => joined.notifications.claim({ ...claim, now: fixtureStart }));
        const committing = store.commit(change);
        await untilSomebodyWaits(database.knex);
        await claiming.commit();
        expect(await committing).toEqual({ status: 'committed', sending: ['mail'] });
        const times = change.notifications?.cancel?.length ?? 0;
        expect(await found('mail')).toMatchObject({ phase: 'SENDING', revision: 2 + times, cancelRequestedAt: 7 });
        expect(await eventsOf('mail')).toEqual([[1, 'INITIALIZED']]);
        expect(await found('text')).toMatchObject({ status: 'CANCELLED', message: 'Cancelled.', revision: 2 });
        expect(await eventsOf('text')).toEqual([
          [1, 'INITIALIZED'],
          [2, 'CANCELLED'],
        ]);
      });

      it('a commit that finds a row in other hands cancels it when its attempt failed meanwhile', async () => {
        const [sent] = (await store.notifications.claim({ ...claim, now: fixtureStart })).claimed;
        const failed = changed(sent?.notification ?? mail, { phase: 'RETRY_WAIT', nextRetryAt: 9, wakeAt: 9 });
        const settling = await holdOpen(rival, (joined) => joined.notifications.settle([failed]));
        const committing = store.commit(change);
        await untilSomebodyWaits(database.knex);
        await settling.commit();
        expect(settling.result).toEqual([true]);
        expect(await committing).toEqual({ status: 'committed' });
        const { phase, status, revision, attempts, wakeAt, nextRetryAt } = (await found('mail')) ?? mail;
        expect({ phase, status, revision, attempts, wakeAt, nextRetryAt }).toEqual({
          phase: 'DONE',
          status: 'CANCELLED',
          revision: 4,
          attempts: 1,
          wakeAt: null,
        });
        expect(await eventsOf('mail')).toEqual([
          [1, 'INITIALIZED'],
          [2, 'PENDING'],
          [3, 'CANCELLED'],
        ]);
      });

      it('a commit that finds a row in other hands leaves it when it was delivered meanwhile', async () => {
        const [sent] = (await store.notifications.claim({ ...claim, now: fixtureStart })).claimed;
        const over = changed(sent?.notification ?? mail, { phase: 'DONE', status: 'DELIVERED', wakeAt: null });
        const settling = await holdOpen(rival, (joined) => joined.notifications.settle([over]));
        const committing = store.commit(change);
        await untilSomebodyWaits(database.knex);
        await settling.commit();
        expect(await committing).toEqual({ status: 'committed' });
        expect(await found('mail')).toEqual(over.next);
      });

      it('a commit that finds a row in other hands marks it when it had failed, and was retried by hand and claimed meanwhile', async () => {
        // The statement begins, and waits for the appointment; the row is DONE as far as it sees.
        if (change.appointment === undefined) return;
        const [sent] = (await store.notifications.claim({ ...claim, now: fixtureStart })).claimed;
        const failed = changed(sent?.notification ?? mail, { phase: 'DONE', status: 'FAILED', wakeAt: null });
        await store.notifications.settle([failed]);
        const postponing = await holdOpen(rival, (joined) =>
          joined.appointments.postpone({ organizationId, appointmentId, expectedVersion: 1, wakeAt: 5 }),
        );
        const committing = store.commit(change);
        await untilSomebodyWaits(database.knex);
        const other = knexStore({ knex: bystander });
        const waiting = { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: fixtureStart } as const;
        await other.commit(notifying(organizationId, { update: changed(failed.next, waiting) }));
        expect(idsOf(await other.notifications.claim({ ...claim, now: fixtureStart }))).toEqual(['mail']);
        await postponing.commit();
        expect(await committing).toMatchObject({ status: 'committed', sending: ['mail'] });
        expect(await found('mail')).toMatchObject({ phase: 'SENDING', cancelRequestedAt: 7 });
      });

      it.each([
        ['when the statement began', true],
        ['since the statement began', false],
      ])(
        'a commit that finds a row in other hands leaves nothing in the queue when it had failed %s, and was retried by hand meanwhile',
        async (_when, before) => {
          if (change.appointment === undefined) return;
          const [sent] = (await store.notifications.claim({ ...claim, now: fixtureStart })).claimed;
          const failed = changed(sent?.notification ?? mail, { phase: 'DONE', status: 'FAILED', wakeAt: null });
          if (before) await store.notifications.settle([failed]);
          const postponing = await holdOpen(rival, (joined) =>
            joined.appointments.postpone({ organizationId, appointmentId, expectedVersion: 1, wakeAt: 5 }),
          );
          const committing = store.commit(change);
          await untilSomebodyWaits(database.knex);
          const other = knexStore({ knex: bystander });
          if (!before) await other.notifications.settle([failed]);
          const waiting = { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: fixtureStart } as const;
          await other.commit(notifying(organizationId, { update: changed(failed.next, waiting) }));
          await postponing.commit();
          expect(await committing).toEqual({ status: 'committed' });
          expect(await found('mail')).toMatchObject({ phase: 'DONE', status: 'CANCELLED', wakeAt: null });
          await expectQueueInStep(database.knex);
          expect((await store.notifications.backlog()).filter(({ phase }) => phase !== 'READY')).toEqual([]);
        },
      );

      it('a commit that finds a row in other hands goes on when the worker put off the look at the appointment meanwhile', async () => {
        const postponing = await holdOpen(rival, (joined) =>
          joined.appointments.postpone({ organizationId, appointmentId, expectedVersion: 1, wakeAt: 5 }),
        );
        const committing = store.commit(change);
        if (change.appointment !== undefined) await untilSomebodyWaits(database.knex);
        await postponing.commit();
        expect(await committing).toEqual({ status: 'committed' });
        expect((await found('mail'))?.status).toBe('CANCELLED');
      });

      it('a commit that finds a row in other hands keeps claimers away until it ends, without making them wait', async () => {
        const committing = await holdOpen(rival, (joined) => joined.commit(change));
        const whileOpen = idsOf(await store.notifications.claim({ ...claim, now: fixtureStart }));
        expect(whileOpen).toEqual([]);
        await committing.rollback();
        expect(idsOf(await store.notifications.claim({ ...claim, now: fixtureStart }))).toEqual(['mail']);
      });
    });

    it('a claimer takes what another has not taken, and waits for nobody', async () => {
      const first = await holdOpen(rival, (joined) => joined.notifications.claim({ ...claim, limit: 1 }));
      const second = await store.notifications.claim(claim);
      await first.commit();
      expect([idsOf(first.result), idsOf(second)]).toEqual([['mail'], ['other']]);
      expect(idsOf(await store.notifications.claim(claim))).toEqual([]);
    });

    it('a commit that would replace a notification in other hands is stale, and writes nothing', async () => {
      const claiming = await holdOpen(rival, (joined) => joined.notifications.claim({ ...claim, limit: 1 }));
      const add = [written(notification({ id: 'new' }))];
      const committing = store.commit(
        update(later, {
          customers: [aProfile(later, { firstName: 'New' })],
          notifications: {
            add,
            cancel: [{ ...everything, channels: ['SMS'] }],
            update: changed(mail, { message: 'x' }),
          },
        }),
      );
      await untilSomebodyWaits(database.knex);
      await claiming.commit();
      expect(await committing).toEqual({ status: 'stale' });
      expect(await store.appointments.find(organizationId, appointmentId)).toEqual(appointment);
      expect(await store.customers.find(organizationId, appointmentId, 'customer-1')).toEqual(aProfile(appointment));
      expect(await found('text')).toEqual(text);
      expect((await store.notifications.list(notificationQuery(organizationId))).total).toBe(3);
    });

    it('commits of one batch stand, fall and take back each for itself', async () => {
      const many = Array.from({ length: 60 }, (_, index) => aScheduledAppointment({ id: `batched-${index}` }));
      const rowOf = (of: string): Notification =>
        notification({ id: `row-${of}`, appointmentId: of, channel: 'WEBHOOKS' });
      await Promise.all(
        many.map((next) => store.commit(insertion(next, { notifications: { add: [written(rowOf(next.id))] } }))),
      );
      await store.commit(adding(notification({ id: 'kept', channel: 'WEBHOOKS', appointmentId: 'batched-x' })));
      const { claimed } = await store.notifications.claim({ ...claim, channel: 'WEBHOOKS', limit: 30 });
      const sending = new Set(idsOf({ now: 0, claimed }));
      let statements = 0;
      const count = ({ sql }: { readonly sql: string }): void => {
        if (!isOfProgramVersion(sql)) statements += 1;
      };
      database.knex.on('query', count);
      const results = await Promise.all(
        many.map((one, index) => {
          const next = { ...one, version: index % 3 === 0 ? 5 : 2 };
          const notifications = { cancel: [{ ...everything, appointmentId: one.id }] };
          return store.commit(update(next, { before: one, notifications }));
        }),
      );
      database.knex.removeListener('query', count);
      const expected = many.map(({ id }, index) => {
        if (index % 3 === 0) return { status: 'stale' };
        return { status: 'committed', ...(sending.has(`row-${id}`) ? { sending: [`row-${id}`] } : {}) };
      });
      expect(results).toEqual(expected);
      expect(statements).toBeLessThan(many.length / 2);
    });
  },
  { families: ['postgres'], shared: true },
);
