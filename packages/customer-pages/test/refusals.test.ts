import { CalendsError, type ErrorCode, errorCodes, type Scheduling } from '@calends/core';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { customerPages } from '../src/index.js';
import { ada, type BookingHost, halfPastNine, hold, pathOf, startBookingHost } from './booking-host.js';
import { enter } from './pages-host.js';
import { fieldsOf, heading, type Reply, type Visitor } from './visitor.js';

/** A call of the library, by its group and its name. */
type Call = readonly [keyof Scheduling, string];

/** The library, one call of which refuses with what `refusal` answers. */
function refusing(scheduling: Scheduling, [group, name]: Call, refusal: () => Error | undefined): Scheduling {
  const calls = scheduling[group] as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
  const call = (...given: readonly unknown[]): unknown => {
    const error = refusal();
    return error === undefined ? calls[name]?.(...given) : Promise.reject(error);
  };
  return { ...scheduling, [group]: { ...calls, [name]: call } };
}

/** A time that is held: the fields of a form, and where its pages are. */
interface Chosen {
  readonly form: Readonly<Record<string, string>>;
  readonly path: string;
}

/** The page that calls the library, and what is sent to it. */
type Ask = (visitor: Visitor, chosen: Chosen) => Promise<Reply>;

const get =
  (path: string): Ask =>
  (visitor) =>
    visitor.get(`/manage${path}`);
const post =
  (path: string, more: Readonly<Record<string, string>> = {}): Ask =>
  (visitor, { form }) =>
    visitor.submit(`/manage${path}`, { ...form, ...more });
const getOf =
  (step: string): Ask =>
  (visitor, { path }) =>
    visitor.get(`${path}/${step}`);
const postOf =
  (step: string, more: Readonly<Record<string, string>> = {}): Ask =>
  (visitor, { path, form }) =>
    visitor.submit(`${path}/${step}`, { ...form, ...more });

const times = '/book/times?service=check-up&duration=PT30M';
const another = { start: '2030-05-08T07:00:00Z', version: '1' };

const pages: readonly (readonly [string, Call, Ask])[] = [
  ['the entry', ['customers', 'exchangeManageLink'], post('/session', { code: 'x' })],
  ['leaving', ['customers', 'endSession'], post('/session/end')],
  ['the appointment', ['appointments', 'get'], get('/appointment')],
  ['the appointment with its room', ['access', 'detailsOf'], get('/appointment')],
  ['the calendar file', ['access', 'detailsOf'], get('/appointment.ics')],
  ['the times for a move', ['availability', 'find'], get('/appointment/reschedule')],
  ['the times for a move that names none', ['availability', 'find'], post('/appointment/reschedule')],
  ['the move', ['appointments', 'reschedule'], post('/appointment/reschedule', another)],
  ['cancelling', ['appointments', 'cancel'], post('/appointment/cancel', { reason: 'Ill' })],
  ['the services', ['availability', 'offered'], get('/book')],
  ['the times', ['availability', 'find'], get(times)],
  ['the choice of a time', ['availability', 'hold'], post('/book/hold', { duration: 'PT30M', start: halfPastNine })],
  ['the details', ['availability', 'offered'], getOf('details')],
  ['giving a time up', ['availability', 'release'], postOf('again')],
  ['the code', ['customers', 'requestOtp'], postOf('details', ada)],
  ['the booking', ['appointments', 'scheduleAsCustomer'], postOf('code', { ...ada, code: '123456' })],
];

/** What no customer can do anything about. */
const faults: readonly ErrorCode[] = ['unavailable', 'internal'];
/** What is wrong with a link. */
const ofLinks: readonly ErrorCode[] = ['stale_ticket', 'unauthenticated'];

describe('A refusal of the library', () => {
  let host: BookingHost;
  let refusal: Error | undefined;
  afterEach(async () => {
    refusal = undefined;
    await host.close();
  });

  /** A customer with a session and a time that is held, before pages one call of which refuses. */
  async function arrived(call: Call): Promise<readonly [Visitor, Chosen]> {
    host = await startBookingHost({
      options: { booking: { applicationId: 'app-1' }, limits: 'off' },
      on: {
        express,
        pages: (scheduling, options) =>
          customerPages(
            refusing(scheduling, call, () => refusal),
            options,
          ),
      },
    });
    const made = await host.book({ serviceId: 'check-up', start: '2030-05-07T07:30:00Z', duration: 'PT30M' });
    const visitor = host.visitor();
    await enter(visitor, (await host.link(made)).code);
    const details = await hold(visitor);
    const { held = '' } = fieldsOf(details);
    const { appointment = '' } = fieldsOf(await visitor.get('/manage/appointment/cancel'));
    return [visitor, { form: { held, service: 'check-up', appointment }, path: pathOf(details) }];
  }

  it.each(pages)(
    'a refusal of the library is told by %s and is no fault of the service, whatever its code',
    async (_name, call, ask) => {
      const [visitor, chosen] = await arrived(call);
      const session = [...visitor.cookies];
      const statuses: Partial<Record<ErrorCode, number>> = {};
      for (const code of errorCodes) {
        for (const [name, value] of session) visitor.cookies.set(name, value);
        refusal = new CalendsError(code, 'Refused.');
        const reply = await ask(visitor, chosen);
        expect([code, heading(reply) === '']).toEqual([code, false]);
        statuses[code] = reply.status;
      }
      expect(errorCodes.filter((code) => (statuses[code] ?? 500) >= 500)).toEqual(faults);
      expect([statuses.unavailable, statuses.internal]).toEqual([503, 500]);
    },
  );

  it.each(pages.slice(3, 9))(
    'a refusal of the library ends the session at %s only where the link does not hold',
    async (_name, call, ask) => {
      const [visitor, chosen] = await arrived(call);
      const session = [...visitor.cookies];
      const ending: ErrorCode[] = [];
      for (const code of errorCodes) {
        for (const [name, value] of session) visitor.cookies.set(name, value);
        refusal = new CalendsError(code, 'Refused.');
        await ask(visitor, chosen);
        if (visitor.cookies.size < session.length) ending.push(code);
      }
      expect(ending.sort()).toEqual([...ofLinks].sort());
    },
  );
});
