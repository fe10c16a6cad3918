import { describe, expect, it } from 'vitest';
import {
  ada,
  type BookingHost,
  checkUp,
  halfPastNine,
  hold,
  pathOf,
  start,
  withBookingHost,
  withCode,
} from './booking-host.js';
import { minute, supervisor } from './pages-host.js';
import { fieldsOf, heading, noticeOf, type Reply, type Visitor } from './visitor.js';

const eight = '2030-05-07T07:00:00Z';

/** How a page is answered: its status, where it leads, and what stands over it. */
const answerOf = (reply: Reply) => [reply.status, reply.headers['location'] ?? heading(reply)];

/** How a page is answered of which the browser keeps nothing. */
const notKept = [404, 'That did not work'];

describe('The pages of one booking', () => {
  const starts = async ({ scheduling }: BookingHost) =>
    (await scheduling.appointments.list(supervisor, {})).items.map(({ schedule }) => schedule.start);
  const wrong = ({ code = '' }: Readonly<Record<string, string>>) => (code === '000000' ? '1' : '000000');

  it('every form leads to a page with an address of its own, whether it is taken or refused', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const asked = { service: 'check-up', duration: 'PT30M', start: halfPastNine };
      const held = await visitor.post('/manage/book/hold', asked);
      expect(held.headers['location']).toMatch(/^\/manage\/book\/[\w-]+\/details$/);
      const path = (held.headers['location'] ?? '').replace('/details', '');
      const form = { ...fieldsOf(await visitor.get(`${path}/details`)), ...ada };
      const led: (readonly [Reply, string, number])[] = [
        [await visitor.post(`${path}/details`, { ...form, email: 'none' }), `${path}/details`, 400],
        [await visitor.post(`${path}/details`, form), `${path}/code`, 200],
      ];
      const code = await host.code();
      led.push([await visitor.post(`${path}/code`, { ...form, code: wrong({ code }) }), `${path}/code`, 403]);
      for (const [reply, address] of led) expect(answerOf(reply)).toEqual([303, address]);
      expect(answerOf(await visitor.get(`${path}/code`))).toEqual([403, 'Enter the code']);
      expect(answerOf(await visitor.post(`${path}/code`, { ...form, code }))).toEqual([303, `${path}/booked`]);
      expect(answerOf(await visitor.get(`${path}/booked`))).toEqual([200, 'Your appointment is booked']);
      const other = host.visitor();
      const refused = await other.post('/manage/book/hold', asked);
      const times = '/manage/book/times?service=check-up&duration=PT30M&refused=slotTaken';
      expect(answerOf(refused)).toEqual([303, times]);
      const again = await other.get(times);
      expect([...answerOf(again), noticeOf(again)]).toEqual([
        409,
        'Choose a time',
        'That did not work: That time is not free any more. Please choose another one.',
      ]);
    });
  });

  it('a page that is loaded again shows the same, sends no code and books nothing', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor);
      const twice = async (address: string): Promise<Reply> => {
        const [first, second] = [await visitor.get(address), await visitor.get(address)];
        expect(second).toMatchObject({ status: first.status, text: first.text });
        return second;
      };
      const asked = await twice(`${path}/code`);
      expect(asked.text).toContain('<strong dir="ltr">ada@example.org</strong>');
      await visitor.post(`${path}/code`, { ...form, code: wrong(form) });
      expect(noticeOf(await twice(`${path}/code`))).toMatch(/The code is not right/);
      expect([await host.sent(), await starts(host)]).toEqual([1, []]);
      await visitor.post(`${path}/code`, form);
      await twice(`${path}/booked`);
      expect(await starts(host)).toEqual([start]);
    });
  });

  it('no code is asked for that was not sent, and nothing is confirmed that is not booked', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const path = pathOf(await hold(visitor));
      for (const page of ['code', 'booked']) {
        expect(answerOf(await visitor.get(`${path}/${page}`))).toEqual([303, `${path}/details`]);
      }
      const refused = await visitor.submit(`${path}/details`, { ...fieldsOf(await visitor.get(`${path}/details`)) });
      expect(answerOf(refused)).toEqual([400, 'Who is coming?']);
      expect(answerOf(await visitor.get(`${path}/code`))).toEqual([303, `${path}/details`]);
      expect(await host.sent()).toBe(0);
    });
  });

  it('the page that asks for the code leads to who comes, where the browser has kept that', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor);
      const link = `<a class="button plain" href="${path}/details">Change what you have entered</a>`;
      expect((await visitor.get(`${path}/code`)).text).toContain(link);
      visitor.cookies.clear();
      const asked = await visitor.post(`${path}/details`, form);
      expect([heading(asked), asked.text.includes(link)]).toEqual(['Enter the code', false]);
    });
  });

  it('the way back from the code shows who comes as it was entered, and another address gets a code of its own', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path } = await withCode(host, visitor);
      const details = await visitor.get(`${path}/details`);
      expect([...answerOf(details), noticeOf(details)?.slice(0, 8)]).toEqual([200, 'Who is coming?', 'Held for']);
      expect(fieldsOf(details)).toMatchObject(ada);
      const form = { ...fieldsOf(details), email: 'lovelace@example.org' };
      const asked = await visitor.submit(`${path}/details`, form);
      expect(asked.text).toContain('<strong dir="ltr">lovelace@example.org</strong>');
      const booked = await visitor.submit(`${path}/code`, { ...fieldsOf(asked), code: await host.code() });
      expect(heading(booked)).toBe('Your appointment is booked');
    });
  });

  it('after the booking every way back leads to the confirmation, which says nothing of the customer and ends after ten minutes', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor, { zone: 'Europe/Berlin' });
      const booked = await visitor.submit(`${path}/code`, form);
      for (const page of ['details', 'code']) {
        expect(answerOf(await visitor.get(`${path}/${page}`))).toEqual([303, `${path}/booked`]);
      }
      const { code: _code, ...details } = form;
      const sent = await host.sent();
      expect(answerOf(await visitor.post(`${path}/details`, details))).toEqual([303, `${path}/booked`]);
      expect([await host.sent(), await starts(host)]).toEqual([sent, [start]]);
      const shown = await visitor.get(`${path}/booked`);
      expect(shown.text).toBe(booked.text);
      for (const said of ['9:30 – 10:00', '8:30 – 9:00', 'Room 4', 'You will get a message']) {
        expect(shown.text).toContain(said);
      }
      expect(shown.text).not.toMatch(/Ada|Lovelace|ada@example\.org|<form/);
      host.advance(10 * minute);
      expect(answerOf(await visitor.get(`${path}/booked`))).toEqual([303, '/manage/book']);
      expect(answerOf(await host.visitor().get(`${path}/booked`))).toEqual([303, '/manage/book']);
    });
  });

  it('no form that is sent after the booking takes the confirmation away: another code, none, or when the hold is over', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor);
      await visitor.post(`${path}/code`, form);
      for (const late of [0, 6 * minute]) {
        host.advance(late);
        for (const code of [wrong(form), '', form['code'] ?? '']) {
          expect(answerOf(await visitor.post(`${path}/code`, { ...form, code }))).toEqual([303, `${path}/booked`]);
        }
        expect(heading(await visitor.get(`${path}/booked`))).toBe('Your appointment is booked');
      }
      expect(await starts(host)).toEqual([start]);
    });
  });

  it('a browser without cookies sees what it has booked also when it sends the form after the end of the hold', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { path, form } = await withCode(host, visitor);
      for (const late of [0, 6 * minute]) {
        host.advance(late);
        visitor.cookies.clear();
        expect(answerOf(await visitor.post(`${path}/code`, form))).toEqual([200, 'Your appointment is booked']);
      }
      expect(await starts(host)).toEqual([start]);
    });
  });

  describe('of a service that is not offered any more', () => {
    const service = { applicationId: 'app-1', serviceId: 'visit' };
    /** The service stands in the store, so that it can be archived. */
    const withService = (use: (host: BookingHost, archive: () => Promise<unknown>) => Promise<void>) =>
      withBookingHost(
        async (host) => {
          const { services } = host.scheduling.availability;
          await services.save(supervisor, { ...service, rules: checkUp });
          await use(host, () => services.archive(supervisor, service));
        },
        { services: {} },
      );

    it('of a service that is not offered any more a form and a page lead to what is offered', async () => {
      await withService(async (host, archive) => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor, { service: 'visit' });
        await archive();
        const times = '/manage/book/times?service=visit&duration=PT30M&refused=notOffered';
        for (const reply of [
          await visitor.post(`${path}/details`, form),
          await visitor.post(`${path}/code`, form),
          await visitor.get(`${path}/details`),
          await visitor.get(`${path}/code`),
        ]) {
          expect(answerOf(reply)).toEqual([303, times]);
        }
        const offered = await visitor.get(times);
        expect([...answerOf(offered), noticeOf(offered)]).toEqual([
          404,
          'Book an appointment',
          'That did not work: That is not offered any more. Please choose again.',
        ]);
        expect(await starts(host)).toEqual([]);
      });
    });

    it('of a service that is not offered any more what was booked stays booked, whatever is sent', async () => {
      await withService(async (host, archive) => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor, { service: 'visit' });
        await visitor.post(`${path}/code`, form);
        await archive();
        for (const page of ['details', 'code']) {
          expect(answerOf(await visitor.post(`${path}/${page}`, form))).toEqual([303, `${path}/booked`]);
        }
        expect(answerOf(await visitor.get(`${path}/booked`))).toEqual([200, 'Your appointment is booked']);
      });
    });
  });

  it('two tabs show each its own time, before and after one of them is booked', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const first = await withCode(host, visitor);
      const second = await hold(visitor, { start: eight });
      const path = pathOf(second);
      const shownAt = async (address: string) => /class="clock">([^<]*)/.exec((await visitor.get(address)).text)?.[1];
      expect(await shownAt(`${first.path}/code`)).toBe('9:30 – 10:00');
      expect(await shownAt(`${path}/details`)).toBe('10:00 – 10:30');
      expect(fieldsOf(await visitor.get(`${path}/details`))).toMatchObject({ firstName: '', email: '' });
      expect(heading(await visitor.submit(`${first.path}/code`, first.form))).toBe('Your appointment is booked');
      expect(await shownAt(`${path}/details`)).toBe('10:00 – 10:30');
      expect(await shownAt(`${first.path}/booked`)).toBe('9:30 – 10:00');
      expect(await starts(host)).toEqual([start]);
      // The time of the second tab is still the one that another choice takes the place of.
      await hold(visitor, { start: '2030-05-07T06:00:00Z' });
      expect(heading(await hold(host.visitor(), { start: eight }))).toBe('Who is coming?');
    });
  });

  it('a time that another choice in the browser has taken the place of is said to be held no more', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const first = pathOf(await hold(visitor));
      expect((await visitor.get(`${first}/details`)).text).toContain('Held for you until');
      const second = pathOf(await hold(visitor, { start: eight }));
      const [earlier, later] = [await visitor.get(`${first}/details`), await visitor.get(`${second}/details`)];
      expect(earlier.text).not.toContain('Held for you until');
      expect(earlier.text).toContain('The time is not held for you any more.');
      expect(later.text).toContain('Held for you until');
    });
  });

  it('a form of one time books nothing under the address of another one', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const { form } = await withCode(host, visitor);
      const path = pathOf(await hold(visitor, { start: eight }));
      expect(answerOf(await visitor.post(`${path}/code`, form))).toEqual([303, '/manage/book']);
      expect(await starts(host)).toEqual([]);
    });
  });

  it('a form of one time gives up nothing under the address of another one, or of none', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const details = await hold(visitor);
      const { held = '' } = fieldsOf(details);
      const [, ...others] = JSON.parse(Buffer.from(held, 'base64url').toString()) as readonly unknown[];
      const unpaired = Buffer.from(JSON.stringify(['\ud800.x', ...others])).toString('base64url');
      for (const form of [{ held }, { held: unpaired }, { held: 'none' }]) {
        const reply = await visitor.post('/manage/book/another/again', form);
        expect([...answerOf(reply), reply.setCookies]).toEqual([303, '/manage/book', []]);
      }
      const reload = await visitor.get(`${pathOf(details)}/details`);
      expect(noticeOf(reload)).toMatch(/^Held for you/);
      const taken = await hold(host.visitor());
      expect(heading(taken)).toBe('Choose a time');
    });
  });

  it('a browser that keeps no cookie gets each page as the answer to its form, and can book', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const details = await hold(visitor);
      const path = pathOf(details);
      const post = (step: string, form: Readonly<Record<string, string>>): Promise<Reply> => {
        visitor.cookies.clear();
        return visitor.post(`${path}/${step}`, form);
      };
      const form = { ...fieldsOf(details), ...ada };
      const refused = await post('details', { ...form, email: 'none' });
      expect([...answerOf(refused), fieldsOf(refused)['email']]).toEqual([400, 'Who is coming?', 'none']);
      const asked = await post('details', { ...fieldsOf(refused), email: ada.email });
      expect(answerOf(asked)).toEqual([200, 'Enter the code']);
      const code = await host.code();
      const again = await post('code', { ...fieldsOf(asked), code: wrong({ code }) });
      expect(answerOf(again)).toEqual([403, 'Enter the code']);
      const booked = await post('code', { ...fieldsOf(again), code });
      expect(answerOf(booked)).toEqual([200, 'Your appointment is booked']);
      expect(booked.setCookies).toEqual([]);
      expect(await starts(host)).toEqual([start]);
    });
  });

  describe('What the browser keeps of a booking', () => {
    const keptBy = ({ cookies }: Visitor): readonly string[] =>
      [...cookies].filter(([key]) => key.includes(' ')).map(([, value]) => value);

    it('what the browser keeps goes to the pages of the booking only, to no script and no other site, for half an hour', async () => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const details = await hold(visitor);
        const path = pathOf(details);
        const { setCookies } = await visitor.post(`${path}/details`, { ...fieldsOf(details), ...ada });
        expect(setCookies.map((each) => each.replace(/=[^;]*/, '=…'))).toEqual([
          `calends_booking_step=…; Path=${path}; Expires=Mon, 06 May 2030 08:30:00 GMT; HttpOnly; SameSite=Strict`,
        ]);
        host.advance(30 * minute);
        expect(answerOf(await visitor.get(`${path}/details`))).toEqual(notKept);
      });
    });

    it('a browser that takes no cookies is told so once it has chosen a time', async () => {
      await withBookingHost(async (host) => {
        const asked = { service: 'check-up', duration: 'PT30M', start: halfPastNine };
        const { headers } = await host.visitor().post('/manage/book/hold', asked);
        const told = await host.visitor().get(String(headers['location']));
        expect(answerOf(told)).toEqual(notKept);
        expect(told.text).toContain('your browser takes no cookies');
        expect(told.text).toContain('href="/manage/book"');
      });
    });

    it('what the browser keeps is sealed, and opens in no other booking', async () => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const { path } = await withCode(host, visitor);
        const [sealed = ''] = keptBy(visitor);
        for (const text of [sealed, Buffer.from(sealed, 'base64url').toString('latin1')]) {
          expect(text).not.toMatch(/Ada|Lovelace|ada@example/);
        }
        const other = pathOf(await hold(visitor, { start: eight }));
        visitor.cookies.set(`calends_booking_step ${other}`, sealed);
        expect(answerOf(await visitor.get(`${other}/code`))).toEqual(notKept);
        visitor.cookies.set(`calends_booking_step ${path}`, `${sealed.slice(0, -4)}AAAA`);
        expect(answerOf(await visitor.get(`${path}/code`))).toEqual(notKept);
      });
    });

    it('what the browser keeps ends with the booking, but for what the confirmation says', async () => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        await visitor.post(`${path}/code`, form);
        expect([...visitor.cookies.keys()]).toEqual([`calends_booking_step ${path}`]);
        const [sealed = ''] = keptBy(visitor);
        const { id } = (await host.scheduling.appointments.list(supervisor, {})).items[0] ?? {};
        const said = host.scheduling.sealing.open(sealed, `booking page 1 ${path.split('/').at(-1) ?? ''}`);
        expect(said).toContain('Check-up');
        expect(said).not.toMatch(/Ada|Lovelace|example\.org/);
        expect(said).not.toContain(id);
      });
    });

    it('what the browser keeps ends when the time is given up', async () => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        await visitor.post(`${path}/again`, form);
        expect([...visitor.cookies.keys()]).toEqual([]);
      });
    });

    it.each([
      ['Latin letters', 'x'],
      ['Greek letters', 'ώ'],
      ['Chinese letters', '愛'],
      ['quotation marks', '"'],
    ])('the longest names and addresses have room in a cookie, in %s', async (_name, letter) => {
      const service = { ...checkUp, title: letter.repeat(200) };
      await withBookingHost(
        async (host) => {
          const visitor = host.visitor();
          const details = await hold(visitor, { service: 's'.repeat(64) });
          const path = pathOf(details);
          const name = letter.repeat(100);
          const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`;
          const entered = { firstName: name, lastName: name, email, phone: '+123456789012345' };
          const taken = await visitor.post(`${path}/details`, { ...fieldsOf(details), ...entered });
          expect(answerOf(taken)).toEqual([303, `${path}/code`]);
          expect(Math.max(...taken.setCookies.map((each) => each.length))).toBeLessThan(4096);
          expect(heading(await visitor.get(`${path}/code`))).toBe('Enter the code');
        },
        { services: { ['s'.repeat(64)]: service } },
      );
    });

    it('what has no room in a cookie is asked for again at once, with all that was entered', async () => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const details = await hold(visitor);
        const name = '愛'.repeat(1000);
        const form = { ...fieldsOf(details), ...ada, firstName: name };
        const reply = await visitor.post(`${pathOf(details)}/details`, form);
        expect([...answerOf(reply), reply.setCookies]).toEqual([400, 'Who is coming?', []]);
        expect(fieldsOf(reply)['firstName']).toBe(name);
      });
    });
  });
});
