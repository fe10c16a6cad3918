import type { Request, Response } from 'express';
import { type BasePath, basePathOf } from '../base-path.js';
import type { CustomerPagesOptions } from '../options.js';
import { secureOnly } from './secure-only.js';

/** Browsers take such a name only over https, from neighbours too; `__Host-` would not allow a path. */
const securePrefix = '__Secure-';
const maxCookieLength = 4096;
/** What a cookie's attributes may take of it: some browsers count them. */
const roomForSettings = 300;

/** How long a cookie is kept, and where it is sent. */
export interface CookieSettings {
  readonly expires: Date;
  /** Path below the pages; default: all of them. */
  readonly under?: string | undefined;
}

/** Cookies of the pages, for the path under which they are mounted and for no script. */
export class Cookies {
  readonly #secure: boolean;
  readonly #base: BasePath;

  constructor(options: Pick<CustomerPagesOptions, 'publicUrl' | 'secureCookie'>) {
    this.#secure = secureOnly(options);
    this.#base = basePathOf(options);
  }

  /** The values that the browser brings under a name: ours, and what a neighbour put beside it. */
  read(request: Request, name: string): readonly string[] {
    const header = request.get('cookie');
    if (header === undefined || header.length > 4 * maxCookieLength) return [];
    const start = `${this.#nameOf(name)}=`;
    const pairs = header.split(';').map((each) => each.trim());
    return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
  }

  /** Sets a value of characters that cookies can hold. */
  set(request: Request, response: Response, name: string, value: string, { expires, under }: CookieSettings): void {
    response.cookie(this.#nameOf(name), value, { ...this.#settings(request, under), expires, encode: String });
  }

  /** Whether browsers keep a value of that length. */
  fits(value: string): boolean {
    return value.length <= maxCookieLength - roomForSettings;
  }

  clear(request: Request, response: Response, name: string, under?: string): void {
    response.clearCookie(this.#nameOf(name), this.#settings(request, under));
  }

  #settings(request: Request, under = '') {
    return {
      path: `${this.#base(request)}${under}` || '/',
      httpOnly: true,
      sameSite: 'strict',
      secure: this.#secure,
    } as const;
  }

  #nameOf(name: string): string {
    return `${this.#secure ? securePrefix : ''}${name}`;
  }
}
