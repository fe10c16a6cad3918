import type { Scheduling } from '@calends/core';
import { BookingOffers } from './booking-offers.js';
import { BookingProgress } from './booking-progress.js';
import { HeldCookie } from './held-cookie.js';
import type { BookingOptions, CustomerPagesOptions } from './options.js';
import type { PageAnswers } from './page-answers.js';
import { Cookies } from './security/cookies.js';

/** What handlers of booking work with. */
export interface BookingParts {
  readonly scheduling: Scheduling;
  readonly answers: PageAnswers;
  readonly offers: BookingOffers;
  readonly progress: BookingProgress;
  readonly heldCookie: HeldCookie;
  readonly now: () => number;
}

/** Makes them of what the pages have. */
export function bookingParts(
  scheduling: Scheduling,
  answers: PageAnswers,
  options: CustomerPagesOptions,
  booking: BookingOptions,
): BookingParts {
  const { now = Date.now } = options;
  const cookies = new Cookies(options);
  return {
    scheduling,
    answers,
    offers: new BookingOffers(scheduling, options, booking),
    progress: new BookingProgress(cookies, scheduling.sealing, now),
    heldCookie: new HeldCookie(cookies),
    now,
  };
}
