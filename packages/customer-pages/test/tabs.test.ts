import { describe, expect, it } from 'vitest';
import { hold, pathOf, start, withBookingHost, withCode } from './booking-host.js';
import { fieldsOf, heading } from './visitor.js';

const ten = '2030-05-07T07:00:00Z';
const isHeld = 'Held for you until';
const isNotHeld = 'The time is not held for you any more.';

describe('Two tabs that book', () => {
  it.each([
    ['has booked it', 'code', 'Your appointment is booked'],
    ['has given it up', 'again', 'Choose a time'],
  ])(
    'the first tab says that its time is held no more, also when the second one, which holds another, %s',
    async (_name, step, shown) => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const first = pathOf(await hold(visitor));
        const second = await withCode(host, visitor, { start: ten });
        expect(heading(await visitor.submit(`${second.path}/${step}`, second.form))).toBe(shown);
        const { text } = await visitor.get(`${first}/details`);
        expect(text).toContain(isNotHeld);
        expect(text).not.toContain(isHeld);
      });
    },
  );

  it('a tab whose time was taken over holds it again after another choice of the same time', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      await hold(visitor);
      await hold(visitor, { start: ten });
      const again = await hold(visitor);
      expect(again.text).toContain(isHeld);
      expect((await visitor.get(`${pathOf(again)}/details`)).text).toContain(isHeld);
    });
  });

  it('a choice that is refused takes nothing from the tab that holds', async () => {
    await withBookingHost(async (host) => {
      await hold(host.visitor(), { start: ten });
      const visitor = host.visitor();
      const first = pathOf(await hold(visitor));
      expect(heading(await hold(visitor, { start: ten }))).toBe('Choose a time');
      const details = await visitor.get(`${first}/details`);
      expect(details.text).toContain(isHeld);
      expect(fieldsOf(details)['held']).not.toBe('');
    });
  });

  it.each(['\ud800.x', '../../x; Path=/.x', ''])(
    'a cookie that names no time stands in no way of a choice: %j',
    async (token) => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const held = JSON.stringify([token, 'check-up', start, 'PT30M', start, '']);
        visitor.cookies.set('calends_booking', Buffer.from(held).toString('base64url'));
        expect(heading(await hold(visitor))).toBe('Who is coming?');
        expect([...visitor.cookies.keys()].map((key) => key.split(' ')[0])).toEqual([
          'calends_booking',
          'calends_booking_step',
        ]);
      });
    },
  );
});
