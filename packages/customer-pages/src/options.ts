import { checkIsObject, checkOptionNames } from '@calends/core/store';
import { boundedLimiter, isWebAddress, type Limiter, type LimitNumbers } from '@calends/core/operations';
import { languageFaults } from './texts/language-faults.js';
import { isLanguageTag } from './texts/language-tag.js';
import type { PageTexts } from './texts/page-texts.js';

/** What can be booked on the pages. */
export interface BookingOptions {
  /** The application whose services are offered; availability must be on (`createScheduling`, `availability`). */
  readonly applicationId: string;
  /** Where one-time passwords go: what the application has a notifier for. Default `email`. */
  readonly contact?: 'email' | 'phone' | undefined;
}

/** How the pages look and speak; everything has a default. */
export interface CustomerPagesOptions {
  /** Name over every page. Default: none. */
  readonly name?: string | undefined;
  /** Language of the entry page where the browser wishes none that there is; later pages take the appointment's. Default `en`. */
  readonly locale?: string | undefined;
  /** Texts that replace or add to the built-in ones, by BCP 47 tag and key. */
  readonly texts?: Readonly<Record<string, Partial<PageTexts>>> | undefined;
  /**
   * Address of the pages as browsers know it, for example `https://clinic.example/manage`. Tells whether the session cookie
   * is only for https, and which `Origin` is ours. Links, redirects and cookies have its path, where that ends as the one under
   * which the pages are mounted: a proxy may take the front of it away. Default: https, and the name that the browser asked for.
   */
  readonly publicUrl?: string | undefined;
  /** Whether the session cookie is only for https. Default: unless `publicUrl` is an http address. */
  readonly secureCookie?: boolean | undefined;
  /**
   * Limits of requests that bring the code of a link, and of all that is asked to book (D66): `off`, other numbers, or a
   * limiter, such as the one that the HTTP services have too; one that does not answer within 30 s is a fault (503). Default:
   * numbers of its own.
   */
  readonly limits?: 'off' | LimitNumbers | Limiter | undefined;
  /** How many proxies of your own stand in front; the client's address is so many from the right of `X-Forwarded-For`. Default 0. */
  readonly trustProxy?: number | undefined;
  /**
   * Pages to book on, under `/book`. They find and hold times for anybody, whatever `availability` opens besides, and book with
   * a one-time password. Default: there are none.
   */
  readonly booking?: BookingOptions | undefined;
  /** Clock of the pages, epoch milliseconds: which day is today in lists of free times, and what is past. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /**
   * Told about faults that are not the customer's, and about refusals of the library that no page expects, for logs; must
   * not throw. Default: nobody.
   */
  readonly onFault?: ((fault: unknown) => void) | undefined;
}

const optionNames = 'name locale texts publicUrl secureCookie limits trustProxy booking now onFault'.split(' ');

/**
 * Checks the options at start.
 *
 * @throws TypeError that names the first option that is unknown or unusable
 */
export function checkOptions(options: CustomerPagesOptions): void {
  checkIsObject('customerPages: options', options);
  checkOptionNames('customerPages', options, optionNames);
  const { name, locale, texts = {}, publicUrl, secureCookie, trustProxy = 0, booking, now, onFault } = options;
  demand('name', name === undefined || typeof name === 'string', 'must be a string');
  demand('locale', locale === undefined || isLanguageTag(locale), 'must be a language tag');
  demand('publicUrl', publicUrl === undefined || isWebAddress(publicUrl), 'must be an http or https address');
  demand('secureCookie', secureCookie === undefined || typeof secureCookie === 'boolean', 'must be a boolean');
  demand('trustProxy', Number.isInteger(trustProxy) && trustProxy >= 0, 'must be 0 or a whole number above');
  demand('now', now === undefined || typeof now === 'function', 'must be a function');
  if (booking !== undefined) checkBooking(booking);
  demand('onFault', onFault === undefined || typeof onFault === 'function', 'must be a function');
  const fault = languageFaults(texts);
  demand('texts', fault === undefined, fault ?? '');
}

/** @throws TypeError that names the option */
export function checkedLimiter(limits: CustomerPagesOptions['limits']): Limiter {
  try {
    return boundedLimiter(limits);
  } catch (cause) {
    throw new TypeError(`customerPages: limits: ${cause instanceof Error ? cause.message : 'not usable'}`, { cause });
  }
}

function checkBooking(booking: BookingOptions): void {
  demand('booking', Object(booking) === booking, 'must be an object');
  checkOptionNames('customerPages: booking', booking, ['applicationId', 'contact']);
  const { applicationId, contact = 'email' } = booking;
  demand('booking', typeof applicationId === 'string' && applicationId !== '', 'applicationId must be an id');
  demand('booking', ['email', 'phone'].includes(contact), 'contact must be email or phone');
}

function demand(option: string, holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(`customerPages: ${option}: ${rule}`);
}
