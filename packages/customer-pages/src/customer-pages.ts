import type { Scheduling } from '@calends/core';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { entryScript } from './assets/entry-script.js';
import { stylesheet } from './assets/stylesheet.js';
import { checkOptions, type CustomerPagesOptions } from './options.js';
import { PageHandlers } from './page-handlers.js';
import { securityHeaders } from './security/headers.js';

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
 * @throws TypeError for options that are unknown or unusable
 */
export function customerPages(scheduling: Scheduling, options: CustomerPagesOptions = {}): Router {
  checkOptions(options);
  const pages = new PageHandlers(scheduling, options);
  const form = express.urlencoded({ extended: false, limit: maxFormBytes, parameterLimit: 20 });
  // Express 4 does not look after rejections.
  const caught =
    (handler: RequestHandler): RequestHandler =>
    async (request, response, next) => {
      try {
        await handler(request, response, next);
      } catch (error) {
        pages.fault(error, request, response);
      }
    };
  const post = (path: string, handler: RequestHandler, ...before: readonly RequestHandler[]): void => {
    router.post(path, pages.fromOurPage, ...before.map(caught), form, caught(handler));
  };
  // Express tells this kind by its four parameters.
  const unread: ErrorRequestHandler = (_fault, request, response, _next) => {
    pages.unreadable(request, response);
  };

  const router = express.Router();
  router.use(securityHeaders);
  router.get('/assets/pages.css', asset('text/css; charset=utf-8', stylesheet));
  router.get('/assets/entry.js', asset('text/javascript; charset=utf-8', entryScript));
  router.get('/', pages.entry);
  post('/session', pages.begin, pages.limited);
  post('/session/end', pages.end);
  router.get('/appointment', caught(pages.appointment));
  router.get('/appointment.ics', caught(pages.calendarFile));
  router.get('/appointment/reschedule', caught(pages.askForTime));
  post('/appointment/reschedule', pages.reschedule);
  router.get('/appointment/cancel', caught(pages.askToCancel));
  post('/appointment/cancel', pages.cancel);
  router.use(pages.nothingHere);
  router.use(unread);
  return router;
}

function asset(type: string, content: string): RequestHandler {
  return (_request, response) => {
    response.set({ 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' }).end(content);
  };
}
