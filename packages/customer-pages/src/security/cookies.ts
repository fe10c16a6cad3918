import type { Request, Response } from 'express';

/** Browsers take such a name only over https, from neighbours too; `__Host-` would not allow a path. */
const securePrefix = '__Secure-';
const maxCookieLength = 4096;

/** Cookies of the pages, for the path under which they are mounted and for no script. */
export class Cookies {
  readonly #secure: boolean;

  /** @param secure whether they are only for https */
  constructor(secure: boolean) {
    this.#secure = secure;
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
  set(request: Request, response: Response, name: string, value: string, expires: Date): void {
    response.cookie(this.#nameOf(name), value, { ...this.#settings(request), expires, encode: String });
  }

  clear(request: Request, response: Response, name: string): void {
    response.clearCookie(this.#nameOf(name), this.#settings(request));
  }

  #settings(request: Request) {
    return {
      path: request.baseUrl === '' ? '/' : request.baseUrl,
      httpOnly: true,
      sameSite: 'strict',
      secure: this.#secure,
    } as const;
  }

  #nameOf(name: string): string {
    return `${this.#secure ? securePrefix : ''}${name}`;
  }
}
