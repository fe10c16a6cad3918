import type { Request, Response } from 'express';
import type { Cookies } from './cookies.js';

/** How a visit was ended by its customer. */
export interface Ending {
  readonly how: 'cancelled' | 'left';
  /** Language of the page that says so. */
  readonly locale: string;
}

const name = 'calends_ended';
const life = 10 * 60_000;

/** Says how the visit ended, once its session is gone: no address can tell it that anybody could send to a customer. */
export class EndedCookie {
  readonly #cookies: Cookies;

  constructor(cookies: Cookies) {
    this.#cookies = cookies;
  }

  read(request: Request): Ending | undefined {
    const [value = ''] = this.#cookies.read(request, name);
    const [how, locale = ''] = value.split('~');
    return how === 'cancelled' || how === 'left' ? { how, locale } : undefined;
  }

  keep(request: Request, response: Response, { how, locale }: Ending, now: number): void {
    this.#cookies.set(request, response, name, `${how}~${locale}`, { expires: new Date(now + life) });
  }
}
