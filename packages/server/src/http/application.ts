import type { AvailabilityOptions, Scheduling } from '@calends/core';
import { limiterOf, type LimitNumbers } from '@calends/core/operations';
import { type BookingOptions, customerPages } from '@calends/customer-pages';
import { nodeDoor, schedulingHttp, type SchedulingHttpOptions } from '@calends/http';
import express, { type Express, type RequestHandler } from 'express';
import type { RequestListener } from 'node:http';
import { faultFields } from '../log/fault-fields.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import { type SmsCallback, smsCallbackPath } from '../notifiers/sms-callback.js';
import type { FirstToken } from '../secrets/first-steps.js';
import { developmentLogin } from './development-login.js';
import { healthz, readyz } from './health.js';
import { lastResort, nothingThere } from './last-resort.js';
import { type Look, withLooks } from '../process/look.js';
import { referencePage } from './reference-page.js';
import { requestLog } from './request-log.js';
import { servedDocument } from './served-document.js';
import { smsReceipts } from './sms-receipts.js';

/** What the application is made of. */
export interface ApplicationParts {
  readonly scheduling: Scheduling;
  readonly authentication: SchedulingHttpOptions['authentication'];
  readonly publicUrl: string | undefined;
  readonly log: Log;
  /** Absent = not served. */
  readonly metrics?: Metrics | undefined;
  /** Absent = no receipts of SMS are taken. */
  readonly smsCallback?: SmsCallback | undefined;
  /** Whether the customer pages are served. Default true. */
  readonly customerPages?: boolean | undefined;
  /** Whether the cookie of the customer pages is only for https. Default: unless the public address is http. */
  readonly secureCookie?: boolean | undefined;
  /** What the customer pages let anybody book. Default nothing. */
  readonly booking?: BookingOptions | undefined;
  /** Whether one-time passwords can be asked for. Default false. */
  readonly otpRequests?: boolean | undefined;
  /** Whom the library lets ask for free times; the same that it was made with. Absent = nothing of it is served. */
  readonly availability?: AvailabilityOptions | undefined;
  /** Limits of requests, for the services and the customer pages together. Default: those of the library. */
  readonly limits?: 'off' | LimitNumbers | undefined;
  /** Proxies of our own in front of the server. Default 0. */
  readonly trustProxy?: number | undefined;
  /** Whether `/readyz` asks for a running worker. Default true. */
  readonly hasWorker?: boolean | undefined;
  /** Whether the pages for the inside are here too: metrics, reference, readiness in detail. Default true. */
  readonly adminPages?: boolean | undefined;
  /** Tokens with which the reference page logs in at a click, while developing. Absent = it does not. */
  readonly firstTokens?: (() => Promise<readonly FirstToken[]>) | undefined;
  /** What the details of `/readyz` warn of. Default nothing. */
  readonly warnings?: readonly string[] | undefined;
  /** True once a shutdown has begun. */
  readonly isStopping: () => boolean;
}

/** Where the customer pages are, below the address of the server. */
export const customerPagesPath = '/manage';

/**
 * The services of the library, and the pages that a server has besides.
 *
 * The services answer before Express sees a request: what it does to each costs as much as the library's own part of a get (ADR 0108).
 */
export function createApplication(parts: ApplicationParts): RequestListener {
  const { scheduling, authentication, publicUrl, log, metrics, smsCallback, adminPages: hasAdminPages = true } = parts;
  const { customerPages: hasPages = true, otpRequests = false, availability, trustProxy = 0 } = parts;
  const limits = limiterOf(parts.limits);
  const services = schedulingHttp(scheduling, {
    authentication,
    oneTimePasswords: otpRequests,
    customerSessions: true,
    calendarFeeds: true,
    webhookEndpoints: true,
    availability: availability !== undefined,
    availabilityAuth: availability?.public === true || availability?.holds?.anonymous === true ? 'none' : 'bearer',
    limits,
    onFault: (fault, requestId) => log.error({ requestId, fault: faultFields(fault) }, 'request failed'),
  });
  const takes = nodeDoor(services, { trustProxy });

  const application = express().disable('x-powered-by').disable('etag');
  if (smsCallback !== undefined) {
    application.post(smsCallbackPath, ...smsReceipts(scheduling.notifications, smsCallback));
  }
  if (hasPages) {
    const onFault = (fault: unknown): void => log.error({ fault: faultFields(fault) }, 'customer page failed');
    const address = publicUrl === undefined ? undefined : `${publicUrl}${customerPagesPath}`;
    const { secureCookie, booking } = parts;
    const options = { publicUrl: address, secureCookie, limits, trustProxy, booking, onFault };
    application.use(customerPagesPath, customerPages(scheduling, options));
  }
  addPages(application, parts, hasAdminPages);
  ended(application, log);

  const looks = [answerHeaders(publicUrl), requestLog(log), ...(metrics === undefined ? [] : [metrics.requests])];
  return withLooks(looks, (message, response) => {
    if (!takes(message, response)) application(message, response);
  });
}

/** The pages for the inside only, for a listener of their own; with those for probes. */
export function createAdminApplication(parts: ApplicationParts): RequestListener {
  const application = express().disable('x-powered-by').disable('etag');
  addPages(application, parts, true);
  ended(application, parts.log);
  return withLooks([answerHeaders(undefined), requestLog(parts.log)], application);
}

function addPages(application: Express, parts: ApplicationParts, forTheInside: boolean): void {
  const { scheduling, metrics, hasWorker = true, warnings = [], isStopping } = parts;
  application.get('/healthz', healthz);
  application.get('/readyz', readyz(scheduling, { hasWorker, isStopping, warnings, inDetail: forTheInside }));
  application.get('/openapi.json', openApi(parts));
  if (!forTheInside) return;
  if (metrics !== undefined) application.get('/metrics', metrics.page);
  application.get('/', seeOther('docs/'));
  application.get(/^\/docs$/, seeOther('docs/'));
  if (parts.firstTokens !== undefined) application.get('/docs/tokens', developmentLogin(parts.firstTokens));
  application.use('/docs', referencePage());
}

function ended(application: Express, log: Log): void {
  application.use(nothingThere).use(lastResort(log));
}

/** The document is made for whoever asks first: it takes as long as a tenth of the start. */
function openApi(parts: ApplicationParts): RequestHandler {
  let document: string | undefined;
  return (_request, response) => {
    document ??= JSON.stringify(servedDocument(parts));
    response.set({ 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }).end(document);
  };
}

/** Relative, so that it also holds behind a prefix; without the body that Express writes, which may be HTML. */
function seeOther(location: string): RequestHandler {
  return (_request, response) => {
    response.status(303).set('Location', location).end();
  };
}

/** A year, in seconds: what browsers' lists of such hosts ask for. */
const remembered = 31_536_000;

/**
 * What every answer carries: no guessing of types; and where clients find the server by https, that they come by nothing
 * else. Subdomains are other people's.
 */
function answerHeaders(publicUrl: string | undefined): Look {
  const isHttps = publicUrl?.startsWith('https://') === true;
  return (_message, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (isHttps) response.setHeader('Strict-Transport-Security', `max-age=${remembered}`);
  };
}
