import { formatDuration } from '@calends/core/operations';
import type { Request, RequestHandler, Response } from 'express';
import { bookOnce } from './booking-once.js';
import type { BookingParts } from './booking-parts.js';
import { type Asked, bookingIn, bookingPath, type CodeStage, type Progress, type Stage } from './booking-progress.js';
import { addressesOf, type Entered, enteredIn, faultOf, nothingEntered } from './entered.js';
import { field } from './form-fields.js';
import { dayToReturnTo } from './free-times.js';
import { type Held, readHeld } from './held-time.js';
import { idIn } from './holding.js';
import { send } from './page-answers.js';
import { bookedPage } from './pages/booking/booked-page.js';
import type { Booking } from './pages/booking/chosen-time.js';
import { codePage } from './pages/booking/code-page.js';
import { detailsPage } from './pages/booking/details-page.js';
import { timesAddress } from './pages/booking/times-page.js';
import { messagePage } from './pages/message-page.js';
import { bookingProblem } from './problems.js';
import type { PageTextKey } from './texts/page-texts.js';

/** A form that was sent. */
interface Sent {
  readonly booking: Booking;
  readonly entered: Entered;
  /** What the browser has kept of the code that was asked for before. */
  readonly asked: Asked | undefined;
}

/**
 * What the addresses of one booking do: who comes, the code, the confirmation.
 *
 * A form leads to the page of the stage that was reached, by 303, so that Back and Reload send nothing again. What the page
 * shows is kept by the browser; one that keeps no cookie gets the page as the answer to its form, which carries everything.
 */
export class StepHandlers {
  readonly #parts: BookingParts;

  constructor(parts: BookingParts) {
    this.#parts = parts;
  }

  readonly details: RequestHandler = (request, response) => this.#visit(request, response, 'details');
  readonly code: RequestHandler = (request, response) => this.#visit(request, response, 'code');
  readonly booked: RequestHandler = (request, response) => this.#visit(request, response, 'booked');

  readonly sendCode: RequestHandler = (request, response) =>
    this.#withForm(request, response, async (sent) => {
      const { entered, asked } = sent;
      const { scheduling, answers, offers, now } = this.#parts;
      const fault = faultOf(entered, offers.contact);
      if (fault !== undefined) return { at: 'details', entered, asked, refused: { status: 400, text: fault } };
      const kept = this.#kept(request)?.stage;
      // Another form of the same booking was quicker.
      if (kept?.at === 'booked') return kept;
      const { applicationId, contact } = offers;
      const username = addressesOf(entered)[contact];
      if (!(await answers.isWithinLimits(request, response, applicationId, username))) return undefined;
      const { locale } = answers.frame(request).language;
      const source = answers.sourceOf(request);
      try {
        // Whether one is sent the library tells nobody: that could say whom it knows. So it is asked whatever is told.
        await scheduling.customers.requestOtp({ applicationId, username, locale, source });
        return { at: 'code', entered, ...askedAgain(asked, { to: username.toLowerCase(), at: now() }) };
      } catch (error) {
        return this.#refused(request, response, sent, error);
      }
    });

  readonly book: RequestHandler = (request, response) =>
    this.#withForm(request, response, async (sent) => {
      const { booking, entered } = sent;
      const { scheduling, answers, offers, heldCookie } = this.#parts;
      const { applicationId, contact } = offers;
      const username = addressesOf(entered)[contact];
      if (!(await answers.isWithinLimits(request, response, applicationId, username))) return undefined;
      try {
        const { title, schedule, notificationsActive } = await bookOnce(scheduling, {
          ...booking,
          applicationId,
          entered,
          username,
          code: field(request, 'code').replace(/\s/g, ''),
          locale: answers.frame(request).language.locale,
          source: answers.sourceOf(request),
        });
        heldCookie.forget(request, response, idIn(booking.time.token));
        return { at: 'booked', title, schedule, notified: notificationsActive };
      } catch (error) {
        const kept = this.#kept(request)?.stage;
        // What is booked stays booked, whatever code comes afterwards.
        if (kept?.at === 'booked' && bookingProblem(error)?.next === 'code') return kept;
        return this.#refused(request, response, sent, error);
      }
    });

  /** Shows a page of the booking, leads to the one that it has come to, or says that the browser keeps nothing of it. */
  async #visit(request: Request, response: Response, asked: Stage['at']): Promise<void> {
    const kept = this.#kept(request);
    if (kept === undefined) {
      this.#tellOfNothing(request, response, asked);
      return;
    }
    const { held, stage } = kept;
    if (asked === 'details' && stage.at === 'code') {
      await this.#show(request, response, { held, stage: { at: 'details', entered: stage.entered } });
    } else if (asked === stage.at) await this.#show(request, response, kept);
    else this.#lead(request, response, stage);
  }

  /** Whose browser takes no cookies would come back to the times with each press, and hold one after the other. */
  #tellOfNothing(request: Request, response: Response, asked: Stage['at']): void {
    const { answers } = this.#parts;
    const frame = answers.frame(request);
    const begin = `${answers.base(request)}/book`;
    const { problem, notKept } = frame.language.texts;
    if (asked === 'booked') response.redirect(303, begin);
    else send(response, 404, messagePage(frame, problem, notKept, begin));
  }

  /** Goes from a form to the page of the stage that was reached; `undefined` = was answered already. */
  async #withForm(
    request: Request,
    response: Response,
    reach: (sent: Sent) => Promise<Stage | undefined>,
  ): Promise<void> {
    const held = field(request, 'held');
    const booking = await this.#bookingOf(request, response, held);
    if (booking === undefined) return;
    const kept = this.#kept(request);
    const asked = kept === undefined || kept.stage.at === 'booked' ? undefined : kept.stage.asked;
    const stage = await reach({ booking, entered: enteredIn(request), asked });
    if (stage === undefined) return;
    const { progress } = this.#parts;
    if (kept !== undefined && progress.keep(request, response, bookingIn(request), { held, stage })) {
      this.#lead(request, response, stage);
    } else await this.#show(request, response, { held, stage });
  }

  /** Where a form leads that was refused. */
  #refused(request: Request, response: Response, sent: Sent, error: unknown): Stage | undefined {
    const problem = bookingProblem(error);
    if (problem?.next === undefined) throw error;
    const { booking, entered, asked } = sent;
    const { answers, offers } = this.#parts;
    const { status, text, next } = problem;
    if (next === 'details') {
      return { at: 'details', entered, asked, refused: { status, text: faultOf(entered, offers.contact) ?? text } };
    }
    if (next === 'code') return { at: 'code', entered, asked, refused: { status, text } };
    const frame = answers.frame(request);
    if (next === 'time') {
      const { start, zone = booking.service.timezone } = booking.time;
      this.#leadToTimes(request, response, booking.time, text, dayToReturnTo(start, zone, this.#parts.now()));
    } else send(response, status, messagePage(frame, frame.language.texts.problem, frame.language.texts[text]));
    return undefined;
  }

  async #show(request: Request, response: Response, { held, stage }: Progress): Promise<void> {
    const { answers, offers } = this.#parts;
    const frame = answers.frame(request);
    if (stage.at === 'booked') {
      const time = readHeld(held);
      const service = (await offers.services(request)).find(({ id }) => id === time?.serviceId);
      send(response, 200, bookedPage(frame, { ...stage, service, zone: time?.zone }));
      return;
    }
    const booking = await this.#bookingOf(request, response, held);
    if (booking === undefined) return;
    const { contact } = offers;
    const { entered = nothingEntered, refused } = stage;
    const { texts } = frame.language;
    const view = { ...booking, entered, contact, problem: refused && texts[refused.text] };
    const page =
      stage.at === 'details'
        ? detailsPage(frame, view)
        : codePage(frame, {
            ...view,
            isKept: this.#kept(request) !== undefined,
            done: stage.told && texts[stage.told],
          });
    send(response, refused?.status ?? 200, page);
  }

  /**
   * The booking of this address; leads back to the first page where the time is none, or another one, and to what is offered
   * where its service is not any more.
   */
  async #bookingOf(request: Request, response: Response, held: string): Promise<Booking | undefined> {
    const { offers, heldCookie, now } = this.#parts;
    const time = readHeld(held);
    const id = bookingIn(request);
    if (time === undefined || idIn(time.token) !== id) {
      response.redirect(303, `${this.#parts.answers.base(request)}/book`);
      return undefined;
    }
    const service = (await offers.services(request)).find((each) => each.id === time.serviceId);
    if (service !== undefined) {
      const isHeld = !heldCookie.isTakenOver(request) && time.until > now();
      return { service, time, held, path: `${this.#parts.answers.base(request)}${bookingPath(id)}`, isHeld };
    }
    const kept = this.#kept(request)?.stage;
    // What is booked stays booked, whatever is offered afterwards.
    if (kept?.at === 'booked') this.#lead(request, response, kept);
    else this.#leadToTimes(request, response, time, 'notOffered');
    return undefined;
  }

  #kept(request: Request): Progress | undefined {
    return this.#parts.progress.read(request, bookingIn(request));
  }

  #leadToTimes(request: Request, response: Response, time: Held, refused: PageTextKey, from?: string): void {
    const { serviceId, start, end, zone } = time;
    const asked = { serviceId, duration: formatDuration(end - start), from, zone, refused };
    response.redirect(303, timesAddress(this.#parts.answers.frame(request), asked));
  }

  #lead(request: Request, response: Response, { at }: Stage): void {
    response.redirect(303, `${this.#parts.answers.base(request)}${bookingPath(bookingIn(request))}/${at}`);
  }
}

/** The library sends no other code to an address so soon. */
const pause = 60_000;

/** What is told of a code that this browser had asked for before: the minute goes on where it has not passed. */
function askedAgain(before: Asked | undefined, asked: Asked): Pick<CodeStage, 'told' | 'asked'> {
  if (before?.to !== asked.to) return { asked };
  return asked.at < before.at + pause ? { asked: before, told: 'codeSentBefore' } : { asked, told: 'codeAskedAgain' };
}
