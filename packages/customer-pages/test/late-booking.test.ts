import { StoreError, wrapStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { type BookingHost, hold, withBookingHost, withCode } from './booking-host.js';
import { minute, supervisor } from './pages-host.js';
import { heading, type Visitor } from './visitor.js';

const booked = [200, 'Your appointment is booked'];

const count = async ({ scheduling }: BookingHost): Promise<number> =>
  (await scheduling.appointments.list(supervisor, {})).items.length;

describe('A booking whose time is held no more', () => {
  it.each<readonly [string, (host: BookingHost, visitor: Visitor) => unknown]>([
    ['whose hold has ended', (host) => host.advance(5 * minute)],
    ['whose place another tab has taken', (_host, visitor) => hold(visitor, { start: '2030-05-07T07:00:00Z' })],
  ])('%s is told as booked each time that its form is sent, also at once', async (_name, lose) => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor);
      await lose(host, visitor);
      const replies = await Promise.all(Array.from({ length: 4 }, () => visitor.submit(`${path}/code`, form)));
      expect(replies.map((reply) => [reply.status, heading(reply)])).toEqual(Array(4).fill(booked));
      expect(await count(host)).toBe(1);
    });
  });

  it('is told as booked where its answer was lost and the form is sent again', async () => {
    let isLosing = false;
    const store = wrapStore(memoryStore(), (name, call) => async (...given) => {
      const answer = await call(...given);
      if (isLosing && name === 'commit') throw new StoreError('unavailable', 'The connection was lost.');
      return answer;
    });
    await withBookingHost(
      async (host) => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        host.advance(5 * minute);
        isLosing = true;
        expect((await visitor.submit(`${path}/code`, form)).status).toBe(503);
        isLosing = false;
        const again = await visitor.submit(`${path}/code`, form);
        expect([again.status, heading(again), await count(host)]).toEqual([...booked, 1]);
      },
      { scheduling: { store } },
    );
  });

  it('is told as booked to a browser without cookies, and with another name that the first one counts', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor);
      host.advance(5 * minute);
      const send = async (more: Readonly<Record<string, string>> = {}) => {
        visitor.cookies.clear();
        const reply = await visitor.post(`${path}/code`, { ...form, ...more });
        return [reply.status, heading(reply)];
      };
      expect([await send(), await send(), await send({ firstName: 'Augusta' })]).toEqual([
        booked,
        booked,
        [409, 'That did not work'],
      ]);
    });
  });
});
