import { type SchedulingStore, StoreError, wrapStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, majors } from './majors.js';
import { enter, type PagesHost, startHost } from './pages-host.js';
import { guards } from './security-headers.js';
import { fieldsOf, heading, type Reply, type Sent, type Visitor } from './visitor.js';

const getPages = ['/', '/appointment', '/appointment.ics', '/appointment/reschedule', '/appointment/cancel', '/ended'];
const assets = ['/assets/pages.css', '/assets/entry.js'];
const forms = ['/session', '/session/end', '/appointment/reschedule', '/appointment/cancel'];

/** A store whose calls fail while there is a fault. */
function failingStore(): { readonly store: SchedulingStore; fault: unknown } {
  const failing: { store: SchedulingStore; fault: unknown } = {
    fault: undefined,
    store: wrapStore(
      memoryStore(),
      (_name, call) =>
        (...given) =>
          failing.fault === undefined
            ? call(...given)
            : // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- hosts may throw anything
              Promise.reject(failing.fault),
    ),
  };
  return failing;
}

for (const [major, install] of majors) {
  describe(`Hostile requests to the customer pages in ${major}`, () => {
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

    it('every answer carries the security headers, whatever was asked', async () => {
      const made = await host.book();
      const [stranger, customer] = [host.visitor(), await host.arrived(made)];
      const replies: Reply[] = [];
      for (const visitor of [stranger, customer]) {
        for (const path of [...getPages, ...assets, '/nowhere', '/%']) {
          for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT'])
            replies.push(await visitor.send(method, `/manage${path}`));
        }
      }
      for (const path of forms) {
        replies.push(await stranger.post(`/manage${path}`));
        replies.push(await stranger.post(`/manage${path}`, {}, { headers: { 'sec-fetch-site': 'cross-site' } }));
        replies.push(await stranger.post(`/manage${path}`, { x: 'x'.repeat(20_000) }));
      }
      for (const { headers } of replies) {
        expect(headers).toMatchObject(guards);
        expect(headers).not.toHaveProperty('x-powered-by');
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
      const cached = replies.filter(({ headers }) => headers['cache-control'] !== 'no-store');
      // The two assets, each by GET and by HEAD, for both visitors.
      expect(cached.map(({ headers }) => headers['cache-control'])).toEqual(Array(8).fill('public, max-age=3600'));
    });

    it('the pages hold neither script nor style of their own', async () => {
      const visitor = await host.arrived(await host.book());
      for (const path of getPages.filter((each) => !each.endsWith('.ics'))) {
        const { text } = await visitor.get(`/manage${path}`);
        expect(text).not.toMatch(
          /<style|\sstyle=|\son[a-z]+=|javascript:|<script(?! src="\/manage\/assets\/entry\.js"><)/,
        );
      }
    });

    it('GET changes nothing, with any query and any method in disguise (CVE-2026-23622)', async () => {
      const made = await host.book();
      const visitor = await host.arrived(made);
      const query = '?_method=POST&reason=x&version=1&date=2030-05-09&time=15:00&cancel=1&confirm=yes';
      const headers = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' };
      for (const path of [...getPages, ...forms]) {
        for (const method of ['GET', 'HEAD']) await visitor.send(method, `/manage${path}${query}`, { headers });
      }
      expect(await host.kept(made)).toEqual(made);
      expect((await visitor.get('/manage/appointment')).status).toBe(200);
    });

    it('a form is not read from the address', async () => {
      const { code } = await host.link(await host.book());
      expect((await host.visitor().post(`/manage/session?code=${code}`)).status).toBe(403);
    });

    it.each(['cross-site', 'same-site', 'none', 'something-new'])(
      'forms are refused from elsewhere (Sec-Fetch-Site: %s), before they are read',
      async (site) => {
        const made = await host.book();
        const visitor = await host.arrived(made);
        const foreign: Sent = { headers: { 'sec-fetch-site': site, origin: 'https://evil.example' } };
        const { code } = await host.link(await host.book());
        const replies = [
          await visitor.post('/manage/appointment/cancel', { reason: 'x' }, foreign),
          await visitor.post(
            '/manage/appointment/reschedule',
            { version: '1', date: '2030-05-09', time: '15:00' },
            foreign,
          ),
          await visitor.post('/manage/session/end', {}, foreign),
          await visitor.post('/manage/session', { code }, foreign),
        ];
        expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
        expect(replies.map(({ setCookies }) => setCookies)).toEqual([[], [], [], []]);
        expect(await host.kept(made)).toEqual(made);
        expect((await visitor.get('/manage/appointment')).status).toBe(200);
      },
    );

    it.each([
      ['https://evil.example', {}],
      ['http://pages.example.evil.example', {}],
      ['https://pages.example', {}],
      ['http://pages.example:8080', {}],
      ['garbled', {}],
      ['https://evil.example', { 'sec-fetch-site': 'same-origin' }],
    ] as const)('forms with the Origin %s are refused, with or without Sec-Fetch-Site', async (origin, more) => {
      const made = await host.book();
      const visitor = await host.arrived(made);
      const { code } = await host.link(await host.book());
      const foreign: Sent = { headers: { origin, ...more } };
      const replies = [
        await visitor.post('/manage/appointment/cancel', { reason: 'x' }, foreign),
        await visitor.post('/manage/session', { code }, foreign),
        await visitor.post('/manage/session/end', {}, foreign),
      ];
      expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(await host.kept(made)).toEqual(made);
      expect((await visitor.get('/manage/appointment')).status).toBe(200);
    });

    it('without a public address the Origin must be the name that was asked', async () => {
      const nameless = await startHost({ on, options: { publicUrl: undefined } });
      try {
        const { code } = await nameless.link(await nameless.book());
        const status = async (origin: string): Promise<number> => {
          const headers = { host: 'clinic.example', origin };
          return (await nameless.visitor().post('/manage/session', { code }, { headers })).status;
        };
        expect(await status('https://clinic.example')).toBe(303);
        expect(await status('https://evil.example')).toBe(403);
      } finally {
        await nameless.close();
      }
    });

    it('forms are taken from our own pages, also in browsers that send no Sec-Fetch-Site', async () => {
      for (const headers of [
        { 'sec-fetch-site': 'same-origin', origin: 'null' },
        { origin: 'http://pages.example' },
        {},
      ]) {
        const { code } = await host.link(await host.book());
        expect((await host.visitor().post('/manage/session', { code }, { headers })).status).toBe(303);
      }
    });

    it.each<readonly [string, Sent]>([
      ['20 kB', { raw: `code=${'x'.repeat(20_000)}` }],
      ['a megabyte', { raw: `code=${'x'.repeat(1_000_000)}` }],
      ['1,000 fields', { raw: Array.from({ length: 1000 }, (_, at) => `f${String(at)}=1`).join('&') }],
      ['gzip that is none', { raw: 'code=x', headers: { 'content-encoding': 'gzip' } }],
      ['an unknown encoding', { raw: 'code=x', headers: { 'content-encoding': 'x' } }],
      [
        'an unknown charset',
        { raw: 'code=x', headers: { 'content-type': 'application/x-www-form-urlencoded; charset=x' } },
      ],
    ])('a body that cannot be read is told so, and nothing is changed: %s', async (_name, sent) => {
      const made = await host.book();
      const visitor = await host.arrived(made);
      for (const path of forms) {
        const reply = await visitor.send('POST', `/manage${path}`, sent);
        expect([path, reply.status, heading(reply)]).toEqual([path, 400, 'That did not work']);
      }
      expect(await host.kept(made)).toEqual(made);
    });

    it.each<readonly [string, Sent]>([
      ['nothing', {}],
      ['an empty form', { raw: '' }],
      ['JSON', { raw: '{"code":"x"}', headers: { 'content-type': 'application/json' } }],
      ['text', { raw: 'code=x', headers: { 'content-type': 'text/plain' } }],
      ['no form', { raw: '&&&===%%%&%zz=%' }],
      ['bytes', { raw: Buffer.from([0, 255, 254, 61, 38, 128]) }],
      ['the field twice', { raw: 'code=a&code=b' }],
      ['a field with brackets', { raw: 'code[a]=1&code[]=2' }],
      ['names of prototypes', { raw: '__proto__=1&constructor=2&toString=3&hasOwnProperty=4' }],
    ])('a body that names no code opens nothing: %s', async (_name, sent) => {
      const reply = await host.visitor().send('POST', '/manage/session', sent);
      expect([reply.status, heading(reply), reply.setCookies.some((cookie) => /session=[^;]/.test(cookie))]).toEqual([
        403,
        'This link is not valid any more',
        false,
      ]);
    });

    it('the pages read forms behind the body parsers of a host, too', async () => {
      const { express } = on;
      const parsers = [
        [express.urlencoded({ extended: true })],
        [express.urlencoded({ extended: false }), express.json()],
        [express.json({ type: () => true, strict: false })],
        [express.text({ type: () => true })],
      ] as const;
      const statuses: number[] = [];
      for (const each of parsers) {
        const behind = await startHost({
          on,
          build: (app, router) => {
            for (const parser of each) app.use(parser);
            app.use('/manage', router);
          },
        });
        statuses.push((await enter(behind.visitor(), (await behind.link(await behind.book())).code)).status);
        await behind.close();
      }
      // A parser that takes a form for JSON or text leaves none; the host's own fault, and harmless.
      expect(statuses).toEqual([303, 303, 400, 403]);
    });

    it.each([
      ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
      ['"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'],
      ["</title></h1>' onfocus='x", '&lt;/title&gt;&lt;/h1&gt;&#39; onfocus=&#39;x'],
      ['&lt;b&gt; & ${1} {{x}}', '&amp;lt;b&amp;gt; &amp; ${1} {{x}}'],
    ])('titles are text everywhere: %s', async (title, escaped) => {
      const visitor = await host.arrived(await host.book({ title }));
      for (const path of ['/appointment', '/appointment/reschedule', '/appointment/cancel']) {
        const { text } = await visitor.get(`/manage${path}`);
        expect(text).toContain(`>${escaped}<`);
        expect(text).not.toContain(title);
      }
    });

    it('what was entered is text, in fields and between tags', async () => {
      const hostile = '"></textarea><script>alert(1)</script>';
      const visitor = await host.arrived(await host.book());
      const { appointment = '' } = fieldsOf(await visitor.get('/manage/appointment/cancel'));
      const moved = await visitor.post('/manage/appointment/reschedule', {
        appointment,
        version: hostile,
        date: hostile,
        time: hostile,
      });
      const cancelled = await visitor.post('/manage/appointment/cancel', { appointment, reason: hostile.repeat(30) });
      expect([moved.status, cancelled.status]).toEqual([400, 400]);
      for (const { text } of [moved, cancelled]) {
        expect(text).not.toContain('<script>alert');
        expect(text).toContain('&quot;&gt;&lt;/textarea&gt;&lt;script&gt;alert(1)');
      }
    });

    it('addresses that are not there get a page of their own, 404', async () => {
      for (const [method, path] of [
        ['GET', '/nowhere'],
        ['GET', '/<script>'],
        ['GET', '/assets/../../package.json'],
        ['GET', '/assets/%2e%2e%2fpackage.json'],
        ['GET', '/session'],
        ['PUT', '/appointment'],
        ['DELETE', '/appointment'],
        ['POST', '/appointment'],
      ] as const) {
        const reply = await host.visitor().send(method, `/manage${path}`);
        expect([path, reply.status, heading(reply)]).toEqual([path, 404, 'There is nothing here']);
      }
    });

    it.each<readonly [string, unknown, number]>([
      ['a store that does not answer', new StoreError('unavailable', 'host=db password=hunter2'), 503],
      ['contention', new StoreError('contention', 'hunter2'), 503],
      ['a fault of the store', new StoreError('unexpected', 'hunter2'), 500],
      ['a defect', new TypeError('hunter2'), 500],
      ['something thrown that is no error', 'hunter2', 500],
    ])('%s is told without its reason, and to the host', async (_name, fault, status) => {
      const failing = failingStore();
      const told: unknown[] = [];
      const ill = await startHost({
        on,
        scheduling: { store: failing.store },
        options: { onFault: (each) => void told.push(each) },
      });
      const made = await ill.book();
      const { code } = await ill.link(made);
      const visitor: Visitor = ill.visitor();
      await enter(visitor, code);
      failing.fault = fault;
      const replies = [await visitor.get('/manage/appointment'), await enter(ill.visitor(), code)];
      failing.fault = undefined;
      expect(replies.map((reply) => [reply.status, heading(reply)])).toEqual(
        Array(2).fill([status, 'Please try again in a moment']),
      );
      expect(replies.some(({ text }) => text.includes('hunter2'))).toBe(false);
      expect(told).toHaveLength(2);
      // The session outlives it.
      expect((await visitor.get('/manage/appointment')).status).toBe(200);
      await ill.close();
    });

    it('a hook of the host that throws takes no answer away', async () => {
      const failing = failingStore();
      const onFault = (): never => {
        throw new Error('the hook is broken');
      };
      const ill = await startHost({ on, scheduling: { store: failing.store }, options: { onFault } });
      const { code } = await ill.link(await ill.book());
      failing.fault = new TypeError('x');
      expect((await enter(ill.visitor(), code)).status).toBe(500);
      failing.fault = undefined;
      await ill.close();
    });
  });
}
