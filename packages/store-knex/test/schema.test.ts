import {
  aCancelledAppointment,
  anAbortedAppointment,
  anActivatedAppointment,
  aScheduledAppointment,
  insertion,
} from '@calends/store-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const appointments = {
  scheduled: aScheduledAppointment({ id: 'scheduled' }),
  activated: anActivatedAppointment({ id: 'activated' }),
  cancelled: aCancelledAppointment({ id: 'cancelled' }),
  aborted: anAbortedAppointment({ id: 'aborted' }),
};

/** What no row may become: the row, the columns, and the rule they break. */
const refused: readonly (readonly [id: keyof typeof appointments, columns: Record<string, unknown>, rule: string])[] = [
  ['scheduled', { state: 'DREAMT' }, 'there are four states (D13)'],
  ['scheduled', { state: 'scheduled' }, 'a state is written in capitals'],
  ['scheduled', { state: 'CANCELLED' }, 'who is cancelled has an instant and someone who did it (D17)'],
  ['scheduled', { state: 'ACTIVATED' }, 'who is activated has an instant and a room (D18)'],
  ['scheduled', { state: 'ABORTED' }, 'who is aborted has an instant and a reason (D15)'],
  ['scheduled', { cancelled_at: 1, cancelled_by: 'x' }, 'only who is cancelled has a cancellation'],
  ['scheduled', { cancel_reason: 'x' }, 'only who is cancelled has a reason for it'],
  ['scheduled', { activated_at: 1 }, 'only who is activated has the instant of it'],
  ['scheduled', { conference_id: 'c', room_url: 'u' }, 'who is scheduled has no room yet'],
  ['scheduled', { aborted_at: 1, abort_reason: 'x' }, 'only who is aborted has the instant of it'],
  ['activated', { room_url: null }, 'a room has its address'],
  ['activated', { conference_id: null, room_url: null }, 'who is activated has a room'],
  ['activated', { activated_at: null }, 'who is activated has the instant of it'],
  ['cancelled', { cancelled_by: null }, 'somebody cancelled it'],
  ['cancelled', { cancelled_at: null }, 'it was cancelled at an instant'],
  ['aborted', { abort_reason: null }, 'it was aborted for a reason'],
  ['aborted', { aborted_at: null }, 'it was aborted at an instant'],
  ['scheduled', { end_at: appointments.scheduled.schedule.start, duration: 0 }, 'the end comes after the start'],
  ['scheduled', { duration: 1 }, 'the duration is the time from start to end'],
  ['scheduled', { start_at: -1 }, 'time begins in 1970 (D3)'],
  ['scheduled', { end_at: 253_402_300_800_000 }, 'time ends with the year 9999 (D3)'],
  ['scheduled', { version: 0 }, 'versions begin at 1'],
  ['scheduled', { schedule_version: -1 }, 'versions of the schedule begin at 0'],
  ['scheduled', { customer_reschedules: -1 }, 'nobody moves it less than never'],
  ['scheduled', { notifications_active: 2 }, 'a switch is on or off'],
  ['scheduled', { title: null }, 'an empty title is a text'],
];

describeEach('the schema', (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openDatabase(kind);
    const store = knexStore({ knex: database.knex });
    for (const appointment of Object.values(appointments)) await store.commit(insertion(appointment));
  });
  afterAll(() => database.drop());

  describe('refuses rows that the domain does not know', () => {
    for (const [id, columns, rule] of refused) {
      it(`the schema knows that ${rule}: ${id} with ${Object.keys(columns).join(', ')}`, async () => {
        const before = await database.knex('calends_appointments').where({ id }).first();
        await expect(database.knex('calends_appointments').where({ id }).update(columns)).rejects.toThrow();
        expect(await database.knex('calends_appointments').where({ id }).first()).toEqual(before);
      });
    }

    it('an actor is related in one of three ways, and a dead appointment blocks nobody', async () => {
      const rows = () => database.knex('calends_actors');
      await expect(rows().where({ appointment_id: 'scheduled' }).update({ relations: 0 })).rejects.toThrow();
      await expect(rows().where({ appointment_id: 'scheduled' }).update({ relations: 8 })).rejects.toThrow();
      await expect(rows().where({ appointment_id: 'cancelled' }).update({ blocks: 1 })).rejects.toThrow();
    });
  });
});
