import { formatDuration, type OfferedService, parseDuration, parseTimeZone } from '@calends/core/operations';
import type { Request, RequestHandler, Response } from 'express';
import type { BookingParts } from './booking-parts.js';
import { bookingIn, bookingPath } from './booking-progress.js';
import { field, parameter } from './form-fields.js';
import { dayToReturnTo, findFreeTimes } from './free-times.js';
import { readHeld, writeHeld } from './held-time.js';
import { giveUp, holdInPlace, idIn } from './holding.js';
import { send } from './page-answers.js';
import { servicesPage } from './pages/booking/services-page.js';
import { timesAddress, type TimesAsked, timesPage } from './pages/booking/times-page.js';
import { bookingProblem, timesRefusal } from './problems.js';

/** What the addresses of choosing do: service, time, another time. */
export class ChoosingHandlers {
  readonly #parts: BookingParts;

  constructor(parts: BookingParts) {
    this.#parts = parts;
  }

  readonly services: RequestHandler = async (request, response) => {
    const { answers, offers } = this.#parts;
    const services = await offers.services(request);
    const frame = answers.frame(request);
    const only = onlyChoice(services);
    if (only !== undefined) {
      response.redirect(303, timesAddress(frame, only));
      return;
    }
    send(response, 200, servicesPage(frame, services));
  };

  readonly times: RequestHandler = async (request, response) => {
    const { scheduling, answers, offers, now } = this.#parts;
    const serviceId = parameter(request, 'service');
    const services = await offers.services(request);
    const frame = answers.frame(request);
    const service = services.find(({ id }) => id === serviceId);
    if (service === undefined) {
      send(response, 404, servicesPage(frame, services, frame.language.texts.notOffered));
      return;
    }
    // A service may write `PT90M`, and an address of another page `PT1H30M`.
    const length = parseDuration(parameter(request, 'duration'));
    const duration = service.durations.find((each) => parseDuration(each) === length) ?? service.durations[0] ?? '';
    const zone = parseTimeZone(parameter(request, 'zone'));
    const { applicationId } = offers;
    const about = { applicationId, serviceId, durations: [duration] };
    const free = await findFreeTimes({
      find: (window) => scheduling.availability.find(offers.visitor(request), { ...about, ...window }),
      zone: zone ?? service.timezone,
      asked: parameter(request, 'from'),
      now: now(),
    });
    const refused = timesRefusal(parameter(request, 'refused'));
    const problem = refused && frame.language.texts[refused.text];
    send(
      response,
      refused?.status ?? 200,
      timesPage(frame, { service, duration, free, zone, isOnly: onlyChoice(services) !== undefined, problem }),
    );
  };

  readonly hold: RequestHandler = async (request, response) => {
    const { scheduling, offers, progress, heldCookie } = this.#parts;
    const { applicationId } = offers;
    const [serviceId, duration] = [field(request, 'service'), field(request, 'duration')];
    const zone = parseTimeZone(field(request, 'zone'));
    try {
      const replaces = heldCookie.read(request)?.token;
      const command = { applicationId, serviceId, start: field(request, 'start'), duration, replaces };
      const held = await holdInPlace(scheduling, offers.visitor(request), command);
      const id = idIn(held.token);
      heldCookie.keep(request, response, held);
      progress.keep(request, response, id, { held: writeHeld(held, zone), stage: { at: 'details' } });
      response.redirect(303, `${this.#parts.answers.base(request)}${bookingPath(id)}/details`);
    } catch (error) {
      const problem = bookingProblem(error);
      if (problem?.next === undefined) throw error;
      // Where nobody has said yet who comes, it is the time that is wrong.
      const refused = problem.next === 'details' ? 'chooseTime' : problem.text;
      const from = field(request, 'from') || undefined;
      this.#toTimes(request, response, { serviceId, duration, zone, from, refused });
    }
  };

  readonly again: RequestHandler = async (request, response) => {
    const { scheduling, offers, progress, heldCookie, now } = this.#parts;
    const time = readHeld(field(request, 'held'));
    if (time === undefined || idIn(time.token) !== bookingIn(request)) {
      response.redirect(303, `${this.#parts.answers.base(request)}/book`);
      return;
    }
    const { serviceId, start, end, zone, token } = time;
    const { applicationId } = offers;
    await giveUp(scheduling, offers.visitor(request), { applicationId, token });
    heldCookie.forget(request, response, idIn(token));
    progress.forget(request, response, idIn(token));
    const service = (await offers.services(request)).find((each) => each.id === serviceId);
    const from = dayToReturnTo(start, zone ?? service?.timezone ?? 'UTC', now());
    this.#toTimes(request, response, { serviceId, duration: formatDuration(end - start), from, zone });
  };

  /** What a handler threw. */
  readonly fault = (error: unknown, request: Request, response: Response): void => {
    const { answers } = this.#parts;
    const problem = bookingProblem(error);
    if (problem === undefined) answers.fault(error, request, response);
    else answers.refusal(error, request, response, problem);
  };

  #toTimes(request: Request, response: Response, asked: TimesAsked): void {
    response.redirect(303, timesAddress(this.#parts.answers.frame(request), asked));
  }
}

/** The only service of only one duration: there is nothing to choose. */
function onlyChoice([only, ...others]: readonly OfferedService[]): TimesAsked | undefined {
  const [duration, ...longer] = only?.durations ?? [];
  if (only === undefined || duration === undefined || others.length + longer.length > 0) return undefined;
  return { serviceId: only.id, duration };
}
