import type { Scheduling } from '@calends/core';
import type { LimitedClass, Limiter } from '@calends/core/operations';
import { quietly } from '@calends/core/store';
import type { Request, RequestHandler, Response } from 'express';
import { type BasePath, basePathOf } from './base-path.js';
import { checkedLimiter, type CustomerPagesOptions } from './options.js';
import { messagePage } from './pages/message-page.js';
import type { PageFrame } from './pages/page.js';
import { faultStatus, type FormProblem } from './problems.js';
import { limited, refusedByLimit, sourceOf } from './security/limits.js';
import { isFromOurPage } from './security/same-origin.js';
import { type Language, Languages } from './texts/languages.js';
import type { PageTextKey } from './texts/page-texts.js';

/** A language with its region, and no more: what a browser sends may have any length. */
const hasRegion = /^[a-z]{2,3}(-[A-Z][a-z]{3})?-([A-Z]{2}|\d{3})$/;

/** What all pages answer with, and what guards all of them. */
export class PageAnswers {
  readonly #scheduling: Scheduling;
  readonly #options: CustomerPagesOptions;
  readonly #publicOrigin: string | undefined;
  readonly #limiter: Limiter;
  readonly languages: Languages;
  /** Where links and redirects begin. */
  readonly base: BasePath;

  constructor(scheduling: Scheduling, options: CustomerPagesOptions) {
    this.#scheduling = scheduling;
    this.#options = options;
    this.base = basePathOf(options);
    this.languages = new Languages(options.texts ?? {});
    this.#limiter = checkedLimiter(options.limits);
    const { publicUrl } = options;
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /** Lets an address come only so often (D66). */
  limited(kind: LimitedClass): RequestHandler {
    return limited({
      limiter: this.#limiter,
      kind,
      trustProxy: this.#options.trustProxy ?? 0,
      refuse: (request, response, source) => {
        this.#scheduling.audit.noticed({ kind: 'limited', reason: 'too many requests from one address', source });
        this.tell(request, response, 429, 'unavailableTitle', 'unavailableLead');
      },
    });
  }

  /** Lets a name of an application be tried only so often (D66); answers by itself what is too much. */
  async isWithinLimits(request: Request, response: Response, applicationId: string, name: string): Promise<boolean> {
    const call = { class: 'proof', applicationId, name } as const;
    if (!refusedByLimit(await this.#limiter.afterDecoding(call), response)) return true;
    const source = this.sourceOf(request);
    const reason = 'too many requests for one application or name';
    this.#scheduling.audit.noticed({ kind: 'limited', reason, source, applicationId });
    this.tell(request, response, 429, 'unavailableTitle', 'unavailableLead');
    return false;
  }

  readonly fromOurPage: RequestHandler = (request, response, next) => {
    if (isFromOurPage(request, this.#publicOrigin)) {
      next();
      return;
    }
    const reason = 'another site sent a form';
    this.#scheduling.audit.noticed({ kind: 'foreignOrigin', reason, source: this.sourceOf(request) });
    this.tell(request, response, 403, 'problem', 'unmoved');
  };

  readonly nothingHere: RequestHandler = (request, response) => {
    this.tell(request, response, 404, 'nothingHereTitle', 'nothingHereLead');
  };

  /** A body that is too large, or no form. */
  unreadable(request: Request, response: Response): void {
    this.tell(request, response, 400, 'problem', 'unmoved');
  }

  /** What is not the customer's fault. */
  readonly fault = (error: unknown, request: Request, response: Response): void => {
    this.#report(error);
    this.tell(request, response, faultStatus(error), 'unavailableTitle', 'unavailableLead');
  };

  /** A refusal that the page did not wait for: the customer is told, and the host, who may have set something up wrong. */
  refusal(error: unknown, request: Request, response: Response, { status, text }: FormProblem): void {
    this.#report(error);
    this.tell(request, response, status, 'problem', text);
  }

  #report(error: unknown): void {
    const onFault: ((fault: unknown) => unknown) | undefined = this.#options.onFault;
    quietly(() => onFault?.(error));
  }

  /** A page that only tells something. */
  tell(request: Request, response: Response, status: number, title: PageTextKey, lead: PageTextKey): void {
    const frame = this.frame(request);
    const { texts } = frame.language;
    send(response, status, messagePage(frame, texts[title], texts[lead]));
  }

  frame(request: Request, language: Language = this.#wished(request)): PageFrame {
    return { language, base: this.base(request), name: this.#options.name };
  }

  sourceOf(request: Request): string | undefined {
    return sourceOf(request, this.#options.trustProxy ?? 0);
  }

  /** The browser's language, where it is known. */
  #wished(request: Request): Language {
    const usual = this.languages.of(this.#options.locale ?? 'en');
    // The first one is taken where the browser wishes none in particular.
    const wish = request.acceptsLanguages([usual.tag, ...this.languages.tags]);
    if (wish === false) return usual;
    // With its region, as the browser wrote it: `en-US` has other clocks than `en`.
    const own = request.acceptsLanguages().find((tag) => tag.startsWith(`${wish}-`) && hasRegion.test(tag));
    if (own !== undefined) return this.languages.of(own);
    return wish === usual.tag ? usual : this.languages.of(wish);
  }
}

/** Answers with a page. */
export function send(response: Response, status: number, page: string): void {
  response.status(status).set('Content-Type', 'text/html; charset=utf-8').end(page);
}
