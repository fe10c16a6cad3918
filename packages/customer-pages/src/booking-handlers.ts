import type { Appointment, Scheduling } from '@calends/core';
import {
  formatDuration,
  formatInstant,
  type OfferedService,
  parseTimeZone,
  type Visitor,
} from '@calends/core/operations';
import type { Request, RequestHandler, Response } from 'express';
import { field, parameter } from './form-fields.js';
import { findFreeTimes } from './free-times.js';
import type { BookingOptions, CustomerPagesOptions } from './options.js';
import { type PageAnswers, send } from './page-answers.js';
import { bookedPage } from './pages/booking/booked-page.js';
import type { Booking } from './pages/booking/chosen-time.js';
import { codePage } from './pages/booking/code-page.js';
import { detailsPage } from './pages/booking/details-page.js';
import { servicesPage } from './pages/booking/services-page.js';
import { timesAddress, type TimesAsked, timesPage } from './pages/booking/times-page.js';
import { messagePage } from './pages/message-page.js';
import { bookingProblem, type FormProblem, isHoldLost } from './problems.js';
import { addressOf } from './security/limits.js';
import { secureOnly } from './security/secure-only.js';
import { Cookies } from './security/cookies.js';
import { contactOf, type Entered, enteredIn, faultOf } from './entered.js';
import { readHeld, writeHeld } from './held-time.js';
import { giveUp, holdInPlace, idIn } from './holding.js';
import { whenAnswered } from './when-answered.js';

const cookie = 'calends_booking';
/** Long enough to see that a time is held no more. */
const cookieLife = 60 * 60_000;

/** What the addresses of booking do: service, time, who, code, confirmation. */
export class BookingHandlers {
  readonly #scheduling: Scheduling;
  readonly #answers: PageAnswers;
  readonly #booking: BookingOptions;
  readonly #trustProxy: number;
  readonly #cookies: Cookies;
  readonly #now: () => number;

  constructor(scheduling: Scheduling, answers: PageAnswers, options: CustomerPagesOptions, booking: BookingOptions) {
    this.#scheduling = scheduling;
    this.#answers = answers;
    this.#booking = booking;
    this.#trustProxy = options.trustProxy ?? 0;
    this.#cookies = new Cookies(secureOnly(options));
    this.#now = options.now ?? Date.now;
  }

  readonly services: RequestHandler = async (request, response) => {
    const services = await this.#offered(request);
    const [only, ...others] = services;
    const frame = this.#answers.frame(request);
    const [duration, ...longer] = only?.durations ?? [];
    if (only !== undefined && duration !== undefined && others.length + longer.length === 0) {
      response.redirect(303, timesAddress(frame, { serviceId: only.id, duration }));
      return;
    }
    send(response, 200, servicesPage(frame, services));
  };

  readonly times: RequestHandler = (request, response) =>
    this.#showTimes(request, response, {
      serviceId: parameter(request, 'service'),
      duration: parameter(request, 'duration'),
      from: parameter(request, 'from'),
      zone: parseTimeZone(parameter(request, 'zone')),
    });

  readonly hold: RequestHandler = async (request, response) => {
    const zone = parseTimeZone(field(request, 'zone'));
    const asked = { serviceId: field(request, 'service'), duration: field(request, 'duration'), zone };
    const { applicationId } = this.#booking;
    try {
      const { serviceId, duration } = asked;
      const [before = ''] = this.#cookies.read(request, cookie);
      const replaces = readHeld(before)?.token;
      const command = { applicationId, serviceId, start: field(request, 'start'), duration, replaces };
      const held = await holdInPlace(this.#scheduling, this.#visitor(request), command);
      const expires = new Date(this.#now() + cookieLife);
      this.#cookies.set(request, response, cookie, writeHeld(held, zone), expires);
      response.redirect(303, `${request.baseUrl}/book/details`);
    } catch (error) {
      const problem = bookingProblem(error);
      if (problem?.next === undefined) throw error;
      // Where nobody has said yet who comes, it is the time that is wrong.
      const refused: FormProblem = problem.next === 'details' ? { ...problem, text: 'chooseTime' } : problem;
      await this.#showTimes(request, response, { ...asked, from: field(request, 'from') }, refused);
    }
  };

  readonly details: RequestHandler = async (request, response) => {
    const [held = ''] = this.#cookies.read(request, cookie);
    await this.#withTime(request, response, held, (booking) => {
      const entered = { firstName: '', lastName: '', email: '', phone: '' };
      send(response, 200, detailsPage(this.#answers.frame(request), { ...booking, entered, contact: this.#contact }));
    });
  };

  readonly again: RequestHandler = async (request, response) => {
    await this.#withTime(request, response, field(request, 'held'), async ({ time }) => {
      const { serviceId, start, end, zone, token } = time;
      const { applicationId } = this.#booking;
      await giveUp(this.#scheduling, this.#visitor(request), { applicationId, token });
      this.#cookies.clear(request, response, cookie);
      const duration = formatDuration(end - start);
      response.redirect(303, timesAddress(this.#answers.frame(request), { serviceId, duration, zone }));
    });
  };

  readonly code: RequestHandler = async (request, response) => {
    await this.#withTime(request, response, field(request, 'held'), async (booking) => {
      const frame = this.#answers.frame(request);
      const entered = enteredIn(request);
      const fault = faultOf(entered, this.#contact);
      if (fault !== undefined) {
        const problem = frame.language.texts[fault];
        send(response, 400, detailsPage(frame, { ...booking, entered, contact: this.#contact, problem }));
        return;
      }
      const { applicationId } = this.#booking;
      const username = entered[this.#contact];
      if (!(await this.#answers.isWithinLimits(request, response, applicationId, username))) return;
      const source = this.#answers.sourceOf(request);
      try {
        await this.#scheduling.customers.requestOtp({ applicationId, username, locale: frame.language.tag, source });
        send(response, 200, codePage(frame, { ...booking, entered, sentTo: username }));
      } catch (error) {
        await this.#refuse(request, response, { booking, entered, error });
      }
    });
  };

  readonly book: RequestHandler = async (request, response) => {
    await this.#withTime(request, response, field(request, 'held'), async (booking) => {
      const entered = enteredIn(request);
      const { applicationId } = this.#booking;
      const username = entered[this.#contact];
      if (!(await this.#answers.isWithinLimits(request, response, applicationId, username))) return;
      try {
        const appointment = await this.#schedule(request, booking, entered);
        this.#cookies.clear(request, response, cookie);
        const { service, time } = booking;
        send(response, 200, bookedPage(this.#answers.frame(request), { appointment, service, zone: time.zone }));
      } catch (error) {
        await this.#refuse(request, response, { booking, entered, error });
      }
    });
  };

  /** What a handler threw. */
  readonly fault = (error: unknown, request: Request, response: Response): void => {
    const problem = bookingProblem(error);
    if (problem === undefined) this.#answers.fault(error, request, response);
    else this.#answers.refusal(error, request, response, problem);
  };

  /** A time that is held no more, by the clock or since it was given up in another tab, is booked as long as it is free. */
  async #schedule(request: Request, booking: Booking, entered: Entered): Promise<Appointment> {
    if (booking.time.until <= this.#now()) return this.#scheduleOnce(request, booking, entered, false);
    try {
      return await this.#scheduleOnce(request, booking, entered, true);
    } catch (error) {
      if (!isHoldLost(error)) throw error;
      return this.#scheduleOnce(request, booking, entered, false);
    }
  }

  async #scheduleOnce(
    request: Request,
    { service, time: { token, start, end } }: Booking,
    entered: Entered,
    isHeld: boolean,
  ): Promise<Appointment> {
    const command = {
      applicationId: this.#booking.applicationId,
      serviceId: service.id,
      title: service.title,
      start: formatInstant(start),
      duration: formatDuration(end - start),
      timezone: service.timezone,
      locale: this.#answers.frame(request).language.tag,
      customers: [
        {
          name: { firstName: entered.firstName, lastName: entered.lastName },
          contact: contactOf(entered),
        },
      ],
      ...(isHeld ? { holdToken: token } : {}),
    };
    const credentials = { username: entered[this.#contact], code: field(request, 'code').replace(/\s/g, '') };
    // Whoever sends the form again sees what it has booked, also where it is sent several times at once.
    const idempotency = { operation: 'booking-page', key: `${idIn(token)}${isHeld ? '' : '-late'}` };
    const options = { idempotency, source: this.#answers.sourceOf(request) };
    return whenAnswered(() => this.#scheduling.appointments.scheduleAsCustomer(credentials, command, options));
  }

  async #refuse(
    request: Request,
    response: Response,
    { booking, entered, error }: { readonly booking: Booking; readonly entered: Entered; readonly error: unknown },
  ): Promise<void> {
    const problem = bookingProblem(error);
    if (problem === undefined) throw error;
    const frame = this.#answers.frame(request);
    const { texts } = frame.language;
    const { status, text } = problem;
    switch (problem.next) {
      case 'details': {
        const told = texts[faultOf(entered, this.#contact) ?? text];
        send(response, status, detailsPage(frame, { ...booking, entered, contact: this.#contact, problem: told }));
        return;
      }
      case 'code': {
        const view = { ...booking, entered, sentTo: entered[this.#contact], problem: texts[text] };
        send(response, status, codePage(frame, view));
        return;
      }
      case 'time': {
        const { serviceId, start, end, zone } = booking.time;
        await this.#showTimes(request, response, { serviceId, duration: formatDuration(end - start), zone }, problem);
        return;
      }
      case 'message':
        send(response, status, messagePage(frame, texts.problem, texts[text]));
        return;
      case undefined:
        throw error;
    }
  }

  async #showTimes(
    request: Request,
    response: Response,
    { serviceId, duration, from = '', zone }: TimesAsked,
    refused?: FormProblem,
  ): Promise<void> {
    const service = await this.#serviceOf(request, response, serviceId);
    if (service === undefined) return;
    const frame = this.#answers.frame(request);
    const known = service.durations.find((each) => each === duration) ?? service.durations[0] ?? '';
    const free = await findFreeTimes({
      find: (window) =>
        this.#scheduling.availability.find(this.#visitor(request), {
          applicationId: this.#booking.applicationId,
          serviceId,
          durations: [known],
          ...window,
        }),
      zone: zone ?? service.timezone,
      asked: from,
      now: this.#now(),
    });
    const problem = refused && frame.language.texts[refused.text];
    send(response, refused?.status ?? 200, timesPage(frame, { service, duration: known, free, zone, problem }));
  }

  /** Goes on with a time that was chosen, or leads back to the first page. */
  async #withTime(
    request: Request,
    response: Response,
    held: string,
    go: (booking: Booking) => Promise<void> | void,
  ): Promise<void> {
    const time = readHeld(held);
    if (time === undefined) {
      response.redirect(303, `${request.baseUrl}/book`);
      return;
    }
    const service = await this.#serviceOf(request, response, time.serviceId);
    if (service !== undefined) await go({ service, time, held, now: this.#now() });
  }

  /** The service; answers by itself where it is not offered. */
  async #serviceOf(request: Request, response: Response, id: string): Promise<OfferedService | undefined> {
    const services = await this.#offered(request);
    const service = services.find((each) => each.id === id);
    if (service === undefined) {
      const frame = this.#answers.frame(request);
      send(response, 404, servicesPage(frame, services, frame.language.texts.notOffered));
    }
    return service;
  }

  async #offered(request: Request): Promise<readonly OfferedService[]> {
    const { applicationId } = this.#booking;
    return this.#scheduling.availability.offered(this.#visitor(request), { applicationId });
  }

  get #contact(): 'email' | 'phone' {
    return this.#booking.contact ?? 'email';
  }

  #visitor(request: Request): Visitor {
    return { clientAddress: addressOf(request, this.#trustProxy) ?? '', admitted: true };
  }
}
