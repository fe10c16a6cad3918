import type { Appointment, ScheduleCommand } from '@calends/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, majors } from './majors.js';
import { agent, hour, minute, now, type PagesHost, startHost } from './pages-host.js';
import { fieldsOf, heading, noticeOf, type Reply, type Visitor } from './visitor.js';

const page = '/manage/appointment/reschedule';
const cancelPage = '/manage/appointment/cancel';
const stale = 'This link is not valid any more';
const refused = (text: string): string => `That did not work: ${text}`;
const later = { date: '2030-05-09', time: '15:00' };

for (const [major, install] of majors) {
  describe(`Changes by customers in ${major}`, () => {
    let on: Installation;
    let host: PagesHost;
    beforeAll(async () => {
      on = install();
      host = await startHost({ on });
    });
    afterAll(async () => {
      await host.close();
      on.remove();
    });

    /** Fills the form as it is shown. */
    const move = async (visitor: Visitor, changes: Readonly<Record<string, string>> = later): Promise<Reply> =>
      visitor.post(page, { ...fieldsOf(await visitor.get(page)), ...changes });

    /** Sends the question whether to cancel as it is shown. */
    const cancel = async (visitor: Visitor, reason = ''): Promise<Reply> =>
      visitor.submit(cancelPage, { ...fieldsOf(await visitor.get(cancelPage)), reason });

    it.each([
      ['another time', page, later],
      ['cancelling', cancelPage, { reason: 'Ill' }],
    ])('%s that another change overtakes shows the appointment as it is by then', async (_name, at, entered) => {
      let overtaken = (): Promise<unknown> => Promise.resolve();
      const pages: Installation['pages'] = ({ appointments: calls, ...scheduling }, options) => {
        const reschedule: typeof calls.reschedule = (...asked) => overtaken().then(() => calls.reschedule(...asked));
        const cancelling: typeof calls.cancel = (...asked) => overtaken().then(() => calls.cancel(...asked));
        return on.pages({ ...scheduling, appointments: { ...calls, reschedule, cancel: cancelling } }, options);
      };
      const own = await startHost({ on: { ...on, pages } });
      try {
        const made = await own.book();
        const visitor = await own.arrived(made);
        const form = fieldsOf(await visitor.get(at));
        const command = { id: made.id, start: '2030-05-20T09:00:00Z', duration: 'PT45M', timezone: 'Europe/Athens' };
        overtaken = () => own.scheduling.appointments.reschedule(agent, command);
        const reply = await visitor.post(at, { ...form, ...entered });
        expect([reply.status, fieldsOf(reply)['version']]).toEqual([412, '2']);
        expect(reply.text).toContain('Monday, 20 May 2030');
        expect(reply.text).not.toContain('8 May 2030');
      } finally {
        await own.close();
      }
    });

    describe('another time', () => {
      it('the form holds the present time, in the zone of the appointment', async () => {
        const visitor = await host.arrived(await host.book());
        const form = await visitor.get(page);
        expect(form.status).toBe(200);
        const { appointment, ...fields } = fieldsOf(form);
        expect(fields).toEqual({ date: '2030-05-08', time: '10:30', version: '1' });
        expect(appointment).toMatch(/^[\w-]{22}$/);
        expect(form.text).toContain('Europe/Athens, GMT+3');
      });

      it('another time moves the appointment, keeps its duration and zone, and shows it', async () => {
        const made = await host.book();
        const visitor = await host.arrived(made);
        const reply = await move(visitor);
        expect([reply.status, reply.headers['location']]).toEqual([303, '/manage/appointment?moved']);
        const { schedule } = await host.kept(made);
        const start = Date.UTC(2030, 4, 9, 12);
        expect(schedule).toEqual({ start, end: start + 45 * minute, timezone: 'Europe/Athens' });
        const shown = await visitor.get('/manage/appointment?moved');
        expect(noticeOf(shown)).toBe('Your appointment was moved.');
        expect(shown.text).toContain('Thursday, 9 May 2030');
      });

      it('another time to the same time moves nothing, and says so', async () => {
        const made = await host.book();
        const visitor = await host.arrived(made);
        const reply = await move(visitor, {});
        expect([reply.status, reply.headers['location']]).toEqual([303, '/manage/appointment?unmoved']);
        expect((await host.kept(made)).version).toBe(made.version);
      });

      it.each([
        ['the second of an hour that the zone repeats', '2030-10-27T01:30:00Z'],
        ['seconds, which the form does not show', '2030-05-08T07:30:59.5Z'],
      ])('another time left as it is shown moves nothing: %s', async (_name, start) => {
        const made = await host.book({ start });
        const reply = await move(await host.arrived(made), {});
        expect(reply.headers['location']).toBe('/manage/appointment?unmoved');
        expect((await host.kept(made)).schedule).toEqual(made.schedule);
      });

      it.each([
        ['an ordinary hour', '2030-05-09', '15:00', '2030-05-09T12:00:00Z'],
        ['seconds, as some browsers send them', '2030-05-09', '15:00:00', '2030-05-09T12:00:00Z'],
        ['in winter', '2030-12-09', '15:00', '2030-12-09T13:00:00Z'],
        ['an hour that the zone skips: moved forward', '2031-03-30', '03:30', '2031-03-30T01:30:00Z'],
        ['an hour that the zone repeats: the first one', '2030-10-27', '03:30', '2030-10-27T00:30:00Z'],
        ['the leap day', '2032-02-29', '00:00', '2032-02-28T22:00:00Z'],
      ])('another time takes %s', async (_name, date, time, expected) => {
        const made = await host.book();
        expect((await move(await host.arrived(made), { date, time })).status).toBe(303);
        expect((await host.kept(made)).schedule.start).toBe(Date.parse(expected));
      });

      it.each([
        ['', '10:00'],
        ['2030-05-09', ''],
        ['2030-02-30', '10:00'],
        ['2031-02-29', '10:00'],
        ['2030-13-01', '10:00'],
        ['2030-05-09', '24:00'],
        ['2030-05-09', '10:60'],
        ['9 May 2030', '10:00'],
        ['2030-05-09', '10am'],
        ['20300-05-09', '10:00'],
        ['0000-00-00', '00:00'],
        ['<b>2030</b>', '"><script>'],
      ])('another time asks again for a date and a time when it gets %j and %j', async (date, time) => {
        const made = await host.book();
        const reply = await move(await host.arrived(made), { date, time });
        expect([reply.status, noticeOf(reply)]).toEqual([400, refused('Please enter a date and a time.')]);
        expect(reply.text).not.toMatch(/<b>|<script>/);
        expect((await host.kept(made)).version).toBe(made.version);
      });

      it.each([
        ['the past', '2030-05-05', '10:00'],
        ['a year long past', '1970-01-01', '02:00'],
      ])('another time says that it cannot be then, and keeps what was entered: %s', async (_name, date, time) => {
        const made = await host.book();
        const reply = await move(await host.arrived(made), { date, time });
        expect(reply.status).toBe(400);
        expect(noticeOf(reply)).toMatch(/^That did not work: The appointment cannot take place then\./);
        expect(reply.text).toContain('<title>That did not work: Choose another time</title>');
        expect(fieldsOf(reply)).toMatchObject({ date, time });
        expect((await host.kept(made)).version).toBe(made.version);
      });

      it('another time says that the time is taken, and not by whom', async () => {
        const guarded = { applicationId: 'app-guarded' };
        await host.book({ ...guarded, start: '2030-06-03T12:15:00Z', title: 'Somebody else' });
        const made = await host.book({ ...guarded, start: '2030-06-03T09:00:00Z' });
        const reply = await move(await host.arrived(made), { date: '2030-06-03', time: '15:00' });
        expect([reply.status, noticeOf(reply)]).toEqual([
          409,
          refused('That time is not free any more. Please choose another one.'),
        ]);
        expect(reply.text).not.toContain('Somebody else');
        expect((await host.kept(made)).version).toBe(made.version);
      });

      it('another time overwrites no change that was made after the form was shown', async () => {
        const made = await host.book();
        const visitor = await host.arrived(made);
        const form = fieldsOf(await visitor.get(page));
        const command = { id: made.id, start: '2030-05-20T09:00:00Z', duration: 'PT45M', timezone: 'Europe/Athens' };
        await host.scheduling.appointments.reschedule(agent, command);
        const reply = await visitor.post(page, { ...form, ...later });
        expect(reply.status).toBe(412);
        expect(noticeOf(reply)).toMatch(/^That did not work: The appointment was changed meanwhile\./);
        expect(reply.text).toContain('Monday, 20 May 2030');
        expect((await host.kept(made)).schedule.start).toBe(Date.UTC(2030, 4, 20, 9));
        // The page that came back is of the new version: sent again, it holds.
        expect((await visitor.post(page, fieldsOf(reply))).status).toBe(303);
        expect((await host.kept(made)).schedule.start).toBe(Date.UTC(2030, 4, 9, 12));
      });

      it.each(['', 'x', '-1', '1e400', '0x1'.repeat(9)])(
        'another time takes no version that is none: %j',
        async (version) => {
          const made = await host.book();
          expect((await move(await host.arrived(made), { ...later, version })).status).toBe(412);
          expect((await host.kept(made)).version).toBe(made.version);
        },
      );

      it('another time moves no other appointment, whatever the form says', async () => {
        const other = await host.book();
        const made = await host.book();
        const more = {
          id: other.id,
          appointmentId: other.id,
          duration: 'PT9H',
          timezone: 'UTC',
          organizationId: 'org-2',
        };
        await move(await host.arrived(made), { ...later, ...more });
        expect((await host.kept(other)).schedule).toEqual(other.schedule);
        const { schedule } = await host.kept(made);
        expect([schedule.end - schedule.start, schedule.timezone]).toEqual([45 * minute, 'Europe/Athens']);
      });
    });

    describe('what the application forbids (D21)', () => {
      const limited = { applicationId: 'app-limited' };
      const soon: Partial<ScheduleCommand> = { ...limited, start: new Date(now + 24 * hour - 1).toISOString() };

      it('what the application forbids says that it is too late to move, and to cancel', async () => {
        const made = await host.book(soon);
        const visitor = await host.arrived(made);
        const moved = await move(visitor);
        expect([moved.status, noticeOf(moved)]).toEqual([
          403,
          refused('It is too late to move this appointment online. Please contact your host.'),
        ]);
        const cancelled = await cancel(visitor, 'Ill & tired');
        expect([cancelled.status, noticeOf(cancelled)]).toEqual([
          403,
          refused('It is too late to cancel this appointment online. Please contact your host.'),
        ]);
        expect(cancelled.text).toContain('Ill &amp; tired</textarea');
        expect(await host.kept(made)).toMatchObject({ version: made.version, state: 'SCHEDULED' });
      });

      it('what the application forbids says that it was moved as often as it may be', async () => {
        const made = await host.book(limited);
        const visitor = await host.arrived(made);
        expect((await move(visitor)).status).toBe(303);
        const again = await move(visitor, { date: '2030-05-10' });
        expect([again.status, noticeOf(again)]).toEqual([
          403,
          refused('This appointment was moved as often as it may be. Please contact your host.'),
        ]);
        expect((await host.kept(made)).schedule.start).toBe(Date.UTC(2030, 4, 9, 12));
      });

      it('what the application forbids says that what is under way is neither cancelled nor moved', async () => {
        const made = await running(await host.book());
        const visitor = await host.arrived(made);
        const reply = await cancel(visitor);
        expect([reply.status, noticeOf(reply)]).toEqual([
          403,
          refused('The appointment is under way and cannot be changed now.'),
        ]);
        const moved = await move(visitor);
        expect([moved.status, noticeOf(moved)]).toEqual([409, noticeOf(reply)]);
        expect(await host.kept(made)).toMatchObject({ state: 'ACTIVATED', schedule: made.schedule });
      });

      it('what the application forbids says that what is over is not changed', async () => {
        const made = await running(await host.book());
        await host.scheduling.appointments.moveInteraction(agent, { id: made.id, to: 'COMPLETED' });
        const visitor = await host.arrived(made);
        const replies = [await move(visitor), await cancel(visitor)];
        expect(replies.map(({ status }) => status)).toEqual([409, 409]);
        const text = refused('The appointment cannot be changed any more.');
        expect(replies.map(noticeOf)).toEqual([text, text]);
      });

      async function running(made: Appointment): Promise<Appointment> {
        const { appointments } = host.scheduling;
        await appointments.activate(agent, made.id);
        const actor = { id: 'agent-1', type: 'AGENT' } as const;
        await appointments.moveInteraction(agent, { id: made.id, to: 'INITIATED', actor });
        return appointments.moveInteraction(agent, { id: made.id, to: 'IN_PROGRESS', actor });
      }
    });

    describe('cancelling', () => {
      it('cancelling asks first, and shows what it is about', async () => {
        const made = await host.book();
        const asked = await (await host.arrived(made)).get(cancelPage);
        expect([asked.status, heading(asked)]).toEqual([200, 'Cancel this appointment?']);
        expect(asked.text).toContain('Wednesday, 8 May 2030');
        expect((await host.kept(made)).state).toBe('SCHEDULED');
      });

      it('cancelling cancels with the reason, ends the session and the link', async () => {
        const made = await host.book();
        const { code } = await host.link(made);
        const visitor = host.visitor();
        await visitor.post('/manage/session', { code, zone: 'Europe/Berlin' });
        const reason = 'Ill <b>&</b> tired, "sorry"; 50 % τώρα 🤒';
        const reply = await cancel(visitor, reason);
        expect([reply.status, heading(reply)]).toEqual([200, 'Your appointment is cancelled']);
        expect(await host.kept(made)).toMatchObject({ state: 'CANCELLED', cancellation: { reason } });
        expect([...visitor.cookies.keys()]).toEqual(['calends_ended']);
        expect((await visitor.get('/manage/appointment')).headers['location']).toBe('/manage/');
        expect(heading(await visitor.get('/manage/ended'))).toBe('Your appointment is cancelled');
        const again = await visitor.post('/manage/session', { code });
        expect([again.status, heading(again)]).toEqual([403, stale]);
      });

      it('cancelling that is sent twice says twice that the appointment is cancelled', async () => {
        const made = await host.book();
        const visitor = await host.arrived(made);
        const form = fieldsOf(await visitor.get(cancelPage));
        for (let sent = 0; sent < 2; sent += 1)
          expect(heading(await visitor.submit(cancelPage, form))).toBe('Your appointment is cancelled');
        // Who has left, and who never came, is led to the entry.
        expect((await host.visitor().post(cancelPage, form)).headers['location']).toBe('/manage/');
      });

      it.each([
        ['cancelling', cancelPage, { reason: 'Ill' }],
        ['another time', page, { date: '2030-05-20', time: '09:00' }],
      ])(
        '%s changes nothing where the link of another appointment was opened in that browser meanwhile',
        async (_what, path, entered) => {
          const [first, second] = [await host.book(), await host.book({ start: '2030-05-09T07:30:00Z' })];
          const visitor = await host.arrived(first);
          const form = fieldsOf(await visitor.get(path));
          await visitor.post('/manage/session', { code: (await host.link(second)).code });
          const reply = await visitor.submit(path, { ...form, ...entered });
          expect([reply.status, heading(reply)]).toEqual([409, 'That did not work']);
          expect(reply.text).toContain(
            'Another appointment was opened in this browser meanwhile. Nothing was changed.',
          );
          expect([await host.kept(first), await host.kept(second)]).toEqual([first, second]);
          // The link of the first one leads to it again.
          await visitor.post('/manage/session', { code: (await host.link(first)).code });
          expect([200, 303]).toContain((await visitor.submit(path, { ...form, ...entered })).status);
          expect((await host.kept(second)).version).toBe(second.version);
          expect(await host.kept(first)).not.toMatchObject({ state: 'SCHEDULED', version: first.version });
        },
      );

      it('cancelling needs no reason', async () => {
        const made = await host.book();
        expect((await cancel(await host.arrived(made))).status).toBe(200);
        expect((await host.kept(made)).state).toBe('CANCELLED');
      });

      it('cancelling ends nothing that was moved after the question was shown', async () => {
        const made = await host.book();
        const visitor = await host.arrived(made);
        const form = fieldsOf(await visitor.get(cancelPage));
        const command = { id: made.id, start: '2030-05-20T09:00:00Z', duration: 'PT45M', timezone: 'Europe/Athens' };
        await host.scheduling.appointments.reschedule(agent, command);
        const reply = await visitor.post(cancelPage, { ...form, reason: 'Ill' });
        expect(reply.status).toBe(412);
        expect(noticeOf(reply)).toMatch(/^That did not work: The appointment was changed meanwhile\./);
        expect(reply.text).toContain('Monday, 20 May 2030');
        expect((await host.kept(made)).state).toBe('SCHEDULED');
        // The question that came back is of the new version: sent again, it holds.
        expect((await visitor.submit(cancelPage, fieldsOf(reply))).status).toBe(200);
        expect((await host.kept(made)).state).toBe('CANCELLED');
      });

      it('cancelling takes 1,000 characters, and gives back what is longer', async () => {
        const made = await host.book();
        const visitor = await host.arrived(made);
        const long = '🤒'.repeat(501);
        const refusal = await cancel(visitor, long);
        expect([refusal.status, noticeOf(refusal)]).toEqual([
          400,
          refused('The reason is too long: at most 1,000 characters.'),
        ]);
        expect(refusal.text).toContain(`${long}</textarea`);
        expect((await host.kept(made)).state).toBe('SCHEDULED');
        expect((await cancel(visitor, 'ώ'.repeat(1000))).status).toBe(200);
      });

      it('cancelling says of characters that cannot be read that they are, not that there are too many', async () => {
        const made = await host.book();
        const refusal = await cancel(await host.arrived(made), 'Ill\0');
        expect([refusal.status, noticeOf(refusal)]).toEqual([
          400,
          refused('The reason has characters that cannot be read. Please write it again.'),
        ]);
        expect((await host.kept(made)).state).toBe('SCHEDULED');
      });
    });
  });
}
