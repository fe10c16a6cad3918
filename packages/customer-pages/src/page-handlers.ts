import { type Appointment, CalendsError, type Caller, type Scheduling, toICalendar } from '@calends/core';
import { formatDuration, isWebLink, limits, parseTimeZone } from '@calends/core/operations';
import type { Request, RequestHandler, Response } from 'express';
import { isChangeable, isPast, unmovedBecause } from './changeable.js';
import { field, parameter, startOf, type TimeFields } from './form-fields.js';
import { findFreeTimes, type FreeTimes } from './free-times.js';
import type { CustomerPagesOptions } from './options.js';
import { moveOnce } from './moving-once.js';
import { cancelledBy } from './own-cancellation.js';
import { type PageAnswers, send } from './page-answers.js';
import { appointmentPage } from './pages/appointment-page.js';
import { cancelPage } from './pages/cancel-page.js';
import { entryPage } from './pages/entry-page.js';
import { markOf } from './pages/hidden-fields.js';
import { messagePage } from './pages/message-page.js';
import type { PageFrame } from './pages/page.js';
import { reschedulePage } from './pages/reschedule-page.js';
import { type FormProblem, formProblem, isNotFound, isOver, opensNothing } from './problems.js';
import { Cookies } from './security/cookies.js';
import { EndedCookie, type Ending } from './security/ended-cookie.js';
import { type Session, SessionCookie } from './security/session-cookie.js';

/** A customer with a session, and their appointment as it is now. */
interface Visit {
  readonly caller: Caller;
  readonly appointment: Appointment;
  readonly frame: PageFrame;
  readonly zone: string | undefined;
}

/** From which day on times are shown, and why they are shown again. */
interface TimeAsked {
  readonly from: string;
  readonly entered?: TimeFields;
  readonly refused?: FormProblem;
}

/** What the addresses of the pages do. */
export class PageHandlers {
  readonly #scheduling: Scheduling;
  readonly #answers: PageAnswers;
  readonly #cookie: SessionCookie;
  readonly #ended: EndedCookie;
  readonly #now: () => number;

  constructor(scheduling: Scheduling, answers: PageAnswers, options: CustomerPagesOptions) {
    this.#scheduling = scheduling;
    this.#answers = answers;
    const cookies = new Cookies(options);
    this.#cookie = new SessionCookie(cookies);
    this.#ended = new EndedCookie(cookies);
    this.#now = options.now ?? Date.now;
  }

  readonly entry: RequestHandler = (request, response) => {
    send(response, 200, entryPage(this.#answers.frame(request)));
  };

  readonly begin: RequestHandler = async (request, response) => {
    try {
      // Whoever copies it out of a message has the whole link.
      const [code = ''] = field(request, 'code').trim().split('#').slice(-1);
      const session = await this.#scheduling.customers.exchangeManageLink(code, {
        source: this.#answers.sourceOf(request),
      });
      this.#cookie.begin(request, response, session, parseTimeZone(field(request, 'zone')));
      response.redirect(303, `${this.#answers.base(request)}/appointment`);
    } catch (error) {
      if (!opensNothing(error)) throw error;
      this.#cookie.end(request, response);
      const frame = this.#answers.frame(request);
      const { staleTitle, staleLead } = frame.language.texts;
      // A code that was entered by hand may be mistyped.
      send(response, 403, messagePage(frame, staleTitle, staleLead, `${frame.base}/`));
    }
  };

  /** What was copied from the cookie must open nothing either. */
  readonly end: RequestHandler = async (request, response) => {
    for (const { token } of this.#cookie.read(request)) await this.#scheduling.customers.endSession(token);
    this.#end(request, response, { how: 'left', locale: this.#answers.frame(request).language.tag });
  };

  readonly ended: RequestHandler = (request, response) => {
    const ending = this.#ended.read(request);
    if (ending === undefined) {
      response.redirect(303, `${this.#answers.base(request)}/`);
      return;
    }
    const frame = this.#answers.frame(request, this.#answers.languages.of(ending.locale));
    const { cancelledTitle, cancelledLead, leftTitle, leftLead } = frame.language.texts;
    const [title, lead] = ending.how === 'cancelled' ? [cancelledTitle, cancelledLead] : [leftTitle, leftLead];
    send(response, 200, messagePage(frame, title, lead));
  };

  readonly appointment: RequestHandler = (request, response) =>
    this.#visit(request, response, async ({ appointment, frame, zone }) => {
      const details = await this.#scheduling.access.detailsOf(appointment);
      const done = doneText(request);
      send(
        response,
        200,
        appointmentPage(frame, {
          appointment,
          zone,
          roomUrl: details?.roomUrl,
          opensAt: await this.#scheduling.access.opensAt(appointment),
          isPast: isPast(appointment, this.#now()),
          done: done === undefined ? undefined : frame.language.texts[done],
        }),
      );
    });

  readonly calendarFile: RequestHandler = (request, response) =>
    this.#visit(request, response, async ({ appointment }) => {
      const { roomUrl } = (await this.#scheduling.access.detailsOf(appointment)) ?? {};
      // A room may be a number to dial, or be reached by an app: the page leads there.
      const url = roomUrl !== undefined && isWebLink(roomUrl) ? roomUrl : undefined;
      response
        .set({
          'Content-Type': 'text/calendar; charset=utf-8',
          'Content-Disposition': 'attachment; filename="appointment.ics"',
        })
        .end(toICalendar(appointment, { url }));
    });

  readonly askForTime: RequestHandler = (request, response) =>
    this.#visit(request, response, (visit) =>
      this.#refusesPast(response, visit)
        ? undefined
        : this.#askForTime(response, visit, { from: parameter(request, 'from') }),
    );

  readonly reschedule: RequestHandler = (request, response) =>
    this.#change(request, response, async (visit) => {
      const { caller, appointment, frame } = visit;
      const entered = { date: field(request, 'date'), time: field(request, 'time') };
      const again = (refused: FormProblem, seen = visit): Promise<void> =>
        this.#askForTime(response, seen, { from: field(request, 'from'), entered, refused });
      const { id, schedule } = appointment;
      const chosen = field(request, 'start');
      const start = chosen === '' ? startOf(entered, schedule) : chosen;
      if (start === undefined) {
        await again({ status: 400, text: appointment.service === undefined ? 'enterDateAndTime' : 'chooseTime' });
        return;
      }
      const command = {
        id,
        start,
        duration: formatDuration(schedule.end - schedule.start),
        timezone: schedule.timezone,
        // A host without services lets customers move what was booked with one; these pages offer no time for it.
        serviceId: appointment.service?.id,
      };
      try {
        const version = Number(field(request, 'version'));
        const done = await moveOnce(this.#scheduling, { caller, command, present: appointment, version });
        response.redirect(303, `${frame.base}/appointment?${done}`);
      } catch (error) {
        const problem = formProblem(error, unmovedBecause(appointment));
        if (problem === undefined) throw error;
        await again(problem, await this.#present(visit));
      }
    });

  readonly askToCancel: RequestHandler = (request, response) =>
    this.#visit(request, response, (visit) => {
      const { appointment, frame, zone } = visit;
      if (!this.#refusesPast(response, visit)) send(response, 200, cancelPage(frame, { appointment, zone }));
    });

  readonly cancel: RequestHandler = async (request, response) => {
    // A button that was pressed twice: the first answer has taken the session, and said so where the second goes.
    if (this.#cookie.read(request).length === 0 && this.#ended.read(request)?.how === 'cancelled') {
      response.redirect(303, `${this.#answers.base(request)}/ended`);
      return;
    }
    await this.#change(request, response, (visit) => this.#cancel(request, response, visit));
  };

  async #cancel(request: Request, response: Response, visit: Visit): Promise<void> {
    const { caller, appointment, frame, zone } = visit;
    const reason = field(request, 'reason');
    const { texts } = frame.language;
    try {
      const expectedVersions = [Number(field(request, 'version'))];
      const command = { id: appointment.id, cancelReason: reason };
      await this.#scheduling.appointments.cancel(caller, command, { expectedVersions });
      this.#end(request, response, { how: 'cancelled', locale: frame.language.tag });
    } catch (error) {
      const isLong = reason.length > limits.cancelReason;
      const problem = formProblem(error, { status: 400, text: isLong ? 'reasonTooLong' : 'reasonUnreadable' });
      if (problem === undefined) throw error;
      const { appointment: present } = await this.#present(visit);
      const view = { appointment: present, zone, reason, problem: texts[problem.text] };
      send(response, problem.status, cancelPage(frame, view));
    }
  }

  /** What a handler threw. */
  readonly fault = (error: unknown, request: Request, response: Response): void => {
    const problem = formProblem(error);
    if (isOver(error)) this.#over(request, response);
    else if (problem === undefined) this.#answers.fault(error, request, response);
    else this.#answers.refusal(error, request, response, problem);
  };

  /** Goes on with the customer's appointment, says that they have cancelled it, or leads back to the entry. */
  async #visit(request: Request, response: Response, go: (visit: Visit) => Promise<void> | void): Promise<void> {
    const sessions = this.#cookie.read(request);
    if (sessions.length === 0) {
      response.redirect(303, `${this.#answers.base(request)}/`);
      return;
    }
    try {
      const { caller, appointment } = await this.#firstThatHolds(sessions);
      const frame = this.#answers.frame(request, this.#answers.languages.of(appointment.locale));
      const zone = parseTimeZone(this.#cookie.zone(request) ?? '');
      await go({ caller, appointment, frame, zone });
    } catch (error) {
      // A cancellation may have been done whose answer came to nobody: the store was slow, or the browser threw it away for a second press.
      const cancelled = isOver(error) ? await cancelledBy(this.#scheduling, sessions) : undefined;
      if (cancelled === undefined || (request.method === 'POST' && !isFormOf(request, cancelled))) throw error;
      this.#end(request, response, { how: 'cancelled', locale: this.#answers.languages.of(cancelled.locale).tag });
    }
  }

  /** Goes on with a form of the customer's appointment: where another link was opened since, it must not change what that is for. */
  #change(request: Request, response: Response, go: (visit: Visit) => Promise<void>): Promise<void> {
    return this.#visit(request, response, async (visit) => {
      const { appointment, frame } = visit;
      if (isFormOf(request, appointment)) {
        await go(visit);
        return;
      }
      const { problem, otherOpened } = frame.language.texts;
      send(response, 409, messagePage(frame, problem, otherOpened, `${frame.base}/appointment`));
    });
  }

  /** Says of an appointment whose time has passed that it is over, where a change of it is asked for. */
  #refusesPast(response: Response, { appointment, frame }: Visit): boolean {
    const isRefused = isPast(appointment, this.#now());
    const { problem, stateOver } = frame.language.texts;
    if (isRefused) send(response, 409, messagePage(frame, problem, stateOver, `${frame.base}/appointment`));
    return isRefused;
  }

  /** The visit with the appointment as it is by now: what has refused a form may be a change that was made since. */
  async #present(visit: Visit): Promise<Visit> {
    return { ...visit, appointment: await this.#scheduling.appointments.get(visit.caller, visit.appointment.id) };
  }

  /** Asks for another time; says so where the service is gone, without which nobody moves online what was booked with it. */
  async #askForTime(response: Response, visit: Visit, { from, entered, refused }: TimeAsked): Promise<void> {
    const { appointment, frame, zone } = visit;
    const { texts } = frame.language;
    try {
      const free = await this.#freeTimes(visit, from);
      const problem = refused && texts[refused.text];
      send(response, refused?.status ?? 200, reschedulePage(frame, { appointment, zone, free, entered, problem }));
    } catch (error) {
      const gone = isNotFound(error) ? formProblem(error) : undefined;
      if (gone === undefined) throw error;
      const back = `${frame.base}/appointment`;
      send(response, gone.status, messagePage(frame, texts.problem, texts[gone.text], back));
    }
  }

  /** What an appointment that was booked with a service may be moved to; `undefined` where any time can be asked for. */
  async #freeTimes({ caller, appointment, zone }: Visit, asked: string): Promise<FreeTimes | undefined> {
    const { id, applicationId, service, schedule } = appointment;
    if (service === undefined || !isChangeable(appointment)) return undefined;
    const about = { applicationId, serviceId: service.id, appointmentId: id };
    return findFreeTimes({
      find: (window) => this.#scheduling.availability.find(caller, { ...about, ...window }),
      zone: zone ?? schedule.timezone,
      asked,
      now: this.#now(),
    });
  }

  /**
   * A neighbour may have put a cookie of the same name beside ours: it must not lock the customer out.
   *
   * @throws CalendsError `stale_ticket` where none holds
   */
  async #firstThatHolds(sessions: readonly Session[]): Promise<Pick<Visit, 'caller' | 'appointment'>> {
    for (const { token, appointmentId } of sessions) {
      const caller = this.#scheduling.customers.verifyCustomerToken(token);
      if (caller === undefined) continue;
      try {
        return { caller, appointment: await this.#scheduling.appointments.get(caller, appointmentId) };
      } catch (error) {
        if (!opensNothing(error)) throw error;
      }
    }
    throw new CalendsError('stale_ticket', 'No session of the browser holds.');
  }

  /** Leads to the page that says so, which needs no session. */
  #end(request: Request, response: Response, ending: Ending): void {
    this.#cookie.end(request, response);
    this.#ended.keep(request, response, ending, this.#now());
    response.redirect(303, `${this.#answers.base(request)}/ended`);
  }

  /** Of the link it says nothing: it stands where the customer has left on another device. */
  #over(request: Request, response: Response): void {
    this.#cookie.end(request, response);
    this.#answers.tell(request, response, 403, 'leftTitle', 'signedOutLead');
  }
}

function isFormOf(request: Request, { id }: Appointment): boolean {
  const shown = field(request, 'appointment');
  // A page that was opened before an update of the host names none.
  return shown === '' || shown === markOf(id);
}

function doneText(request: Request): 'moved' | 'unmoved' | undefined {
  const query = request.originalUrl.split('?')[1];
  return query === 'moved' || query === 'unmoved' ? query : undefined;
}
