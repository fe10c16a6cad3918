import type { SealingOperations } from '@calends/core/operations';
import type { Schedule } from '@calends/core';
import type { Request, Response } from 'express';
import type { Entered } from './entered.js';
import type { FormProblem } from './problems.js';
import type { Cookies } from './security/cookies.js';
import type { PageTextKey } from './texts/page-texts.js';

/** When a code was asked for last, and for which address. */
export interface Asked {
  readonly to: string;
  readonly at: number;
}

interface Asking {
  readonly refused?: FormProblem;
  /** Absent before, and in what an older version has kept. */
  readonly asked?: Asked | undefined;
}

interface DetailsStage extends Asking {
  readonly at: 'details';
  readonly entered?: Entered;
}

export interface CodeStage extends Asking {
  readonly at: 'code';
  readonly entered: Entered;
  /** What became of asking once more. */
  readonly told?: PageTextKey;
}

/** Nothing of what was entered: the page says what was booked, and not by whom. */
interface BookedStage {
  readonly at: 'booked';
  readonly title: string;
  readonly schedule: Schedule;
  readonly notified: boolean;
}

/** How far a booking has come. */
export type Stage = DetailsStage | CodeStage | BookedStage;

/** What a browser keeps of one booking from page to page. */
export interface Progress {
  /** The time as forms carry it. */
  readonly held: string;
  readonly stage: Stage;
}

const name = 'calends_booking_step';
const minute = 60_000;
/** Twice as long as the longest hold: long enough to see that a time is held no more. */
const life = 30 * minute;
/** What was booked is shown again for so long, to whoever has the browser. */
const bookedLife = 10 * minute;

/** The path of one booking below the pages: its cookie goes to no other, so that no tab is in another's way. */
export function bookingPath(id: string): string {
  return `/book/${encodeURIComponent(id)}`;
}

/** The booking that an address of it names. */
export function bookingIn({ params }: Request): string {
  return String(params['id']);
}

/**
 * Keeps a booking in its browser, in a cookie for the addresses of this booking: sealed, since it holds a name and addresses,
 * and what lies in browsers and logs ends with its life.
 */
export class BookingProgress {
  readonly #cookies: Cookies;
  readonly #sealing: SealingOperations;
  readonly #now: () => number;

  constructor(cookies: Cookies, sealing: SealingOperations, now: () => number) {
    this.#cookies = cookies;
    this.#sealing = sealing;
    this.#now = now;
  }

  /** What the browser brings of the booking; `undefined` where it keeps no cookies, or not any more. */
  read(request: Request, id: string): Progress | undefined {
    for (const sealed of this.#cookies.read(request, name)) {
      const text = this.#sealing.open(sealed, use(id));
      // What is sealed was written here.
      if (text !== undefined) return JSON.parse(text) as Progress;
    }
    return undefined;
  }

  /** Has the browser keep it; false for what is too large for a cookie. */
  keep(request: Request, response: Response, id: string, progress: Progress): boolean {
    const validFor = progress.stage.at === 'booked' ? bookedLife : life;
    const sealed = this.#sealing.seal(JSON.stringify(progress), { about: use(id), validFor });
    if (!this.#cookies.fits(sealed)) return false;
    const expires = new Date(this.#now() + validFor);
    this.#cookies.set(request, response, name, sealed, { expires, under: bookingPath(id) });
    return true;
  }

  forget(request: Request, response: Response, id: string): void {
    this.#cookies.clear(request, response, name, bookingPath(id));
  }
}

/** Another form of {@link Progress} needs another number, for processes of both versions are asked during a roll-out. */
function use(id: string): string {
  return `booking page 1 ${id}`;
}
