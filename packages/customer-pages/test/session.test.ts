import type { Appointment } from '@calends/core';
import type { ManageLink } from '@calends/core/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, majors } from './majors.js';
import { agent, customerOf, enter, hour, minute, mount, now, type PagesHost, startHost } from './pages-host.js';
import { heading, type Reply } from './visitor.js';

const stale = 'This link is not valid any more';
const signedOut = 'You are signed out';

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

    it('the whole link in the place of its code opens the appointment: that is what is copied out of a message', async () => {
      const { code } = await host.link(await host.book());
      const visitor = host.visitor();
      const reply = await enter(visitor, ` https://clinic.example/manage/#${code} `);
      expect([reply.status, reply.headers['location']]).toEqual([303, '/manage/appointment']);
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
      ['https://clinic.example/manage', undefined, true],
      ['http://clinic.example/manage', undefined, false],
      [undefined, undefined, true],
      ['http://clinic.example/manage', true, true],
      ['https://clinic.example/manage', false, false],
    ] as const)(
      'with the public address %s and secureCookie %s the cookies are Secure: %s, whatever Host says',
      async (publicUrl, secureCookie, secure) => {
        const asked = await started({ options: { publicUrl, secureCookie } });
        const { code } = await asked.link(await asked.book());
        for (const name of ['127.0.0.1:3000', 'localhost', '[::1]:3000', 'clinic.example', '10.0.0.1']) {
          const form = new URLSearchParams({ code, zone: 'Europe/Berlin' }).toString();
          const headers = { host: name, 'x-forwarded-proto': secure ? 'http' : 'https' };
          const visitor = asked.visitor();
          const { setCookies } = await visitor.send('POST', '/manage/session', { raw: form, headers });
          expect(setCookies.map((cookie) => /; Secure/.test(cookie))).toEqual([secure, secure]);
          const prefix = secure ? '__Secure-' : '';
          expect([...visitor.cookies.keys()]).toEqual([`${prefix}calends_session`, `${prefix}calends_zone`]);
          expect((await visitor.get('/manage/appointment')).status).toBe(200);
        }
      },
    );

    it.each([
      ['a path of which a proxy takes the front away', 'https://clinic.example/calends/manage/', '/calends/manage'],
      ['the path under which they are mounted', 'https://clinic.example/manage', '/manage'],
      ['no path', 'https://clinic.example', '/manage'],
      ['a path that only ends as theirs', 'https://clinic.example/their-manage', '/manage'],
    ])('links, redirects and cookies are for the address that browsers know: %s', async (_name, publicUrl, base) => {
      const asked = await started({ options: { publicUrl } });
      const entry = await asked.visitor().get('/manage/');
      expect(entry.text).toContain(`href="${base}/assets/pages.css"`);
      expect(entry.text).toContain(`action="${base}/session"`);
      const { code } = await asked.link(await asked.book());
      const reply = await asked.visitor().post('/manage/session', { code });
      expect(reply.headers['location']).toBe(`${base}/appointment`);
      expect(reply.setCookies.map((cookie) => /; Path=([^;]*)/.exec(cookie)?.[1])).toEqual([base]);
      expect((await asked.visitor().get('/manage/appointment')).headers['location']).toBe(`${base}/`);
    });

    it('over https a session is only taken from the cookie that browsers take only over https', async () => {
      const asked = await started({ options: { publicUrl: 'https://clinic.example/manage' } });
      const visitor = await asked.arrived(await asked.book());
      const value = visitor.cookies.get('__Secure-calends_session') ?? '';
      visitor.cookies.clear();
      visitor.cookies.set('calends_session', value);
      expect((await visitor.get('/manage/appointment')).status).toBe(303);
    });

    it('a cookie of the same name that a neighbour put in front locks nobody out', async () => {
      const made = await host.book();
      const visitor = await host.arrived(made);
      const own = visitor.cookies.get('calends_session') ?? '';
      const stranger = await host.arrived(await host.book({ title: 'Somebody else' }));
      const ended = stranger.cookies.get('calends_session') ?? '';
      await stranger.post('/manage/session/end');
      for (const tossed of ['x', '~', `${made.id}~x.y.z`, ended]) {
        const headers = { cookie: `calends_session=${tossed}; calends_session=${own}` };
        const reply = await host.visitor().get('/manage/appointment', { headers });
        expect([reply.status, heading(reply)], tossed).toEqual([200, 'First consultation']);
      }
    });

    it.each(['Nowhere/Land', 'x'.repeat(2000), 'Europe/Berlin; Path=/', '\r\nSet-Cookie: a=b', ''])(
      'the session keeps no zone that is none: %j',
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
      expect([reply.status, heading(reply)]).toEqual([403, signedOut]);
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
        expect([reply.status, heading(reply)], path).toEqual([403, signedOut]);
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

    it('signing out ends the session of the link on the server, on every device; the link still stands', async () => {
      const made = await host.book();
      const { code } = await host.link(made);
      const [visitor, elsewhere] = [host.visitor(), host.visitor()];
      await enter(visitor, code, 'Europe/Berlin');
      await enter(elsewhere, code);
      const copied = visitor.cookies.get('calends_session') ?? '';
      const reply = await visitor.submit('/manage/session/end');
      expect([reply.status, heading(reply)]).toEqual([200, signedOut]);
      expect([...visitor.cookies.keys()]).toEqual(['calends_ended']);
      expect(await visitor.get('/manage/ended')).toMatchObject({ status: 200, text: reply.text });
      expect((await visitor.get('/manage/appointment')).status).toBe(303);
      const ended = await elsewhere.get('/manage/appointment');
      expect([ended.status, heading(ended), ended.text.includes('link is not valid')]).toEqual([403, signedOut, false]);

      const thief = host.visitor();
      thief.cookies.set('calends_session', copied);
      expect((await thief.get('/manage/appointment')).status).toBe(403);
      const caller = host.scheduling.customers.verifyCustomerToken(copied.split('~')[1] ?? '');
      const asCustomer = async (): Promise<unknown> => caller && host.scheduling.appointments.get(caller, made.id);
      await expect(asCustomer()).rejects.toMatchObject({ code: 'stale_ticket' });

      const again = host.visitor();
      expect((await enter(again, code)).status).toBe(303);
      expect((await again.get('/manage/appointment')).status).toBe(200);
      // What ended before ends nothing that began since.
      thief.cookies.set('calends_session', copied);
      await thief.post('/manage/session/end');
      expect((await again.get('/manage/appointment')).status).toBe(200);
    });

    it('the page that says how a visit ended is shown to nobody whose visit has not', async () => {
      for (const value of ['', 'x', 'moved~en', '~', '__proto__~en']) {
        const visitor = host.visitor();
        visitor.cookies.set('calends_ended', value);
        const reply = await visitor.get('/manage/ended');
        expect([reply.status, reply.headers['location']]).toEqual([303, '/manage/']);
      }
    });

    it('a token that the host itself made of a link lasts as long as the link', async () => {
      const made = await host.book();
      const link = await host.link(made);
      const visitor = host.visitor();
      await enter(visitor, link.code);
      await visitor.post('/manage/session/end');
      const manage = { ticketId: link.ticketId, token: link.customerManageToken };
      const caller = { id: customerOf(made), organizationId: 'org-1', roles: ['ROLE_CUSTOMER'], manage } as const;
      expect((await host.scheduling.appointments.get(caller, made.id)).id).toBe(made.id);
    });
  });
}

/** What a visitor can tell one answer from another by, but for the time. */
function answerOf({ status, headers, setCookies, text }: Reply): string {
  const { date: _date, ...others } = headers;
  return JSON.stringify([status, others, setCookies, text]);
}
