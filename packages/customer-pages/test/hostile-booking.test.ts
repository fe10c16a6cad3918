import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookingHost, checkUp, halfPastNine, hold, startBookingHost } from './booking-host.js';
import { type Installation, majors } from './majors.js';
import { supervisor } from './pages-host.js';
import { guards } from './security-headers.js';
import { heading, type Reply, type Sent } from './visitor.js';

const bookingPages = ['/book', '/book/times', '/book/x/details', '/book/x/code', '/book/x/booked', '/assets/zone.js'];
const bookingForms = ['/book/hold', '/book/x/again', '/book/x/details', '/book/x/code'];

for (const [major, install] of majors) {
  describe(`Hostile requests to the booking pages in ${major}`, () => {
    const hostile = '"></textarea><script>alert(1)</script>';
    const asked = { service: 'check-up', duration: 'PT30M', start: halfPastNine };
    let on: Installation;
    let host: BookingHost;
    beforeAll(async () => {
      on = install();
      host = await startBookingHost({ on, services: { 'check-up': { ...checkUp, title: hostile }, other: checkUp } });
    });
    afterAll(async () => {
      await host.close();
      on.remove();
    });

    /** Whether the time of {@link asked} can be had. */
    const isFree = async (): Promise<boolean> => {
      const question = { applicationId: 'app-1', serviceId: 'check-up', start: halfPastNine, duration: 'PT30M' };
      return (await host.scheduling.availability.explain(supervisor, question)).free;
    };

    it('every answer of the booking pages carries the security headers, whatever was asked', async () => {
      const visitor = host.visitor();
      const replies: Reply[] = [];
      for (const path of [...bookingPages, '/book/nowhere', '/book/%']) {
        for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT'])
          replies.push(await visitor.send(method, `/manage${path}`));
      }
      for (const path of bookingForms) {
        replies.push(await visitor.post(`/manage${path}`));
        replies.push(await visitor.post(`/manage${path}`, {}, { headers: { 'sec-fetch-site': 'cross-site' } }));
        replies.push(await visitor.post(`/manage${path}`, { x: 'x'.repeat(20_000) }));
      }
      for (const { status, headers } of replies) {
        expect(status).toBeLessThan(500);
        expect(headers).toMatchObject(guards);
        expect(headers).not.toHaveProperty('x-powered-by');
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
      const cached = replies.filter(({ headers }) => headers['cache-control'] !== 'no-store');
      // The script, by GET and by HEAD.
      expect(cached.map(({ headers }) => headers['cache-control'])).toEqual(Array(2).fill('public, max-age=3600'));
    });

    it('GET of the booking pages holds and books nothing, with any query and any method in disguise', async () => {
      const visitor = host.visitor();
      const query = `?_method=POST&${new URLSearchParams({ ...asked, code: '123456' }).toString()}`;
      const headers = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' };
      for (const path of [...bookingPages, ...bookingForms]) {
        for (const method of ['GET', 'HEAD']) await visitor.send(method, `/manage${path}${query}`, { headers });
      }
      expect(await isFree()).toBe(true);
    });

    it.each<readonly [string, Sent]>([
      ['another site', { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }],
      ['a neighbour', { headers: { 'sec-fetch-site': 'same-site' } }],
      ['an Origin alone', { headers: { origin: 'https://evil.example' } }],
    ])('the forms of the booking pages are refused from elsewhere and change nothing: %s', async (_name, foreign) => {
      for (const path of bookingForms) {
        const reply = await host.visitor().post(`/manage${path}`, asked, foreign);
        expect([path, reply.status, reply.setCookies]).toEqual([path, 403, []]);
      }
      expect(await isFree()).toBe(true);
    });

    it.each<readonly [string, Sent]>([
      ['a megabyte', { raw: `start=${'x'.repeat(1_000_000)}` }],
      ['1,000 fields', { raw: Array.from({ length: 1000 }, (_, at) => `f${String(at)}=1`).join('&') }],
      ['gzip that is none', { raw: 'start=x', headers: { 'content-encoding': 'gzip' } }],
      [
        'an unknown charset',
        { raw: 'start=x', headers: { 'content-type': 'application/x-www-form-urlencoded; charset=x' } },
      ],
    ])('a booking form that cannot be read is told so: %s', async (_name, sent) => {
      for (const path of bookingForms) {
        const reply = await host.visitor().send('POST', `/manage${path}`, sent);
        expect([path, reply.status, heading(reply)]).toEqual([path, 400, 'That did not work']);
      }
    });

    it.each<readonly [string, Sent]>([
      ['nothing', {}],
      ['JSON', { raw: JSON.stringify(asked), headers: { 'content-type': 'application/json' } }],
      ['no form', { raw: '&&&===%%%&%zz=%' }],
      ['bytes', { raw: Buffer.from([0, 255, 254, 61, 38, 128]) }],
      ['a field with brackets', { raw: 'start[a]=1&service[]=check-up' }],
      ['names of prototypes', { raw: '__proto__=1&service=constructor&duration=toString&start=valueOf' }],
    ])('a booking form that names no time holds and books nothing: %s', async (_name, sent) => {
      for (const path of bookingForms) {
        const reply = await host.visitor().send('POST', `/manage${path}`, sent);
        expect([path, reply.status < 500, reply.text.includes('<script>alert')]).toEqual([path, true, false]);
      }
      expect(await isFree()).toBe(true);
    });

    it('what is named in the address of the booking pages, and the title of a service, are text', async () => {
      const visitor = host.visitor();
      const names = ['service', 'duration', 'start', 'from', 'zone', 'timezone', 'page', 'refused'];
      const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, hostile]))).toString();
      const replies = [
        await visitor.get('/manage/book'),
        await visitor.get('/manage/book/times?service=check-up&duration=PT30M'),
        await visitor.get(`/manage/book/times?${query}`),
        await visitor.get(`/manage/book/x/details?${query}`),
        await hold(visitor, { service: hostile, duration: hostile, start: hostile }),
      ];
      for (const { status, text } of replies) {
        expect(status).toBeLessThan(500);
        expect(text).not.toContain('<script>alert');
        expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/);
      }
      expect(replies[0]?.text).toContain('&lt;script&gt;alert(1)');
    });
  });
}
