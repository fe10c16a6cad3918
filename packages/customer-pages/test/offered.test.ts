import { describe, expect, it } from 'vitest';
import { ada, checkUp, hold, pathOf, start, startBookingHost, withBookingHost, withCode } from './booking-host.js';
import { minute, supervisor } from './pages-host.js';
import { fieldsOf, heading, noticeOf } from './visitor.js';

const times = '/manage/book/times?service=check-up&duration=PT30M';

describe('What the pages offer', () => {
  const hostile = { ...checkUp, title: '<b>"Hair" & more</b>', description: '<script>alert(1)</script>' };
  const two = { services: { 'check-up': { ...checkUp, durations: ['PT30M', 'PT1H'] }, other: hostile } };

  it('what the pages offer is not there until the host turns it on', async () => {
    await withBookingHost(
      async (host) => {
        for (const path of ['', '/times', '/x/details', '/x/code', '/x/booked']) {
          expect((await host.visitor().get(`/manage/book${path}`)).status).toBe(404);
        }
        expect((await hold(host.visitor())).status).toBe(404);
      },
      { options: { booking: undefined } },
    );
  });

  it('one service of one duration leads to its times at once', async () => {
    await withBookingHost(async (host) => {
      const reply = await host.visitor().get('/manage/book');
      expect([reply.status, reply.headers['location']]).toEqual([303, times]);
      // It would lead back to the same page, without the week and the zone that were chosen.
      expect((await host.visitor().get(times)).text).not.toContain('href="/manage/book"');
    });
    await withBookingHost(async (host) => {
      expect((await host.visitor().get(times)).text).toContain('<a href="/manage/book">Back</a>');
    }, two);
  });

  it('a duration is the same however it is written, also where another time is chosen', async () => {
    const services = { 'check-up': { ...checkUp, durations: ['PT30M', 'PT60M'] } };
    await withBookingHost(
      async (host) => {
        const visitor = host.visitor();
        const details = await hold(visitor, { duration: 'PT60M', start: '2030-05-07T07:00:00Z' });
        const again = await visitor.submit(`${pathOf(details)}/again`, fieldsOf(details));
        expect(fieldsOf(again)['duration']).toBe('PT60M');
        expect(again.text).toContain('<bdi>Check-up</bdi>, 1 hour</p>');
      },
      { services },
    );
  });

  it('the zone of the appointment is named where its clocks differ, and only there', async () => {
    await withBookingHost(async (host) => {
      const zones = async (zone: string): Promise<string> => {
        const { text } = await host.visitor().get(`${times}&zone=${zone}`);
        return (/<p class="zones">([^]*?)<\/p>/.exec(text)?.[1] ?? '')
          .replaceAll(/<[^>]*>/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim();
      };
      expect(await zones('Europe/Helsinki')).toBe('Times are in your zone: Europe/Helsinki, GMT+3.');
      expect(await zones('Europe/Vienna')).toContain(
        'In small letters, the zone of the appointment: Europe/Athens, GMT+3',
      );
    });
  });

  it('several services are there with what the host says of them, each duration by itself, and all of it is text', async () => {
    await withBookingHost(async (host) => {
      const { status, text } = await host.visitor().get('/manage/book');
      expect(status).toBe(200);
      expect(text).toContain('With Dr Maria Papadaki.\nRoom 4, second floor.');
      expect(text.match(/href="[^"]*\/book\/times[^"]*"/g)).toEqual([
        'href="/manage/book/times?service=check-up&amp;duration=PT30M"',
        'href="/manage/book/times?service=check-up&amp;duration=PT1H"',
        'href="/manage/book/times?service=other&amp;duration=PT30M"',
      ]);
      expect(text).toContain('&lt;b&gt;&quot;Hair&quot; &amp; more&lt;/b&gt;');
      expect(text).not.toMatch(/<b>|<script>/);
    }, two);
  });

  it('what a service says and what a customer enters is text on every page', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const escaped = '&lt;b&gt;&quot;Hair&quot; &amp; more&lt;/b&gt;';
      const entered = { ...ada, firstName: '"><script>alert(2)</script>', lastName: "' onfocus='x" };
      const list = await visitor.get('/manage/book/times?service=other&duration=PT30M');
      const details = await hold(visitor, { service: 'other', from: '"><script>', zone: '"><script>' });
      const [path, form] = [pathOf(details), { ...fieldsOf(details), ...entered }];
      const again = await visitor.submit(`${path}/details`, { ...form, email: '"><script>' });
      const asked = await visitor.submit(`${path}/details`, form);
      const wrong = await visitor.submit(`${path}/code`, { ...form, code: '"><script>' });
      const booked = await visitor.submit(`${path}/code`, { ...form, code: await host.code() });
      const pages = [list, details, again, asked, wrong, booked];
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 400, 200, 403, 200]);
      for (const { text } of pages) {
        expect(text).toContain(escaped);
        expect(text).not.toMatch(/<b>|<script>|' onfocus/);
      }
      for (const { text } of [again, asked, wrong]) {
        expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(2)&lt;/script&gt;"');
        expect(text).toContain('value="&#39; onfocus=&#39;x"');
      }
    }, two);
  });

  it.each([
    ['/manage/book/times', 404],
    ['/manage/book/times?service=nothing&duration=PT30M', 404],
    ['/manage/book/times?service=other&duration=PT9H&zone=Nowhere/Land&from=x', 200],
    ['/manage/book/x/details', 404],
    ['/manage/book/x/code', 404],
    ['/manage/book/x/booked', 303],
  ])('an address that names too little or too much is answered: %s', async (address, status) => {
    await withBookingHost(async (host) => {
      expect((await host.visitor().get(address)).status).toBe(status);
    }, two);
  });

  it('nothing at all is offered where there is no service', async () => {
    await withBookingHost(
      async (host) => {
        expect((await host.visitor().get('/manage/book')).text).toContain('Nothing can be booked here');
      },
      { services: {} },
    );
  });

  it('a held time that is no time leads back to the first page', async () => {
    await withBookingHost(async (host) => {
      const made = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      for (const held of [
        '',
        'x',
        made(null),
        made({}),
        made([]),
        made(['t', 's', 1e300, 'PT1H', 1, '']),
        made(['t', 's', 1, 'P', 1, '']),
        made(['t', 's', -1, 'PT1H', 1, '']),
      ]) {
        for (const path of ['/t/details', '/t/code', '/t/again']) {
          const reply = await host.visitor().post(`/manage/book${path}`, { held, ...ada });
          expect([reply.status, reply.headers['location']]).toEqual([303, '/manage/book']);
        }
      }
    });
  });

  it('a token that is none holds nothing, and stands in no way of a new choice', async () => {
    await withBookingHost(async (host) => {
      const held = Buffer.from(JSON.stringify(['no.token', 'check-up', start, 'PT30M', start, ''])).toString(
        'base64url',
      );
      const visitor = host.visitor();
      expect((await visitor.post('/manage/book/no/again', { held })).status).toBe(303);
      visitor.cookies.set('calends_booking', held);
      expect((await hold(visitor)).status).toBe(200);
    });
  });

  it.each([
    ['no start', { start: '' }],
    ['a start that is none', { start: 'tomorrow' }],
    ['a duration that is none', { duration: 'long' }],
  ])('a choice of %s is asked for again', async (_name, more) => {
    await withBookingHost(async (host) => {
      const reply = await hold(host.visitor(), more);
      expect([reply.status, heading(reply)]).toEqual([400, 'Choose a time']);
    });
  });

  it.each([
    ['email', 'E-mail address', 'Phone number'],
    ['phone', 'Phone number', 'E-mail address'],
  ] as const)(
    'who comes is asked for with what is required and what is not: %s',
    async (contact, required, optional) => {
      await withBookingHost(
        async (host) => {
          const { text } = await hold(host.visitor());
          const labels = Array.from(text.matchAll(/<label for="(\w+)">([^<]*)</g), ([, name, label]) => [name, label]);
          expect(labels).toEqual([
            ['firstName', 'First name'],
            ['lastName', 'Last name'],
            [contact, `${required} (required)`],
            [contact === 'email' ? 'phone' : 'email', `${optional} (optional)`],
          ]);
          const inputs = Array.from(text.matchAll(/<input\s+id="(\w+)"[^>]*>/g), ([tag, name]) => [name, tag] as const);
          const those = (part: RegExp) => inputs.filter(([, tag]) => part.test(tag)).map(([name]) => name);
          expect(those(/\brequired\b/)).toEqual([contact]);
          expect(those(/aria-describedby="name-hint"/)).toEqual(['firstName', 'lastName']);
          expect(those(/maxlength="100"/)).toEqual(['firstName', 'lastName']);
          expect(those(/maxlength="254"/)).toEqual(['email']);
          expect(those(/maxlength="64"/)).toEqual(['phone']);
          expect(text).toContain('id="name-hint">One of the two names is required');
        },
        { options: { booking: { applicationId: 'app-1', contact } } },
      );
    },
  );

  it.each([
    ['a name', { firstName: '', lastName: '' }, ['firstName', 'lastName']],
    ['an e-mail address', { email: 'ada' }, ['email']],
    ['a phone number', { phone: '12' }, ['phone']],
  ])(
    'a refusal of %s belongs to its field, for screen readers too, also once the hold has ended',
    async (_name, wrong, fields) => {
      await withBookingHost(async (host) => {
        const visitor = host.visitor();
        const details = await hold(visitor);
        host.advance(6 * minute);
        const { text } = await visitor.submit(`${pathOf(details)}/details`, { ...fieldsOf(details), ...ada, ...wrong });
        const inputs = Array.from(text.matchAll(/<input\s+id="(\w+)"[^>]*>/g), ([tag, name]) => [name, tag] as const);
        const those = (part: RegExp) => inputs.filter(([, tag]) => part.test(tag)).map(([name]) => name);
        expect(those(/aria-invalid="true"/)).toEqual(fields);
        expect(those(/aria-describedby="([^"]* )?problem"/)).toEqual(fields);
        expect(text.match(/id="problem"/g)).toHaveLength(1);
      });
    },
  );

  it('too many questions from one address are answered with 429', async () => {
    await withBookingHost(
      async (host) => {
        const from = { headers: { 'x-forwarded-for': '8.8.8.9' } };
        const ask = async (): Promise<number> => (await host.visitor().get(times, from)).status;
        expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
      },
      { options: { limits: { address: { perSecond: 0.01, burst: 2 } }, trustProxy: 1 } },
    );
  });

  it('codes for one name are limited as those of the HTTP services are', async () => {
    await withBookingHost(
      async (host) => {
        const visitor = host.visitor();
        const details = await hold(visitor);
        const ask = async (): Promise<number> =>
          (await visitor.submit(`${pathOf(details)}/details`, { ...fieldsOf(details), ...ada })).status;
        expect([await ask(), await ask()]).toEqual([200, 429]);
      },
      { options: { limits: { application: { perSecond: 0.01, burst: 1 } } } },
    );
  });

  it.each([
    [{ booking: {} }, /^customerPages: booking: applicationId must be an id$/],
    [{ booking: null }, /^customerPages: booking: must be an object$/],
    [{ booking: { applicationId: 'a', contact: 'fax' } }, /^customerPages: booking: contact must be email or phone$/],
    [{ booking: { applicationId: 'a', name: 'x' } }, /^customerPages: booking: unknown option name$/],
    [{ now: 5 }, /^customerPages: now: must be a function$/],
  ])('the options %j are refused at once', async (options, message) => {
    await expect(startBookingHost({ options: options as object })).rejects.toThrow(message);
  });

  it('the pages speak the language of the browser, and so does the appointment', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor('de');
      const { path, form } = await withCode(host, visitor);
      const booked = await visitor.submit(`${path}/code`, form);
      expect(heading(booked)).toBe('Ihr Termin ist gebucht');
      const [made] = (await host.scheduling.appointments.list(supervisor, {})).items;
      expect(made?.locale).toBe('de');
    });
  });

  it.each([
    ['en-US,en;q=0.9', 'en-US', '11:05 AM'],
    ['fr-CA,en-US;q=0.5', 'en-US', '11:05 AM'],
    ['en-x-a-very-long-private-part', 'en', '11:05'],
  ])('the pages write times as the region of the browser does, and so do messages: %s', async (wish, locale, clock) => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor(wish);
      const details = await hold(visitor);
      expect(noticeOf(details)?.replaceAll('\u202f', ' ')).toContain(`Held for you until ${clock} (`);
      const form = { ...fieldsOf(details), ...ada };
      const asked = fieldsOf(await visitor.submit(`${pathOf(details)}/details`, form));
      await visitor.submit(`${pathOf(details)}/code`, { ...asked, code: await host.code() });
      const [made] = (await host.scheduling.appointments.list(supervisor, {})).items;
      expect(made?.locale).toBe(locale);
    });
  });

  it('a time is shown in the zone of the service where none is known, for a while after it is held no more', async () => {
    await withBookingHost(async (host) => {
      const visitor = host.visitor();
      const details = await hold(visitor);
      expect(noticeOf(details)).toBe('Held for you until 11:05 (Europe/Athens, GMT+3).');
      host.advance(29 * minute);
      expect(noticeOf(await visitor.get(`${pathOf(details)}/details`))).toMatch(/^The time is not held/);
    });
  });
});
