import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agent, type PagesHost, startHost } from './pages-host.js';
import { fieldsOf, heading, type Visitor } from './visitor.js';

const cancelPage = '/manage/appointment/cancel';
const cancelled = 'Your appointment is cancelled';

describe('"Yes, cancel it" that is pressed twice, or whose answer is lost', () => {
  let host: PagesHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  /** The same browser, as it was before an answer came. */
  const asItWas = (visitor: Visitor): Visitor => {
    const other = host.visitor();
    for (const [name, value] of visitor.cookies) other.cookies.set(name, value);
    return other;
  };

  it('says twice that the appointment is cancelled, where both presses come at once', async () => {
    for (let time = 0; time < 5; time += 1) {
      const made = await host.book({ locale: 'en' });
      const visitor = await host.arrived(made);
      const form = fieldsOf(await visitor.get(cancelPage));
      const pressed = [visitor, asItWas(visitor)].map((browser) => browser.submit(cancelPage, form));
      expect((await Promise.all(pressed)).map(heading)).toEqual([cancelled, cancelled]);
      expect((await host.kept(made)).state).toBe('CANCELLED');
    }
  });

  it('says so where the browser threw the first answer away for the second press, in the language of the appointment', async () => {
    const visitor = await host.arrived(await host.book({ locale: 'de' }));
    const form = fieldsOf(await visitor.get(cancelPage));
    const again = asItWas(visitor);
    await visitor.post(cancelPage, form);
    expect(heading(await again.submit(cancelPage, form))).toBe('Ihr Termin ist abgesagt');
    expect([...again.cookies.keys()]).toEqual(['calends_ended']);
  });

  it.each(['/manage/appointment', cancelPage, '/manage/appointment/reschedule'])(
    'says that the appointment is cancelled to a customer whose answer is lost, and who goes back to %s',
    async (page) => {
      const made = await host.book();
      const visitor = await host.arrived(made);
      const form = fieldsOf(await visitor.get(cancelPage));
      const again = asItWas(visitor);
      await visitor.post(cancelPage, form);
      const { status, headers } = await again.get(page);
      expect([status, headers['location']]).toEqual([303, '/manage/ended']);
      expect(heading(await again.get('/manage/ended'))).toBe(cancelled);
    },
  );

  it('says that the customer is signed out where it was not them who cancelled', async () => {
    const made = await host.book();
    const visitor = await host.arrived(made);
    const form = fieldsOf(await visitor.get(cancelPage));
    await host.scheduling.appointments.cancel(agent, { id: made.id });
    const reply = await visitor.submit(cancelPage, form);
    expect([reply.status, heading(reply)]).toEqual([403, 'You are signed out']);
  });

  it('says nothing of the appointment of another customer, whichever the cookie and the form name', async () => {
    const theirs = await host.book();
    const their = await host.arrived(theirs);
    const form = fieldsOf(await their.get(cancelPage));
    await their.post(cancelPage, form);
    const visitor = await host.arrived(await host.book());
    const [, token = ''] = (visitor.cookies.get('calends_session') ?? '').split('~');
    visitor.cookies.set('calends_session', `${theirs.id}~${token}`);
    const reply = await visitor.submit(cancelPage, form);
    expect([reply.status, heading(reply)]).toEqual([403, 'You are signed out']);
  });

  it('says that the customer is signed out where nothing was cancelled', async () => {
    const made = await host.book();
    const visitor = await host.arrived(made);
    const form = fieldsOf(await visitor.get(cancelPage));
    const again = asItWas(visitor);
    await visitor.post('/manage/session/end');
    expect((await again.submit(cancelPage, form)).status).toBe(403);
    expect((await host.kept(made)).state).toBe('SCHEDULED');
  });
});

describe('"Move appointment" that is pressed twice', () => {
  const page = '/manage/appointment/reschedule';
  let host: PagesHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  it('says twice that the appointment was moved, and moves it once', async () => {
    const made = await host.book();
    const visitor = await host.arrived(made);
    const form = { ...fieldsOf(await visitor.get(page)), date: '2030-05-09', time: '15:00' };
    const replies = await Promise.all([visitor.post(page, form), visitor.post(page, form)]);
    const moved = [303, '/manage/appointment?moved'];
    expect(replies.map(({ status, headers }) => [status, headers['location']])).toEqual([moved, moved]);
    expect(await host.kept(made)).toMatchObject({ version: made.version + 1, customerReschedules: 1 });
  });

  it('tells of what somebody else has changed meanwhile, where the form asks for another time', async () => {
    const made = await host.book();
    const visitor = await host.arrived(made);
    const form = { ...fieldsOf(await visitor.get(page)), date: '2030-05-09', time: '15:00' };
    await visitor.post(page, form);
    expect((await visitor.post(page, { ...form, time: '15:30' })).status).toBe(412);
  });

  it('tells of what was changed since, where the form that has moved it comes back later', async () => {
    const made = await host.book();
    const visitor = await host.arrived(made);
    const first = { ...fieldsOf(await visitor.get(page)), date: '2030-05-09', time: '15:00' };
    await visitor.post(page, first);
    await visitor.post(page, { ...fieldsOf(await visitor.get(page)), date: '2030-05-10', time: '15:00' });
    const reply = await visitor.post(page, first);
    expect(reply.status).toBe(412);
    expect(reply.text).toContain('Friday, 10 May 2030');
  });

  it('says twice that nothing was moved, where the form was sent as it was shown', async () => {
    const visitor = await host.arrived(await host.book());
    const form = fieldsOf(await visitor.get(page));
    for (let time = 0; time < 2; time += 1) {
      expect((await visitor.post(page, form)).headers['location']).toBe('/manage/appointment?unmoved');
    }
  });
});
