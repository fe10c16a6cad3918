import { type Appointment, type Caller, type Scheduling, toICalendar } from '@calends/core';
import { formatDuration, limiterOf, parseTimeZone } from '@calends/core/operations';
import type { Request, RequestHandler, Response } from 'express';
import { unmovedBecause } from './changeable.js';
import { field, startOf } from './form-fields.js';
import type { CustomerPagesOptions } from './options.js';
import { appointmentPage } from './pages/appointment-page.js';
import { cancelPage } from './pages/cancel-page.js';
import { entryPage } from './pages/entry-page.js';
import { messagePage } from './pages/message-page.js';
import type { PageFrame } from './pages/page.js';
import { reschedulePage } from './pages/reschedule-page.js';
import { faultStatus, formProblem, isOver } from './problems.js';
import { limited, sourceOf } from './security/limits.js';
import { isFromOurPage } from './security/same-origin.js';
import { type Session, SessionCookie } from './security/session-cookie.js';
import { type Language, Languages } from './texts/languages.js';
import type { PageTextKey } from './texts/page-texts.js';

/** A customer with a session, and their appointment as it is now. */
interface Visit {
  readonly caller: Caller;
  readonly appointment: Appointment;
  readonly frame: PageFrame;
  readonly zone: string | undefined;
}

/** What the addresses of the pages do. */
export class PageHandlers {
  readonly #scheduling: Scheduling;
  readonly #options: CustomerPagesOptions;
  readonly #languages: Languages;
  readonly #cookie: SessionCookie;
  readonly #publicOrigin: string | undefined;
  /** Where codes of links are taken: a guess costs a request of the address. */
  readonly limited: RequestHandler;

  constructor(scheduling: Scheduling, options: CustomerPagesOptions) {
    this.#scheduling = scheduling;
    this.#options = options;
    this.#languages = new Languages(options.texts ?? {});
    const { publicUrl } = options;
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
    this.#cookie = new SessionCookie(options.secureCookie ?? publicUrl?.startsWith('http:') !== true);
    this.limited = limited({
      limiter: limiterOf(options.limits),
      trustProxy: options.trustProxy ?? 0,
      refuse: (request, response, source) => {
        scheduling.audit.noticed({ kind: 'limited', reason: 'too many requests from one address', source });
        this.#tell(request, response, 429, 'unavailableTitle', 'unavailableLead');
      },
    });
  }

  readonly fromOurPage: RequestHandler = (request, response, next) => {
    if (isFromOurPage(request, this.#publicOrigin)) {
      next();
      return;
    }
    const reason = 'another site sent a form';
    this.#scheduling.audit.noticed({ kind: 'foreignOrigin', reason, source: this.#sourceOf(request) });
    this.#tell(request, response, 403, 'problem', 'unmoved');
  };

  readonly entry: RequestHandler = (request, response) => {
    send(response, 200, entryPage(this.#frame(request)));
  };

  readonly begin: RequestHandler = async (request, response) => {
    try {
      const session = await this.#scheduling.customers.exchangeManageLink(field(request, 'code').trim(), {
        source: this.#sourceOf(request),
      });
      this.#cookie.begin(request, response, session, parseTimeZone(field(request, 'zone')));
      response.redirect(303, `${request.baseUrl}/appointment`);
    } catch (error) {
      if (!isOver(error)) throw error;
      this.#over(request, response);
    }
  };

  /** What was copied from the cookie must open nothing either. */
  readonly end: RequestHandler = async (request, response) => {
    for (const { token } of this.#cookie.read(request)) await this.#scheduling.customers.endSession(token);
    this.#cookie.end(request, response);
    this.#tell(request, response, 200, 'leftTitle', 'leftLead');
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
          done: done === undefined ? undefined : frame.language.texts[done],
        }),
      );
    });

  readonly calendarFile: RequestHandler = (request, response) =>
    this.#visit(request, response, async ({ appointment }) => {
      const details = await this.#scheduling.access.detailsOf(appointment);
      response
        .set({
          'Content-Type': 'text/calendar; charset=utf-8',
          'Content-Disposition': 'attachment; filename="appointment.ics"',
        })
        .end(toICalendar(appointment, { url: details?.roomUrl }));
    });

  readonly askForTime: RequestHandler = (request, response) =>
    this.#visit(request, response, ({ appointment, frame, zone }) => {
      send(response, 200, reschedulePage(frame, { appointment, zone }));
    });

  readonly reschedule: RequestHandler = (request, response) =>
    this.#visit(request, response, async ({ caller, appointment, frame, zone }) => {
      const entered = { date: field(request, 'date'), time: field(request, 'time') };
      const again = (status: number, problem: PageTextKey, shown = appointment): void => {
        const view = { appointment: shown, zone, entered, problem: frame.language.texts[problem] };
        send(response, status, reschedulePage(frame, view));
      };
      const { id, schedule, version } = appointment;
      const start = startOf(entered.date, entered.time, schedule.timezone);
      if (start === undefined) {
        again(400, 'enterDateAndTime');
        return;
      }
      const command = {
        id,
        start,
        duration: formatDuration(schedule.end - schedule.start),
        timezone: schedule.timezone,
      };
      try {
        const expectedVersions = [Number(field(request, 'version'))];
        const moved = await this.#scheduling.appointments.reschedule(caller, command, { expectedVersions });
        response.redirect(303, `${frame.base}/appointment?${moved.version === version ? 'unmoved' : 'moved'}`);
      } catch (error) {
        const problem = formProblem(error, unmovedBecause(appointment));
        if (problem === undefined) throw error;
        again(problem.status, problem.text);
      }
    });

  readonly askToCancel: RequestHandler = (request, response) =>
    this.#visit(request, response, ({ appointment, frame, zone }) => {
      send(response, 200, cancelPage(frame, { appointment, zone }));
    });

  readonly cancel: RequestHandler = (request, response) =>
    this.#visit(request, response, async ({ caller, appointment, frame, zone }) => {
      const reason = field(request, 'reason');
      const { texts } = frame.language;
      try {
        await this.#scheduling.appointments.cancel(caller, { id: appointment.id, cancelReason: reason });
        this.#cookie.end(request, response);
        send(response, 200, messagePage(frame, texts.cancelledTitle, texts.cancelledLead));
      } catch (error) {
        const problem = formProblem(error, { status: 400, text: 'reasonTooLong' });
        if (problem === undefined) throw error;
        send(response, problem.status, cancelPage(frame, { appointment, zone, reason, problem: texts[problem.text] }));
      }
    });

  readonly nothingHere: RequestHandler = (request, response) => {
    this.#tell(request, response, 404, 'nothingHereTitle', 'nothingHereLead');
  };

  /** A body that is too large, or no form. */
  unreadable(request: Request, response: Response): void {
    this.#tell(request, response, 400, 'problem', 'unmoved');
  }

  /** What a handler threw. */
  fault(error: unknown, request: Request, response: Response): void {
    if (isOver(error)) {
      this.#over(request, response);
      return;
    }
    try {
      this.#options.onFault?.(error);
    } catch {
      // The host's hook must not be able to take the answer away.
    }
    this.#tell(request, response, faultStatus(error), 'unavailableTitle', 'unavailableLead');
  }

  /** Goes on with the customer's appointment, or leads back to the entry. */
  async #visit(request: Request, response: Response, go: (visit: Visit) => Promise<void> | void): Promise<void> {
    const sessions = this.#cookie.read(request);
    if (sessions.length === 0) {
      response.redirect(303, `${request.baseUrl}/`);
      return;
    }
    const opened = await this.#firstThatHolds(sessions);
    if (opened === undefined) {
      this.#over(request, response);
      return;
    }
    const { caller, appointment } = opened;
    const frame = this.#frame(request, this.#languages.of(appointment.locale));
    const zone = parseTimeZone(this.#cookie.zone(request) ?? '');
    await go({ caller, appointment, frame, zone });
  }

  /** A neighbour may have put a cookie of the same name beside ours: it must not lock the customer out. */
  async #firstThatHolds(sessions: readonly Session[]): Promise<Pick<Visit, 'caller' | 'appointment'> | undefined> {
    for (const { token, appointmentId } of sessions) {
      const caller = this.#scheduling.customers.verifyCustomerToken(token);
      if (caller === undefined) continue;
      try {
        return { caller, appointment: await this.#scheduling.appointments.get(caller, appointmentId) };
      } catch (error) {
        if (!isOver(error)) throw error;
      }
    }
    return undefined;
  }

  #sourceOf(request: Request): string | undefined {
    return sourceOf(request, this.#options.trustProxy ?? 0);
  }

  #over(request: Request, response: Response): void {
    this.#cookie.end(request, response);
    this.#tell(request, response, 403, 'staleTitle', 'staleLead');
  }

  #tell(request: Request, response: Response, status: number, title: PageTextKey, lead: PageTextKey): void {
    const frame = this.#frame(request);
    const { texts } = frame.language;
    send(response, status, messagePage(frame, texts[title], texts[lead]));
  }

  #frame(request: Request, language: Language = this.#wished(request)): PageFrame {
    return { language, base: request.baseUrl, name: this.#options.name };
  }

  /** The browser's language, where it is known. */
  #wished(request: Request): Language {
    const usual = this.#languages.of(this.#options.locale ?? 'en');
    // The first one is taken where the browser wishes none in particular.
    const wish = request.acceptsLanguages([usual.tag, ...this.#languages.tags]);
    return wish === false || wish === usual.tag ? usual : this.#languages.of(wish);
  }
}

function doneText(request: Request): 'moved' | 'unmoved' | undefined {
  const query = request.originalUrl.split('?')[1];
  return query === 'moved' || query === 'unmoved' ? query : undefined;
}

function send(response: Response, status: number, page: string): void {
  response.status(status).set('Content-Type', 'text/html; charset=utf-8').end(page);
}
