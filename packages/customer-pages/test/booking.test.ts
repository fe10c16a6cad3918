import { wrapStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ada,
  type BookingHost,
  halfPastNine,
  hold,
  pathOf,
  start,
  startBookingHost,
  startsIn,
  withCode,
} from './booking-host.js';
import { type Installation, majors } from './majors.js';
import { minute, supervisor } from './pages-host.js';
import { fieldsOf, heading, noticeOf, type Reply } from './visitor.js';

const times = '/manage/book/times?service=check-up&duration=PT30M';
const free = 'That did not work: That time is not free any more. Please choose another one.';

for (const [major, install] of majors) {
  describe(`Booking on the pages in ${major}`, () => {
    let on: Installation;
    let host: BookingHost;
    beforeAll(async () => {
      on = install();
    });
    afterAll(() => on.remove());
    const withHost = async (
      use: (host: BookingHost) => Promise<void>,
      given: Parameters<typeof startBookingHost>[0] = {},
    ): Promise<void> => {
      host = await startBookingHost({ on, ...given });
      try {
        await use(host);
      } finally {
        await host.close();
      }
    };
    const appointments = async () => (await host.scheduling.appointments.list(supervisor, {})).items;

    it('a customer chooses a time, says who comes, enters the code, and has an appointment', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const details = await hold(visitor, { zone: 'Europe/Berlin' });
        expect([details.status, heading(details)]).toEqual([200, 'Who is coming?']);
        expect(noticeOf(details)).toBe('Held for you until 10:05 (Europe/Berlin, GMT+2).');
        for (const said of ['Check-up', 'With Dr Maria Papadaki.', '9:30 – 10:00', '8:30 – 9:00']) {
          expect(details.text).toContain(said);
        }
        const path = pathOf(details);
        const asked = await visitor.submit(`${path}/details`, { ...fieldsOf(details), ...ada });
        expect([asked.status, heading(asked)]).toEqual([200, 'Enter the code']);
        const booked = await visitor.submit(`${path}/code`, { ...fieldsOf(asked), code: await host.code() });
        expect([booked.status, heading(booked)]).toEqual([200, 'Your appointment is booked']);
        for (const said of ['9:30 – 10:00', '8:30 – 9:00', 'Room 4', 'You will get a message']) {
          expect(booked.text).toContain(said);
        }
        const [made, ...others] = await appointments();
        expect(others).toEqual([]);
        expect(made).toMatchObject({
          title: 'Check-up',
          locale: 'en',
          service: { id: 'check-up' },
          schedule: { start, end: start + 30 * minute, timezone: 'Europe/Athens' },
        });
      });
    });

    it('a time that was given up for another one in a second tab is booked as long as it is free', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        expect((await hold(visitor, { start: '2030-05-07T07:00:00Z' })).status).toBe(200);
        const booked = await visitor.submit(`${path}/code`, form);
        expect([booked.status, heading(booked)]).toEqual([200, 'Your appointment is booked']);
        expect((await appointments()).map(({ schedule }) => schedule.start)).toEqual([start]);
      });
    });

    it('a form that is sent again shows what it has booked, and books nothing more', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        const replies = [await visitor.submit(`${path}/code`, form), await visitor.submit(`${path}/code`, form)];
        expect(replies.map(heading)).toEqual(Array(2).fill('Your appointment is booked'));
        expect(await appointments()).toHaveLength(1);
      });
    });

    it('a form that is sent several times at once shows each time what it has booked', async () => {
      const many = 6;
      let begun = 0;
      let allBegun: (() => void) | undefined;
      let until: Promise<void> | undefined;
      // The first one is written once the last one has come.
      const store = wrapStore(memoryStore(), (name, call) =>
        name === 'commit' ? (...given) => (until ?? Promise.resolve()).then(() => call(...given)) : call,
      );
      const pages: Installation['pages'] = (scheduling, options) => {
        const { appointments: calls } = scheduling;
        const scheduleAsCustomer: typeof calls.scheduleAsCustomer = (...given) => {
          begun += 1;
          if (begun === many) allBegun?.();
          return calls.scheduleAsCustomer(...given);
        };
        return on.pages({ ...scheduling, appointments: { ...calls, scheduleAsCustomer } }, options);
      };
      await withHost(
        async () => {
          const visitor = host.visitor();
          const { path, form } = await withCode(host, visitor);
          until = new Promise((resolve) => (allBegun = resolve));
          const replies = await Promise.all(Array.from({ length: many }, () => visitor.submit(`${path}/code`, form)));
          const booked = [200, 'Your appointment is booked'];
          expect(replies.map((reply) => [reply.status, heading(reply)])).toEqual(Array(many).fill(booked));
          expect(await appointments()).toHaveLength(1);
        },
        { on: { ...on, pages }, scheduling: { store } },
      );
    });

    it('a form that is sent again with another name is told that the first one counts', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        await visitor.submit(`${path}/code`, form);
        const again = await visitor.submit(`${path}/code`, { ...form, firstName: 'Augusta' });
        expect([again.status, heading(again)]).toEqual([409, 'That did not work']);
        expect(again.text).toContain('What you sent first counts.');
        expect(await appointments()).toHaveLength(1);
      });
    });

    it('a time of a service that is not offered any more leads to what is offered', async () => {
      await withHost(async () => {
        const reply = await hold(host.visitor(), { service: 'gone' });
        expect([reply.status, heading(reply)]).toEqual([404, 'Book an appointment']);
        expect(noticeOf(reply)).toBe('That did not work: That is not offered any more. Please choose again.');
        expect(reply.text).toContain('Check-up');
      });
    });

    it('a time that is held is offered to nobody else, until it ends or is given up', async () => {
      await withHost(async () => {
        const [holder, other] = [host.visitor(), host.visitor()];
        const offered = async (): Promise<boolean> => startsIn(await other.get(times)).includes(halfPastNine);
        expect(await offered()).toBe(true);
        const details = await hold(holder);
        expect(await offered()).toBe(false);
        const refused = await hold(other);
        expect([refused.status, noticeOf(refused)]).toEqual([409, free]);
        expect(startsIn(refused).length).toBeGreaterThan(0);
        const again = await holder.post(`${pathOf(details)}/again`, fieldsOf(details));
        expect([again.status, again.headers['location']]).toEqual([303, times]);
        expect(await offered()).toBe(true);
        await hold(holder);
        host.advance(5 * minute);
        expect(await offered()).toBe(true);
      });
    });

    it('another choice of the same browser takes the place of the first', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        for (const time of ['06:00', '06:30', '07:00', '06:00']) {
          expect((await hold(visitor, { start: `2030-05-07T${time}:00Z` })).status).toBe(200);
        }
        expect(startsIn(await host.visitor().get(times))).toContain(halfPastNine);
      });
    });

    it('a time that is held no more is booked while it is free, and the page says so before', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const path = pathOf(await hold(visitor));
        host.advance(6 * minute);
        const details = await visitor.get(`${path}/details`);
        expect(noticeOf(details)).toMatch(/^The time is not held for you any more\./);
        const asked = await visitor.submit(`${path}/details`, { ...fieldsOf(details), ...ada });
        const form = { ...fieldsOf(asked), code: await host.code() };
        for (let time = 0; time < 2; time += 1) {
          expect(heading(await visitor.submit(`${path}/code`, form))).toBe('Your appointment is booked');
        }
        expect(await appointments()).toHaveLength(1);
      });
    });

    it('a time that somebody else took meanwhile is told, with the times that are left, and costs no code', async () => {
      await withHost(async () => {
        const [slow, quick] = [host.visitor(), host.visitor()];
        const details = await hold(slow);
        host.advance(5 * minute);
        const eve = { ...ada, email: 'eve@example.org' };
        const theirs = await hold(quick);
        const asked = await quick.submit(`${pathOf(theirs)}/details`, { ...fieldsOf(theirs), ...eve });
        const form = { ...fieldsOf(asked), code: await host.code() };
        expect((await quick.submit(`${pathOf(theirs)}/code`, form)).status).toBe(200);
        const late = fieldsOf(await slow.submit(`${pathOf(details)}/details`, { ...fieldsOf(details), ...ada }));
        const code = await host.code();
        const refused = await slow.submit(`${pathOf(details)}/code`, { ...late, code });
        expect([refused.status, noticeOf(refused)]).toEqual([409, free]);
        const next = await hold(slow, { start: '2030-05-07T07:00:00Z' });
        const booked = await slow.submit(`${pathOf(next)}/code`, { ...fieldsOf(next), ...ada, code });
        expect([booked.status, heading(booked)]).toEqual([200, 'Your appointment is booked']);
      });
    });

    it('a wrong code is asked for again, with everything else as it was', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        const wrong = await visitor.submit(`${path}/code`, {
          ...form,
          code: form['code'] === '000000' ? '1' : '000000',
        });
        expect([wrong.status, noticeOf(wrong)]).toEqual([
          403,
          'That did not work: The code is not right, or not valid any more.',
        ]);
        const again = {
          ...fieldsOf(wrong),
          code: ` ${(form['code'] ?? '').slice(0, 3)} ${(form['code'] ?? '').slice(3)}`,
        };
        expect(heading(await visitor.submit(`${path}/code`, again))).toBe('Your appointment is booked');
      });
    });

    it.each([
      ['no name', { firstName: ' ', lastName: '' }, 'Please enter your name.'],
      ['no address', { email: '' }, 'Please enter an e-mail address, such as ada@example.org.'],
      ['an address that is none', { email: '"><script>' }, 'Please enter an e-mail address, such as ada@example.org.'],
      ['an address of 255 characters', { email: `${'a'.repeat(243)}@example.org` }, /: Please enter an e-mail address/],
      ['an address with a control character', { email: 'a\u0001@b.example' }, /: Please enter an e-mail address/],
      ['an address with a comma', { email: 'a,b@c.example' }, /: Please enter an e-mail address/],
      ['a phone number without a country', { phone: '020 7946' }, /: Please enter a phone number/],
      ['a phone number that is too short', { phone: '+441234' }, /: Please enter a phone number/],
      ['a first name of 101 characters', { firstName: 'x'.repeat(101) }, /: It cannot be booked with these details\./],
      ['a name with a control character', { firstName: 'A\u0007da' }, /: It cannot be booked with these details\./],
      ['a last name of 101 characters', { lastName: 'x'.repeat(101) }, /: It cannot be booked with these details\./],
    ])('the form asks again for %s, and keeps what was entered', async (_name, more, told) => {
      await withHost(async () => {
        const visitor = host.visitor();
        const details = await hold(visitor);
        const reply = await visitor.submit(`${pathOf(details)}/details`, { ...fieldsOf(details), ...ada, ...more });
        expect([reply.status, heading(reply)]).toEqual([400, 'Who is coming?']);
        if (typeof told === 'string') expect(noticeOf(reply)).toBe(`That did not work: ${told}`);
        else expect(noticeOf(reply)).toMatch(told);
        expect(reply.text).not.toContain('<script>');
        expect(await host.sent()).toBe(0);
      });
    });

    it('what the library refuses of the details is asked for again', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const { path, form } = await withCode(host, visitor);
        const reply = await visitor.submit(`${path}/code`, { ...form, firstName: 'x'.repeat(101) });
        expect([reply.status, heading(reply)]).toEqual([400, 'Who is coming?']);
        expect(noticeOf(reply)).toMatch(/^That did not work: It cannot be booked with these details\./);
        expect(await appointments()).toEqual([]);
      });
    });

    it('a third time from one address is too much, and is told so', async () => {
      await withHost(
        async () => {
          const from = (time: string) =>
            host
              .visitor()
              .submit(
                '/manage/book/hold',
                { service: 'check-up', duration: 'PT30M', start: `2030-05-07T${time}:00Z` },
                { headers: { 'x-forwarded-for': '8.8.8.8' } },
              );
          const replies: Reply[] = [];
          for (const time of ['06:00', '06:30', '07:00']) replies.push(await from(time));
          expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
          expect(noticeOf(replies[2] as Reply)).toMatch(/^That did not work: Too many appointment times are held/);
        },
        { options: { trustProxy: 1 } },
      );
    });

    it('the code goes to the phone where the host says so', async () => {
      await withHost(
        async () => {
          const visitor = host.visitor();
          const page = await hold(visitor);
          const [path, details] = [pathOf(page), fieldsOf(page)];
          const without = await visitor.submit(`${path}/details`, { ...details, ...ada });
          expect(noticeOf(without)).toMatch(/^That did not work: Please enter a phone number/);
          const phone = '+44 20 7946 0018';
          const asked = await visitor.submit(`${path}/details`, { ...details, ...ada, email: '', phone });
          expect(asked.text).toContain('<strong dir="ltr">+442079460018</strong>');
          const booked = await visitor.submit(`${path}/code`, { ...fieldsOf(asked), code: await host.code() });
          expect(heading(booked)).toBe('Your appointment is booked');
        },
        { options: { booking: { applicationId: 'app-1', contact: 'phone' } } },
      );
    });

    it.each([
      ['phone', { email: '' }],
      ['email', {}],
    ] as const)('a phone number is taken as people write it, and stays so in its field (%s)', async (contact, more) => {
      await withHost(
        async () => {
          const visitor = host.visitor();
          const page = await hold(visitor);
          const path = pathOf(page);
          const form = { ...fieldsOf(page), ...ada, ...more, phone: '+44 (0)20 7946-0958' };
          const refused = await visitor.submit(`${path}/details`, { ...form, firstName: '', lastName: '' });
          expect(fieldsOf(refused)['phone']).toBe('+44 (0)20 7946-0958');
          const asked = await visitor.submit(`${path}/details`, form);
          const code = await host.code();
          expect(heading(await visitor.submit(`${path}/code`, { ...fieldsOf(asked), code }))).toBe(
            'Your appointment is booked',
          );
          const whose = { primaryPhone: '+442079460958' };
          const { records } = await host.scheduling.customers.export(supervisor, whose);
          expect(records.map(({ profile }) => profile)).toMatchObject([whose]);
        },
        { options: { booking: { applicationId: 'app-1', contact } } },
      );
    });

    it('every page of booking carries the security headers, and takes forms from its own pages only', async () => {
      await withHost(async () => {
        const visitor = host.visitor();
        const paths = ['/book/hold', '/book/x/again', '/book/x/details', '/book/x/code'];
        const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
        const refused: Reply[] = [];
        for (const path of paths) refused.push(await visitor.post(`/manage${path}`, { start: halfPastNine }, foreign));
        expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
        expect(startsIn(await visitor.get(times))).toContain(halfPastNine);
        const shown = [await visitor.get(times), await hold(visitor)];
        for (const { headers, text } of [...shown, ...refused]) {
          expect(headers['content-security-policy']).toContain("default-src 'none'");
          expect(headers['cache-control']).toBe('no-store');
          expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?! src="\/manage\/assets\/zone\.js"><)/);
        }
      });
    });
  });
}
