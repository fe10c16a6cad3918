import type { Appointment, ManageLink } from '@calends/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, majors } from './majors.js';
import { agent, customerOf, enter, hour, minute, mount, now, type PagesHost, startHost } from './pages-host.js';
import { heading, type Reply } from './visitor.js';

const stale = 'This link is not valid any more';

/** What has happened to a link, and what is then typed. */
const worthless: readonly (readonly [
  string,
  (host: PagesHost, made: Appointment, link: ManageLink) => Promise<string>,
])[] = [
  ['an empty code', async () => ''],
  ['a code that is none', async () => 'x'],
  ['a code of strange characters', async () => '<script>alert(1)</script>\u0000\ud800 ☃'],
  ['a code of 8,000 characters', async () => 'A'.repeat(8000)],
  ['an altered code', async (_host, _made, { code }) => code.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
  ['a code without its end', async (_host, _made, { code }) => code.slice(0, -1)],
  ['a code with more at its end', async (_host, _made, { code }) => `${code}A`],
  ['the manage token instead of the code', async (_host, _made, { customerManageToken }) => customerManageToken],
  [
    'the code with another appointment',
    async (host, _made, { code }) => {
      const other = await host.link(await host.book());
      return code.slice(0, 22) + other.code.slice(22);
    },
  ],
  [
    'a revoked code',
    async (host, made, { code }) => {
      const query = { appointmentId: made.id, participantId: customerOf(made) };
      await host.scheduling.customers.revokeManageLink(agent, query);
      return code;
    },
  ],
  [
    'a rotated code',
    async (host, made, { code }) => {
      await host.link(made);
      return code;
    },
  ],
  [
    'the code of a cancelled appointment',
    async (host, made, { code }) => {
      await host.scheduling.appointments.cancel(agent, { id: made.id });
      return code;
    },
  ],
  [
    'the code of a removed appointment',
    async (host, made, { code }) => {
      await host.scheduling.appointments.remove(agent, made.id);
      return code;
    },
  ],
  [
    'an expired code',
    async (host, made) => {
      const { code } = await host.link(made, new Date(now + minute).toISOString());
      host.advance(minute);
      return code;
    },
  ],
  [
    'the code a day after the end',
    async (host, made, { code }) => {
      host.advance(made.schedule.end + 24 * hour - now);
      return code;
    },
  ],
];

for (const [major, install] of majors) {
  describe(`Sessions of the customer pages in ${major}`, () => {
    let on: Installation;
    const open: PagesHost[] = [];
    const started = async (...given: Parameters<typeof startHost>): Promise<PagesHost> => {
      const host = await startHost({ on, ...given[0] });
      open.push(host);
      return host;
    };
    let host: PagesHost;
    beforeAll(async () => {
      on = install();
      host = await started();
    });
    afterAll(async () => {
      await Promise.all(open.map((each) => each.close()));
      on.remove();
    });

    it('the entry page asks for the code and says nothing of any appointment', async () => {
      const reply = await host.visitor().get(`${mount}/`);
      expect(reply.status).toBe(200);
      expect(heading(reply)).toBe('Your appointment');
      expect(reply.text).toContain('<form method="post" action="/manage/session" id="entry">');
      expect(reply.setCookies).toEqual([]);
    });

    it('a code opens the appointment, and does so again while the link stands', async () => {
      const made = await host.book();
      const { code } = await host.link(made);
      for (const spelling of [code, ` ${code}\n`]) {
        const visitor = host.visitor();
        const entered = await enter(visitor, spelling);
        expect(entered.status).toBe(303);
        expect(entered.headers['location']).toBe('/manage/appointment');
        const shown = await visitor.get('/manage/appointment');
        expect(shown.status).toBe(200);
        expect(heading(shown)).toBe('First consultation');
      }
    });

    it('every code that does not hold gets the same page, 403, and no session', async () => {
      const answers = new Map<string, readonly string[]>();
      for (const [name, spoil] of worthless) {
        const fresh = await started();
        const made = await fresh.book();
        const code = await spoil(fresh, made, await fresh.link(made));
        const visitor = fresh.visitor();
        const reply = await enter(visitor, code);
        expect(reply.status, name).toBe(403);
        expect(heading(reply), name).toBe(stale);
        expect([...visitor.cookies], name).toEqual([]);
        answers.set(answerOf(reply), [...(answers.get(answerOf(reply)) ?? []), name]);
      }
      expect([...answers.values()]).toEqual([worthless.map(([name]) => name)]);
    });

    it('the session cookie is HttpOnly, SameSite=Strict, for the path of the pages, and ends with the session', async () => {
      const { code } = await host.link(await host.book());
      const { setCookies } = await enter(host.visitor(), code, 'Europe/Berlin');
      const expires = `Expires=${new Date(now + hour).toUTCString()}`;
      expect(
        setCookies.map((cookie) =>
          cookie
            .replace(/=[^;]*/, '')
            .split('; ')
            .sort(),
        ),
      ).toEqual([
        [expires, 'HttpOnly', 'Path=/manage', 'SameSite=Strict', 'calends_session'].sort(),
        [expires, 'HttpOnly', 'Path=/manage', 'SameSite=Strict', 'calends_zone'].sort(),
      ]);
    });

    it.each([
      ['127.0.0.1', undefined, false],
      ['127.0.0.1:3000', undefined, false],
      ['localhost:3000', undefined, false],
      ['LOCALHOST', undefined, false],
      ['[::1]:3000', undefined, false],
      ['127.8.9.1', undefined, false],
      ['clinic.example', undefined, true],
      ['clinic.example:8443', undefined, true],
      ['localhost.clinic.example', undefined, true],
      ['127.0.0.1.clinic.example', undefined, true],
      ['10.0.0.1', undefined, true],
      ['localhost', true, true],
      ['clinic.example', false, false],
    ] as const)('asked as %s, secureCookie %s: the cookie is Secure: %s', async (name, secureCookie, secure) => {
      const asked = secureCookie === undefined ? host : await started({ options: { secureCookie } });
      const { code } = await asked.link(await asked.book());
      const form = new URLSearchParams({ code, zone: 'Europe/Berlin' }).toString();
      const { setCookies } = await asked
        .visitor()
        .send('POST', '/manage/session', { raw: form, headers: { host: name } });
      expect(setCookies.map((cookie) => /; Secure/.test(cookie))).toEqual([secure, secure]);
    });

    it.each(['Nowhere/Land', 'x'.repeat(2000), 'Europe/Berlin; Path=/', '\r\nSet-Cookie: a=b', ''])(
      'keeps no zone that is none: %j',
      async (zone) => {
        const visitor = host.visitor();
        const { code } = await host.link(await host.book());
        expect((await enter(visitor, code, zone)).status).toBe(303);
        expect([...visitor.cookies.keys()]).toEqual(['calends_session']);
      },
    );

    it.each(['/appointment', '/appointment.ics', '/appointment/reschedule', '/appointment/cancel'])(
      'without a session %s leads back to the entry',
      async (path) => {
        const reply = await host.visitor().get(mount + path);
        expect([reply.status, reply.headers['location']]).toEqual([303, '/manage/']);
      },
    );

    it.each([
      'x',
      '~',
      '~~',
      '019a3f5c-0000-7000-8000-000000000001~x.y.z',
      '019a3f5c-0000-7000-8000-000000000001~eyJhbGciOiJub25lIn0.e30.',
      '%',
      '"a~b"',
      `a~${'b'.repeat(9000)}`,
    ])('a cookie that holds no session opens nothing, whatever it says', async (cookie) => {
      const reply = await host
        .visitor()
        .get('/manage/appointment', { headers: { cookie: `calends_session=${cookie}` } });
      expect([303, 403]).toContain(reply.status);
      expect(reply.text).not.toContain('First consultation');
    });

    it('a session for one appointment opens no other, whichever id its cookie names', async () => {
      const other = await host.book({ title: 'Somebody else' });
      const visitor = await host.arrived(await host.book());
      const [, token = ''] = (visitor.cookies.get('calends_session') ?? '').split('~');
      visitor.cookies.set('calends_session', `${other.id}~${token}`);
      const reply = await visitor.get('/manage/appointment');
      expect([reply.status, heading(reply)]).toEqual([403, stale]);
      expect(reply.text).not.toContain('Somebody else');
    });

    it.each([
      ['an hour has passed', async (at: PagesHost) => at.advance(hour)],
      ['the link was rotated', (at: PagesHost, made: Appointment) => at.link(made)],
      [
        'the appointment was cancelled by its agent',
        (at: PagesHost, made: Appointment) => at.scheduling.appointments.cancel(agent, { id: made.id }),
      ],
      [
        'the appointment was removed',
        (at: PagesHost, made: Appointment) => at.scheduling.appointments.remove(agent, made.id),
      ],
    ])('the session ends when %s: 403 on every page, and the cookies go', async (_name, happen) => {
      for (const path of ['/appointment', '/appointment.ics', '/appointment/reschedule', '/appointment/cancel']) {
        const fresh = await started();
        const made = await fresh.book();
        const visitor = await fresh.arrived(made);
        await happen(fresh, made);
        const reply = await visitor.get(mount + path);
        expect([reply.status, heading(reply)], path).toEqual([403, stale]);
        expect([...visitor.cookies], path).toEqual([]);
      }
    });

    it.each([
      ['/appointment/reschedule', { version: '1', date: '2030-05-09', time: '10:00' }],
      ['/appointment/cancel', { reason: '' }],
    ])('a form sent to %s after the session has ended changes nothing', async (path, form) => {
      const fresh = await started();
      const made = await fresh.book();
      const visitor = await fresh.arrived(made);
      fresh.advance(hour);
      expect((await visitor.post(mount + path, form)).status).toBe(403);
      expect(await fresh.kept(made)).toMatchObject({ version: made.version, state: 'SCHEDULED' });
    });

    it('signing out ends the session on this device; the link still stands', async () => {
      const made = await host.book();
      const { code } = await host.link(made);
      const visitor = host.visitor();
      await enter(visitor, code, 'Europe/Berlin');
      const reply = await visitor.post('/manage/session/end');
      expect([reply.status, heading(reply)]).toEqual([200, 'You are signed out']);
      expect([...visitor.cookies]).toEqual([]);
      expect((await visitor.get('/manage/appointment')).status).toBe(303);
      expect((await enter(host.visitor(), code)).status).toBe(303);
    });
  });
}

/** What a visitor can tell one answer from another by, but for the time. */
function answerOf({ status, headers, setCookies, text }: Reply): string {
  const { date: _date, ...others } = headers;
  return JSON.stringify([status, others, setCookies, text]);
}
