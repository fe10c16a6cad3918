import type { Request, Response } from 'express';
import { type Held, readHeld, writeHeld } from './held-time.js';
import { idIn } from './holding.js';
import type { Cookies } from './security/cookies.js';
import type { HeldTime } from '@calends/core/operations';

const name = 'calends_booking';

/** The time that a browser holds now, so that another choice takes its place. */
export class HeldCookie {
  readonly #cookies: Cookies;

  constructor(cookies: Cookies) {
    this.#cookies = cookies;
  }

  read(request: Request): Held | undefined {
    const [text = ''] = this.#cookies.read(request, name);
    return readHeld(text);
  }

  keep(request: Request, response: Response, held: HeldTime): void {
    const expires = new Date(held.until);
    this.#cookies.set(request, response, name, writeHeld(held, undefined), { expires });
  }

  /** Forgets that time, and none that another tab has chosen since. */
  forget(request: Request, response: Response, id: string): void {
    const held = this.read(request);
    if (held !== undefined && idIn(held.token) === id) this.#cookies.clear(request, response, name);
  }
}
