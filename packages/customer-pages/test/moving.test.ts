import type { Appointment } from '@calends/core';
import type { SchedulingStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { afterEach, describe, expect, it } from 'vitest';
import { type BookingHost, checkUp, halfPastNine, hold, start, startBookingHost, startsIn } from './booking-host.js';
import { enter, hour, minute, type PagesHost, startHost, supervisor } from './pages-host.js';
import { fieldsOf, heading, noticeOf, type Visitor } from './visitor.js';

const page = '/manage/appointment/reschedule';
const half = 30 * minute;

describe('Moving an appointment that was booked with a service', () => {
  let host: BookingHost;
  afterEach(() => host.close());

  /** An appointment at half past nine in Athens, and its customer. */
  async function booked(zone = ''): Promise<{ readonly made: Appointment; readonly visitor: Visitor }> {
    const made = await host.scheduling.appointments.schedule(supervisor, {
      applicationId: 'app-1',
      serviceId: 'check-up',
      title: 'Check-up',
      start: halfPastNine,
      duration: 'PT30M',
      timezone: 'Europe/Athens',
      customers: [{ contact: { primaryEmail: 'ada@example.org' } }],
    });
    const visitor = host.visitor();
    await enter(visitor, (await host.link(made)).code, zone);
    return { made, visitor };
  }

  it('the page offers the free times by day, the present one too, and no box for any other', async () => {
    host = await startBookingHost();
    const { visitor } = await booked();
    const reply = await visitor.get(page);
    expect([reply.status, heading(reply)]).toEqual([200, 'Choose another time']);
    // Five days of four starts; on Monday it is eleven already.
    expect(startsIn(reply)).toHaveLength(16);
    expect(startsIn(reply)[0]).toBe('2030-05-07T06:00:00Z');
    expect(startsIn(reply)).toContain(halfPastNine);
    expect(reply.text).not.toContain('type="date"');
    expect(reply.text).toContain('<h2>Tuesday 7 May</h2>');
  });

  it('the page moves the appointment to the time that is chosen', async () => {
    host = await startBookingHost();
    const { made, visitor } = await booked();
    const form = fieldsOf(await visitor.get(page));
    const reply = await visitor.post(page, { ...form, start: '2030-05-08T07:00:00Z' });
    expect([reply.status, reply.headers['location']]).toEqual([303, '/manage/appointment?moved']);
    expect((await host.kept(made)).schedule).toEqual({
      start: start + 24 * hour + half,
      end: start + 24 * hour + 2 * half,
      timezone: 'Europe/Athens',
    });
  });

  it('the page shows times on the clocks of the customer, and those of the appointment small', async () => {
    host = await startBookingHost();
    const { visitor } = await booked('Asia/Tokyo');
    const text = (await visitor.get(page)).text.replaceAll(/\s+/g, ' ');
    expect(text).toContain('<span class="own">15:00</span> <span class="zone">9:00 Athens</span>');
    expect(text).toContain('Times are in your zone: <strong>Asia/Tokyo, GMT+9</strong>.');
  });

  it('a time that another customer holds or has is refused, and the list comes again', async () => {
    host = await startBookingHost();
    const { made, visitor } = await booked();
    const form = fieldsOf(await visitor.get(page));
    await hold(host.visitor(), { start: '2030-05-07T07:00:00Z' });
    const reply = await visitor.post(page, { ...form, start: '2030-05-07T07:00:00Z' });
    expect([reply.status, noticeOf(reply)]).toEqual([
      409,
      'That did not work: That time is not free any more. Please choose another one.',
    ]);
    expect(startsIn(reply)).not.toContain('2030-05-07T07:00:00Z');
    expect((await host.kept(made)).version).toBe(made.version);
  });

  it('a day on which a limit is reached is refused, and the list comes again', async () => {
    const limited = { ...checkUp, limits: [{ per: 'service' as const, window: 'day' as const, max: 1 }] };
    host = await startBookingHost({ services: { 'check-up': limited } });
    const { made, visitor } = await booked();
    const form = fieldsOf(await visitor.get(page));
    await hold(host.visitor(), { start: '2030-05-08T06:30:00Z' });
    const reply = await visitor.post(page, { ...form, start: '2030-05-08T07:00:00Z' });
    expect([reply.status, noticeOf(reply)]).toEqual([
      409,
      'That did not work: That time is not free any more. Please choose another one.',
    ]);
    expect((await host.kept(made)).version).toBe(made.version);
  });

  it.each<readonly [string, string, (store: SchedulingStore) => Promise<PagesHost>]>([
    [
      'whose service is removed',
      '2030-05-08T07:00:00Z',
      (store) => startBookingHost({ scheduling: { store, availability: { services: {} } } }),
    ],
    [
      'whose service is removed, to the time there is,',
      halfPastNine,
      (store) => startBookingHost({ scheduling: { store, availability: { services: {} } } }),
    ],
    ['while availability is off', 'none', (store) => startHost({ scheduling: { store } })],
    [
      'while availability is off, by a form made by hand,',
      '2030-05-08T07:00:00Z',
      (store) => startHost({ scheduling: { store } }),
    ],
  ])('an appointment %s cannot be moved online, and its link holds', async (_name, given, startAgain) => {
    const store = memoryStore();
    host = await startBookingHost({ scheduling: { store } });
    const { made, visitor: before } = await booked();
    const form = fieldsOf(await before.get(page));
    const after = await startAgain(store);
    const visitor = after.visitor();
    for (const [name, value] of before.cookies) visitor.cookies.set(name, value);
    for (const reply of [
      await visitor.get(page),
      await visitor.post(page, { ...form, start: given }),
      await visitor.post(page, { ...form, date: '2030-05-08', time: '10:00' }),
      await visitor.post(page, { appointment: form['appointment'] ?? '' }),
    ]) {
      expect([reply.status, heading(reply), reply.setCookies]).toEqual([409, 'That did not work', []]);
      expect(reply.text).toContain('This appointment cannot be moved online. Please contact your host.');
      expect(reply.text).toContain('<a href="/manage/appointment">Back</a>');
    }
    expect((await visitor.get('/manage/appointment')).status).toBe(200);
    expect((await after.kept(made)).version).toBe(made.version);
    await after.close();
  });

  it.each([
    ['no start', ''],
    ['a start that is none', '"><script>'],
    ['the past', '2030-05-05T07:00:00Z'],
  ])('%s is asked for again', async (_name, given) => {
    host = await startBookingHost();
    const { made, visitor } = await booked();
    const form = fieldsOf(await visitor.get(page));
    const reply = await visitor.post(page, { ...form, start: given });
    expect([400, 409]).toContain(reply.status);
    expect(noticeOf(reply)).toMatch(/^That did not work: /);
    expect(reply.text).not.toContain('<script>');
    expect((await host.kept(made)).version).toBe(made.version);
  });

  it('a time that is not offered is refused, by a form made by hand', async () => {
    host = await startBookingHost();
    const { made, visitor } = await booked();
    const form = fieldsOf(await visitor.get(page));
    for (const entered of [{ start: '2030-05-08T07:10:00Z' }, { date: '2030-05-08', time: '22:00' }]) {
      const reply = await visitor.post(page, { ...form, ...entered });
      expect([reply.status, noticeOf(reply)]).toEqual([
        409,
        'That did not work: That time is not free any more. Please choose another one.',
      ]);
    }
    expect((await host.kept(made)).version).toBe(made.version);
  });

  it('other days are a link away, and a week without any leads to the next that has one', async () => {
    host = await startBookingHost({ services: { 'check-up': { ...checkUp, leadTime: { days: 14 } } } });
    const { scheduling } = host;
    const made = await scheduling.appointments.schedule(supervisor, {
      applicationId: 'app-1',
      serviceId: 'check-up',
      title: '',
      start: '2030-05-21T06:30:00Z',
      duration: 'PT30M',
      timezone: 'Europe/Athens',
      customers: [{ contact: { primaryEmail: 'ada@example.org' } }],
    });
    const visitor = await host.arrived(made);
    const first = await visitor.get(page);
    expect(first.text).toContain('There is no free time in these days.');
    expect(first.text).toContain(`href="${page}?from=2030-05-20"`);
    expect(first.text).not.toContain('Earlier days');
    const found = await visitor.get(`${page}?from=2030-05-20`);
    expect(startsIn(found)[0]).toBe('2030-05-20T06:00:00Z');
    expect(found.text).toContain(`href="${page}?from=2030-05-13"`);
    expect(found.text).toContain(`href="${page}?from=2030-05-27"`);
  });

  it.each(['2030-02-30', '2029-01-01', '9999-12-31', 'x', '2030-05-20T00:00:00Z', '%00'])(
    'an address that names the day %s is answered',
    async (from) => {
      host = await startBookingHost();
      const { visitor } = await booked();
      expect((await visitor.get(`${page}?from=${from}`)).status).toBe(200);
    },
  );
});
