import {
  aHold,
  aScheduledAppointment,
  booked,
  fixtureStart,
  guardOf,
  heldAt,
  holding,
  insertion,
} from '@calends/store-conformance';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const organizationId = 'org-1';
const limits = [{ actorId: 'agent-1', window: { from: 0, to: fixtureStart + 1 }, max: 1 }];

describeEach(
  'a commit in a transaction of the host that began before others wrote',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    beforeEach(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
    });
    afterEach(() => database.drop());

    const hold = aHold({ organizationId });
    const booking = aScheduledAppointment({ organizationId, service: booked() });
    const rival = aScheduledAppointment({ organizationId, id: 'rival', service: booked() });

    /** What becomes of a change that comes after another, in a transaction that had read before. */
    async function after(others: Parameters<KnexStore['commit']>[0], change: typeof others): Promise<unknown> {
      return database.knex.transaction(async (transaction) => {
        await transaction('calends_actors').select('actor_id');
        expect(await store.commit(others)).toEqual({ status: 'committed' });
        return store.joining(transaction).commit(change);
      });
    }

    it('a commit in a transaction of the host sees a hold that was made meanwhile', async () => {
      const change = insertion(booking, { guard: guardOf(booking), holdsAt: heldAt });
      const refused = { status: 'slotConflict', appointmentIds: [], isHeld: true };
      expect(await after(holding(hold), change)).toEqual(refused);
    });

    it('a commit in a transaction of the host counts for its limits what was booked and held meanwhile', async () => {
      const refused = { status: 'limitReached', limit: 0 };
      const change = insertion(booking, { limits, holdsAt: heldAt });
      expect(await after(insertion(rival), change)).toEqual(refused);
      await database.knex('calends_actors').del();
      expect(await after(holding(hold), change)).toEqual(refused);
    });

    it('a commit in a transaction of the host does not use a hold that was used meanwhile', async () => {
      await store.commit(holding(hold));
      const use = { holds: { consume: hold.id }, holdsAt: heldAt };
      expect(await after({ organizationId, events: [], ...use }, insertion(booking, use))).toEqual({
        status: 'holdLost',
      });
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);
