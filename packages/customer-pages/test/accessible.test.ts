import { describe, expect, it } from 'vitest';
import { ada, hold, pathOf, withBookingHost, withCode } from './booking-host.js';
import { startHost } from './pages-host.js';
import { fieldsOf, noticeOf, type Reply } from './visitor.js';

/** The tags of a page that have the focus when it is shown. */
const focused = ({ text }: Reply): readonly string[] =>
  Array.from(text.matchAll(/<[^<>]*\sautofocus\b[^<>]*>/g), ([tag]) => tag);

/** The names of the fields that are marked as wrong. */
const wrongIn = ({ text }: Reply): readonly string[] =>
  Array.from(
    text.matchAll(/<(?:input|textarea)[^>]*aria-invalid="true"[^>]*>/g),
    ([tag]) => /\bname="([^"]*)"/.exec(tag)?.[1] ?? '',
  );

const problem = /^<div class="notice problem" role="alert" id="problem" tabindex="-1" autofocus>$/;

describe('Whoever does not see the page', () => {
  it('begins with what was refused in a booking, and finds the field that it is about', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const details = await hold(visitor);
      expect(focused(details)).toEqual([]);
      const path = pathOf(details);
      const refused = await visitor.submit(`${path}/details`, { ...fieldsOf(details), ...ada, email: 'none' });
      expect([focused(refused), wrongIn(refused)]).toEqual([[expect.stringMatching(problem)], ['email']]);
      const code = await visitor.submit(`${path}/details`, { ...fieldsOf(details), ...ada });
      expect([focused(code), wrongIn(code)]).toEqual([[], []]);
      const wrong = await visitor.submit(`${path}/code`, { ...fieldsOf(code), code: 'none' });
      expect([focused(wrong), wrongIn(wrong)]).toEqual([[expect.stringMatching(problem)], ['code']]);
    });
  });

  it('has one focus where two things are told: what was refused', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor);
      host.advance(5 * 60_000);
      const wrong = await visitor.submit(`${path}/code`, { ...form, code: 'none' });
      expect(wrong.text).toContain('The time is not held for you any more.');
      expect(focused(wrong)).toEqual([expect.stringMatching(problem)]);
    });
  });

  it('hears of each list of times on which day they are', async () => {
    await withBookingHost(async (host) => {
      const { text } = await host.visitor().get('/manage/book/times?service=check-up&duration=PT30M');
      const days = Array.from(text.matchAll(/<h2>([^<]*day[^<]*)<\/h2>/g), ([, day]) => day);
      expect(Array.from(text.matchAll(/<ul class="clocks" aria-label="([^"]*)">/g), ([, day]) => day)).toEqual(days);
      expect(days).toContain('Tuesday 7 May');
    });
  });

  it('begins with what was refused of a change, and finds the fields that it is about', async () => {
    const host = await startHost();
    try {
      const visitor = await host.arrived(await host.book());
      const send = async (way: string, more: Readonly<Record<string, string>>): Promise<Reply> => {
        const address = `/manage/appointment/${way}`;
        return visitor.submit(address, { ...fieldsOf(await visitor.get(address)), ...more });
      };
      const replies = [
        await send('reschedule', { date: '' }),
        await send('reschedule', { date: '2030-05-01' }),
        await send('cancel', { reason: 'x'.repeat(1001) }),
        await send('cancel', { reason: 'Ill', version: 'none' }),
      ];
      expect(replies.map(wrongIn)).toEqual([['date', 'time'], ['date', 'time'], ['reason'], []]);
      expect(replies.flatMap(focused)).toEqual(Array(4).fill(expect.stringMatching(problem)));
    } finally {
      await host.close();
    }
  });

  it('finds the way back to the code from a page that says that it does not hold', async () => {
    const host = await startHost();
    try {
      const reply = await host.visitor().post('/manage/session', { code: 'mistyped' });
      expect([reply.status, reply.text.includes('<a href="/manage/">Back</a>')]).toEqual([403, true]);
    } finally {
      await host.close();
    }
  });
});

describe('Whoever has chosen a time in a later week', () => {
  const later = '2030-05-21T06:30:00Z';
  const from = '/manage/book/times?service=check-up&duration=PT30M&from=2030-05-21';

  it('comes back to that week for another time', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const details = await hold(visitor, { start: later });
      const again = await visitor.post(`${pathOf(details)}/again`, fieldsOf(details));
      expect(again.headers['location']).toBe(from);
    });
  });

  it('comes back to that week where somebody else has taken the time meanwhile', async () => {
    await withBookingHost(async (host) => {
      const [slow, quick] = [host.visitor(), host.visitor()];
      const { path, form } = await withCode(host, slow, { start: later });
      host.advance(5 * 60_000);
      await hold(quick, { start: later });
      const refused = await slow.post(`${path}/code`, form);
      expect(refused.headers['location']).toBe(`${from}&refused=slotTaken`);
      expect(noticeOf(await slow.get(`${from}&refused=slotTaken`))).toMatch(/That time is not free any more/);
    });
  });
});
