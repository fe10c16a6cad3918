import { describe, expect, it } from 'vitest';
import { type BookingHost, pathOf, withBookingHost, withCode } from './booking-host.js';
import { minute } from './pages-host.js';
import { fieldsOf, heading, noticeOf, type Reply, titleOf, type Visitor } from './visitor.js';

const second = 1000;
const tooSoon = 'A code was sent a moment ago. You can ask for another one after a minute.';
const asked = 'Another code was asked for. Only the latest code that comes is valid.';

describe('Asking for another code', () => {
  /** The way up to the code, and the press on the button under it. */
  async function withButton(
    host: BookingHost,
    use: (
      visitor: Visitor,
      again: (more?: Readonly<Record<string, string>>) => Promise<Reply>,
      path: string,
    ) => Promise<void>,
  ): Promise<void> {
    const visitor = host.visitor();
    const { path, form } = await withCode(host, visitor);
    const { code: _code, ...carried } = form;
    await use(visitor, (more = {}) => visitor.submit(`${path}/details`, { ...carried, ...more }), path);
  }

  /** The notice under the one that tells until when the time is held. */
  const toldBy = (reply: Reply): string | undefined => {
    const notice = noticeOf(reply);
    return notice?.startsWith('Held for you') === true ? undefined : notice;
  };

  it('within a minute the page says that a code was sent a moment ago, and sends none', async () => {
    await withBookingHost(async (host) => {
      await withButton(host, async (visitor, again, path) => {
        expect(toldBy(await visitor.get(`${path}/code`))).toBeUndefined();
        for (const wait of [0, minute - second]) {
          host.advance(wait);
          const reply = await again();
          expect([reply.status, heading(reply), toldBy(reply)]).toEqual([200, 'Enter the code', tooSoon]);
          expect(titleOf(reply)).toBe(`${tooSoon} Enter the code`);
        }
        expect(await host.sent()).toBe(1);
      });
    });
  });

  it('after a minute another code is sent, the page says so, and that code books', async () => {
    await withBookingHost(async (host) => {
      await withButton(host, async (visitor, again, path) => {
        host.advance(minute);
        const reply = await again();
        expect([reply.status, toldBy(reply), titleOf(reply)]).toEqual([200, asked, `${asked} Enter the code`]);
        expect(await host.sent()).toBe(2);
        // The minute of the second code has begun.
        host.advance(minute - second);
        expect(toldBy(await again())).toBe(tooSoon);
        const booked = await visitor.submit(`${path}/code`, { ...fieldsOf(reply), code: await host.code() });
        expect(heading(booked)).toBe('Your appointment is booked');
      });
    });
  });

  it('the minute is known also after a wrong code, after details that were refused, and in another spelling', async () => {
    await withBookingHost(async (host) => {
      await withButton(host, async (visitor, again, path) => {
        const page = await visitor.get(`${path}/code`);
        expect((await visitor.submit(`${path}/code`, { ...fieldsOf(page), code: 'none' })).status).toBe(403);
        expect((await again({ firstName: '', lastName: '' })).status).toBe(400);
        expect(toldBy(await again({ email: 'ADA@Example.org' }))).toBe(tooSoon);
      });
    });
  });

  it('another address has a minute of its own, and its code is sent at once', async () => {
    await withBookingHost(async (host) => {
      await withButton(host, async (_visitor, again) => {
        expect(toldBy(await again({ email: 'lovelace@example.org' }))).toBeUndefined();
        expect(await host.sent()).toBe(2);
      });
    });
  });

  it('what is told goes by what this browser has asked for, not by who has asked elsewhere', async () => {
    await withBookingHost(async (host) => {
      await withCode(host, host.visitor());
      const other = host.visitor();
      const { path } = await withCode(host, other, { start: '2030-05-07T07:00:00Z' });
      const page = await other.get(`${path}/code`);
      expect([pathOf(page), toldBy(page)]).toEqual([path, undefined]);
      expect(await host.sent()).toBe(1);
    });
  });
});
