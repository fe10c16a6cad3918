import type { Request, Response } from 'express';
import { bookingPath } from './booking-progress.js';
import { type Held, readHeld, writeHeld } from './held-time.js';
import { idIn } from './holding.js';
import type { Cookies } from './security/cookies.js';
import type { HeldTime } from '@calends/core/operations';

const name = 'calends_booking';
const takenOver = 'calends_booking_taken_over';

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

  /** Another tab may show the time of before: its addresses are told that it is held no more. */
  keep(request: Request, response: Response, held: HeldTime): void {
    const before = this.read(request);
    if (before !== undefined) {
      const settings = { expires: new Date(before.until), under: bookingPath(idIn(before.token)) };
      this.#cookies.set(request, response, takenOver, '1', settings);
    }
    const expires = new Date(held.until);
    this.#cookies.set(request, response, name, writeHeld(held, undefined), { expires });
  }

  /** Whether another choice took the place of the time whose address is asked. */
  isTakenOver(request: Request): boolean {
    return this.#cookies.read(request, takenOver).length > 0;
  }

  /** Forgets that time, and none that another tab has chosen since. */
  forget(request: Request, response: Response, id: string): void {
    const held = this.read(request);
    if (held !== undefined && idIn(held.token) === id) this.#cookies.clear(request, response, name);
  }
}
