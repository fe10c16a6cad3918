import type { Change } from '@calends/core/store';
import { anEvent, aScheduledAppointment, insertion } from '@calends/store-conformance';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeOf } from '../src/knex-store.js';
import { migrations } from '../src/migrations/migrations.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

/** A booking by a process in which nobody takes events. */
function unread(id: string): Change {
  const next = aScheduledAppointment({ id });
  return { ...insertion(next, { events: [anEvent(next, { id: `event-of-${id}` })] }), eventsUnread: true };
}

const claim = { now: Date.UTC(2030, 0, 1), limit: 10, leaseUntil: Date.UTC(2030, 0, 2) };
const eventsOf = (id: string): { organizationId: string; appointmentId: string } => ({
  organizationId: 'org-1',
  appointmentId: id,
});

describeEach('events that nobody takes (D79)', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openDatabase(kind);
  });
  afterEach(() => database.drop());

  /** Another process, whose looks all end at once. */
  const process = (): ReturnType<typeof storeOf> => {
    let now = 0;
    return storeOf({ knex: database.knex }, { steps: migrations, monotonic: () => (now += 1000) });
  };
  const claimedBy = async (store: ReturnType<typeof storeOf>): Promise<readonly string[]> =>
    (await store.events.claim(claim)).map(({ event }) => event.appointmentId);

  it('events that nobody takes are born delivered: listed, gone with their retention, and never claimed', async () => {
    const [writer, reader] = [process(), process()];
    await writer.commit(unread('before'));
    expect(await writer.events.list(eventsOf('before'))).toHaveLength(1);
    expect(await claimedBy(reader)).toEqual([]);
    expect(await writer.events.purge(claim.now, 10)).toBe(1);
    expect(await writer.events.list(eventsOf('before'))).toEqual([]);
  });

  it('events that nobody takes wait from the moment on at which a process has claimed any', async () => {
    const [writer, reader] = [process(), process()];
    await writer.commit(unread('before'));
    await claimedBy(reader);
    await writer.commit(unread('after'));
    expect(await claimedBy(reader)).toEqual(['after']);
  });

  it('events that nobody takes wait where they were taken by a program that did not tell so', async () => {
    const [writer, reader] = [process(), process()];
    await writer.commit({ ...unread('before'), eventsUnread: false });
    const [taken] = await reader.events.claim(claim);
    if (taken === undefined) throw new Error('Nothing was claimed.');
    await reader.events.settle([{ eventId: taken.event.id, token: taken.token, status: 'delivered', at: claim.now }]);
    await database.knex('calends_processes').del();
    await process().commit(unread('after'));
    expect(await claimedBy(reader)).toEqual(['after']);
  });
});
