import type { AccessProvider, Appointment, ScheduleCommand } from '@calends/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, majors } from './majors.js';
import { agent, enter, hour, mount, type PagesHost, startHost } from './pages-host.js';
import { fieldsOf, type Reply, Visitor } from './visitor.js';

interface ShownTime {
  readonly label: string;
  readonly day: string;
  readonly clock: string;
  readonly zone: string;
}

/** The lines of the panel that tells when. */
function times({ text }: Reply): readonly ShownTime[] {
  const pattern =
    /<dt>([^<]*)<\/dt>\s*<dd>\s*<span class="day">([^<]*)<\/span>\s*<span class="clock">([^<]*)<\/span>\s*<span class="zone">([^<]*)<\/span>/g;
  return Array.from(text.matchAll(pattern), ([, label = '', day = '', clock = '', zone = '']) => ({
    label,
    day,
    clock,
    zone,
  }));
}

const linksOf = ({ text }: Reply): readonly string[] =>
  Array.from(text.matchAll(/(?:href|action|src)="([^"]*)"/g), ([, address = '']) => address);

for (const [major, install] of majors) {
  describe(`The appointment in ${major}`, () => {
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

    const seen = async (made: Appointment, zone = ''): Promise<Reply> => {
      const visitor = host.visitor();
      await enter(visitor, (await host.link(made)).code, zone);
      return visitor.get('/manage/appointment');
    };

    it.each<readonly [string, string, Partial<ScheduleCommand>, readonly ShownTime[]]>([
      [
        'both zones where they differ',
        'America/New_York',
        {},
        [
          { label: 'When', day: 'Wednesday, 8 May 2030', clock: '10:30 – 11:15', zone: 'Europe/Athens, GMT+3' },
          {
            label: 'Your local time',
            day: 'Wednesday, 8 May 2030',
            clock: '3:30 – 4:15',
            zone: 'America/New_York, GMT-4',
          },
        ],
      ],
      [
        'one line where the zones show the same',
        'Europe/Bucharest',
        {},
        [{ label: 'When', day: 'Wednesday, 8 May 2030', clock: '10:30 – 11:15', zone: 'Europe/Athens, GMT+3' }],
      ],
      [
        'UTC where the browser has named no zone',
        '',
        {},
        [
          { label: 'When', day: 'Wednesday, 8 May 2030', clock: '10:30 – 11:15', zone: 'Europe/Athens, GMT+3' },
          { label: 'In UTC', day: 'Wednesday, 8 May 2030', clock: '7:30 – 8:15', zone: 'UTC' },
        ],
      ],
      [
        'another day in the zone of the customer',
        'Pacific/Auckland',
        { start: '2030-05-08T20:00:00Z' },
        [
          { label: 'When', day: 'Wednesday, 8 May 2030', clock: '23:00 – 23:45', zone: 'Europe/Athens, GMT+3' },
          {
            label: 'Your local time',
            day: 'Thursday, 9 May 2030',
            clock: '8:00 – 8:45',
            zone: 'Pacific/Auckland, GMT+12',
          },
        ],
      ],
      [
        'two lines where only the end differs: one zone changes its clocks meanwhile',
        'Africa/Cairo',
        { start: '2030-10-26T23:30:00Z', duration: 'PT3H' },
        [
          {
            label: 'When',
            day: 'Sunday, 27 October 2030',
            clock: '2:30 (GMT+3) – 4:30 (GMT+2)',
            zone: 'Europe/Athens',
          },
          {
            label: 'Your local time',
            day: 'Sunday, 27 October 2030',
            clock: '2:30 – 5:30',
            zone: 'Africa/Cairo, GMT+3',
          },
        ],
      ],
      [
        'both offsets where the clocks change meanwhile',
        'Europe/Athens',
        { start: '2030-10-27T00:30:00Z', duration: 'PT1H' },
        [
          {
            label: 'When',
            day: 'Sunday, 27 October 2030',
            clock: '3:30 (GMT+3) – 3:30 (GMT+2)',
            zone: 'Europe/Athens',
          },
        ],
      ],
    ])('the page shows %s', async (_name, zone, changes, expected) => {
      expect(times(await seen(await host.book(changes), zone))).toEqual(expected);
    });

    it('the page shows both days of an appointment over midnight', async () => {
      const made = await host.book({ start: '2030-05-08T23:00:00Z', duration: 'PT2H', timezone: 'UTC' });
      const shown = times(await seen(made)).map(({ day, clock }) => [day.replaceAll(/\s+/g, ' '), clock]);
      // Whether the month stands once or twice differs from one version of Node to the next.
      const days = expect.stringMatching(/^Wednesday,? 8( May)? – Thursday,? 9 May 2030$/) as string;
      expect(shown).toEqual([[days, '23:00 – 1:00']]);
    });

    it('the page shows title, duration and state, and leads to what can be done', async () => {
      const reply = await seen(await host.book({ duration: 'PT1H30M' }));
      expect(reply.text).toMatch(/<dt>Duration<\/dt>\s*<dd>1 hour 30 minutes<\/dd>/);
      expect(reply.text).toMatch(/<dt>Status<\/dt>\s*<dd>Confirmed<\/dd>/);
      expect(linksOf(reply)).toEqual([
        '/manage/assets/pages.css',
        '/manage/appointment.ics',
        '/manage/appointment/reschedule',
        '/manage/appointment/cancel',
        '/manage/session/end',
      ]);
    });

    it('the page calls an appointment without a title an appointment', async () => {
      expect((await seen(await host.book({ title: null }))).text).toContain('<h1>Appointment</h1>');
    });

    it('the page shows neither the other customers nor anything personal', async () => {
      const customers = [
        { name: { firstName: 'Ada', lastName: 'Lovelace' }, contact: { primaryEmail: 'ada@example.org' } },
        { name: { firstName: 'Grace', lastName: 'Hopper' }, contact: { primaryEmail: 'grace@example.org' } },
      ];
      const { text } = await seen(await host.book({ customers, notes: 'Notes of the agent' }));
      for (const word of ['Hopper', 'grace@', 'Lovelace', 'ada@', 'Notes of', 'agent-1'])
        expect(text).not.toContain(word);
    });

    it('the page says when one can join, before', async () => {
      const made = await host.book();
      const opensAt = await host.scheduling.access.opensAt(made);
      expect(opensAt).toBe(made.schedule.start - 30 * 60_000);
      expect((await seen(made)).text).toMatch(
        /<dt>You can join from<\/dt>\s*<dd>8 May 2030(?: at|,) 10:00 \(Europe\/Athens, GMT\+3\)<\/dd>/,
      );
      await host.scheduling.appointments.activate(agent, made.id);
      expect((await seen(made)).text).not.toContain('You can join from');
    });

    it('the page leads to the room once it is activated', async () => {
      const made = await host.book();
      expect((await seen(made)).text).not.toContain('Join now');
      const activated = await host.scheduling.appointments.activate(agent, made.id);
      const details = await host.scheduling.access.detailsOf(activated);
      const reply = await seen(made);
      expect(reply.text).toMatch(/<dt>Status<\/dt>\s*<dd>Ready to join<\/dd>/);
      expect(reply.text).toContain(`href="${details?.roomUrl ?? ''}" rel="noreferrer">Join now</a>`);
      expect(details?.roomUrl).toMatch(/^https:\/\/rooms\.clinic\.example\//);
    });

    it('the page offers no change once it is over', async () => {
      const { id } = await host.book();
      const { appointments } = host.scheduling;
      await appointments.activate(agent, id);
      for (const to of ['INITIATED', 'IN_PROGRESS', 'COMPLETED'] as const) {
        const made = await appointments.moveInteraction(agent, { id, to, actor: { id: 'agent-1', type: 'AGENT' } });
        const reply = await seen(made);
        const changes = linksOf(reply).filter((address) => address.startsWith('/manage/appointment/'));
        expect([to, changes.length]).toEqual([to, to === 'INITIATED' ? 2 : 0]);
        expect(reply.text.includes('This appointment is over.')).toBe(to === 'COMPLETED');
      }
    });

    it('the page gives a calendar file with the times and without the address of anybody', async () => {
      const visitor = await host.arrived(await host.book({ title: 'Talk, with "quotes"; and\nlines' }));
      const reply = await visitor.get('/manage/appointment.ics');
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/calendar; charset=utf-8');
      expect(reply.headers['content-disposition']).toBe('attachment; filename="appointment.ics"');
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(reply.text).toMatch(/^BEGIN:VCALENDAR\r\n/);
      expect(reply.text).toMatch(/\r\nEND:VCALENDAR\r\n$/);
      expect(reply.text).toContain('20300508T073000Z');
      // The id of the file has an @ too, and may end in anybody's name.
      expect(reply.text.replace(/^UID:.*$/m, '')).not.toContain('@');
    });

    it.each([
      ['tel:+4312345', undefined],
      ['clinic-app://rooms/1', undefined],
      ['not an address', undefined],
      ['https://video.example/1', 'https://video.example/1'],
    ])('the appointment leads to the room %s from the page, and from the calendar file to %s', async (roomUrl, url) => {
      const accessProvider: AccessProvider = {
        conferenceIsAppointment: true,
        openRoom: ({ appointmentId }) =>
          Promise.resolve({ status: 'opened', grant: { conferenceId: appointmentId, roomUrl } }),
        details: ({ roomUrl: its }, { schedule }) => ({ secureToken: 'x', roomUrl: its, expires: schedule.end }),
      };
      const own = await startHost({ on, scheduling: { accessProvider } });
      const made = await own.book();
      await own.scheduling.appointments.activate(agent, made.id);
      const visitor = await own.arrived(made);
      expect((await visitor.get('/manage/appointment')).text).toContain(`href="${roomUrl}"`);
      const file = await visitor.get('/manage/appointment.ics');
      expect([file.status, /^URL(?:;[^:]*)?:(.*)\r$/m.exec(file.text)?.[1]]).toEqual([200, url]);
      await own.close();
    });

    it('the page tells that the appointment was moved where that address says so, and nothing else of an address', async () => {
      const visitor = await host.arrived(await host.book());
      const noticed = async (query: string): Promise<boolean> =>
        (await visitor.get(`/manage/appointment${query}`)).text.includes('class="notice');
      const told = await Promise.all(
        ['?moved', '?unmoved', '', '?stale', '?moved=1', '?__proto__', '?<b>'].map(noticed),
      );
      expect(told).toEqual([true, true, false, false, false, false, false]);
    });

    it('the page puts no secret into an address: not into links, not where it sends the browser', async () => {
      const made = await host.book();
      const { code, ticketId, customerManageToken } = await host.link(made);
      const visitor = host.visitor();
      const replies = [await visitor.get('/manage/'), await enter(visitor, code, 'Europe/Berlin')];
      const [, token = ''] = (visitor.cookies.get('calends_session') ?? '').split('~');
      const secrets = [code, ticketId, customerManageToken, token, made.id];
      for (const path of ['', '/reschedule', '/cancel']) replies.push(await visitor.get(`${mount}/appointment${path}`));
      const { appointment = '' } = fieldsOf(replies.at(-1)!);
      const form = { appointment, version: '1', date: '2030-05-09', time: '10:00' };
      replies.push(await visitor.post('/manage/appointment/reschedule', form));
      replies.push(await visitor.get('/manage/appointment?moved'));
      // The move has made version 2.
      replies.push(await visitor.post('/manage/appointment/cancel', { appointment, version: '2', reason: 'x' }));
      expect(replies.map(({ status }) => status)).toEqual([200, 303, 200, 200, 200, 303, 200, 303]);
      const addresses = replies.flatMap((reply) => [reply.headers['location'] ?? '', ...linksOf(reply)]);
      const texts = replies.map(({ text }) => text);
      expect(secrets.every((secret) => secret.length > 20)).toBe(true);
      expect(secrets.filter((secret) => [...addresses, ...texts].some((each) => each.includes(secret)))).toEqual([]);
    });

    it('the page works at another path, and at the root', async () => {
      for (const base of ['', '/my/appointment']) {
        const elsewhere = await startHost({
          on,
          options: { publicUrl: `http://pages.example${base}/` },
          build: (app, router) => app.use(base === '' ? '/' : base, router),
        });
        const { code } = await elsewhere.link(await elsewhere.book());
        const visitor = new Visitor(elsewhere.port);
        const entered = await visitor.post(`${base}/session`, { code, zone: '' });
        expect(entered.headers['location']).toBe(`${base}/appointment`);
        expect(entered.setCookies[0]).toContain(`; Path=${base === '' ? '/' : base};`);
        const reply = await visitor.get(`${base}/appointment`);
        expect(linksOf(reply).every((address) => address.startsWith(`${base}/`))).toBe(true);
        expect((await visitor.get(`${base}/assets/pages.css`)).status).toBe(200);
        await elsewhere.close();
      }
    });

    it('the appointment is still shown after its end, while the link stands', async () => {
      const made = await host.book();
      const later = await startHost({ on });
      const late = await later.book();
      const { code } = await later.link(late);
      later.advance(made.schedule.end + hour - Date.UTC(2030, 4, 6, 8));
      const visitor = later.visitor();
      expect((await enter(visitor, code)).status).toBe(303);
      expect((await visitor.get('/manage/appointment')).status).toBe(200);
      await later.close();
    });
  });
}
