import type { Scheduling } from '@calends/core';
import { checkScheduling, type LimitedClass } from '@calends/core/operations';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { entryScript } from './assets/entry-script.js';
import { stylesheet } from './assets/stylesheet.js';
import { zoneScript } from './assets/zone-script.js';
import { bookingParts } from './booking-parts.js';
import { ChoosingHandlers } from './choosing-handlers.js';
import { checkOptions, type CustomerPagesOptions } from './options.js';
import { PageAnswers } from './page-answers.js';
import { PageHandlers } from './page-handlers.js';
import { securityHeaders } from './security/headers.js';
import { StepHandlers } from './step-handlers.js';

/** Bytes; a reason has at most 1,000 characters, each percent-encoded at most 12. */
const maxFormBytes = 16 * 1024;

/**
 * Serves the customer pages under a path of their own: `app.use('/manage', customerPages(scheduling))`, with
 * `managePageUrl` of `createScheduling` naming the same place from outside.
 *
 * A manage link opens the entry page; its code is exchanged for a session cookie (`HttpOnly`, `SameSite=Strict`). The
 * pages work without script. GET changes nothing; forms are taken from the pages only. Secrets stand in no address that
 * a server gets. Works in Express 5 and 4.21; needs no body parser of the host.
 *
 * @throws TypeError for what is no library, for options that are unknown or unusable, and for `booking` over a library that has
 *   `availability` off
 */
export function customerPages(scheduling: Scheduling, options: CustomerPagesOptions = {}): Router {
  checkScheduling(scheduling);
  checkOptions(options);
  if (options.booking !== undefined && !scheduling.availability.isOn) {
    throw new TypeError(
      'customerPages: booking: the library has availability off; `createScheduling({ availability: {} })` turns it on',
    );
  }
  const answers = new PageAnswers(scheduling, options);
  const pages = new PageHandlers(scheduling, answers, options);
  const form = express.urlencoded({ extended: false, limit: maxFormBytes, parameterLimit: 20 });
  // Express 4 does not look after rejections.
  const caught =
    (handler: RequestHandler, fault: Fault): RequestHandler =>
    async (request, response, next) => {
      try {
        await handler(request, response, next);
      } catch (error) {
        fault(error, request, response);
      }
    };
  const limited = (kind: LimitedClass): RequestHandler => caught(answers.limited(kind), answers.fault);
  const managed = (handler: RequestHandler): RequestHandler => caught(handler, pages.fault);
  // Express tells this kind by its four parameters.
  const unread: ErrorRequestHandler = (_fault, request, response, _next) => {
    answers.unreadable(request, response);
  };

  const router = express.Router();
  const post = (path: string, ...handlers: readonly RequestHandler[]): void => {
    router.post(path, answers.fromOurPage, ...handlers);
  };
  router.use(securityHeaders);
  router.get('/assets/pages.css', asset('text/css; charset=utf-8', stylesheet));
  router.get('/assets/entry.js', asset('text/javascript; charset=utf-8', entryScript));
  router.get('/', pages.entry);
  post('/session', limited('proof'), form, managed(pages.begin));
  post('/session/end', form, managed(pages.end));
  router.get('/ended', managed(pages.ended));
  router.get('/appointment', managed(pages.appointment));
  router.get('/appointment.ics', managed(pages.calendarFile));
  router.get('/appointment/reschedule', managed(pages.askForTime));
  post('/appointment/reschedule', form, managed(pages.reschedule));
  router.get('/appointment/cancel', managed(pages.askToCancel));
  post('/appointment/cancel', form, managed(pages.cancel));
  if (options.booking !== undefined) {
    const parts = bookingParts(scheduling, answers, options, options.booking);
    const choosing = new ChoosingHandlers(parts);
    const steps = new StepHandlers(parts);
    const open = (handler: RequestHandler): RequestHandler => caught(handler, choosing.fault);
    router.get('/assets/zone.js', asset('text/javascript; charset=utf-8', zoneScript));
    router.get('/book', limited('unauthenticated'), open(choosing.services));
    router.get('/book/times', limited('unauthenticated'), open(choosing.times));
    post('/book/hold', limited('unauthenticated'), form, open(choosing.hold));
    router.get('/book/:id/details', limited('unauthenticated'), open(steps.details));
    post('/book/:id/details', limited('unauthenticated'), form, open(steps.sendCode));
    router.get('/book/:id/code', limited('unauthenticated'), open(steps.code));
    post('/book/:id/code', limited('proof'), form, open(steps.book));
    router.get('/book/:id/booked', limited('unauthenticated'), open(steps.booked));
    post('/book/:id/again', limited('unauthenticated'), form, open(choosing.again));
  }
  router.use(answers.nothingHere);
  router.use(unread);
  return router;
}

type Fault = (error: unknown, request: Request, response: Response) => void;

function asset(type: string, content: string): RequestHandler {
  return (_request, response) => {
    response.set({ 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' }).end(content);
  };
}
