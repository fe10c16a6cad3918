import { languageFaults } from './texts/language-faults.js';
import { isLanguageTag } from './texts/language-tag.js';
import type { PageTexts } from './texts/page-texts.js';

/** How the pages look and speak; everything has a default. */
export interface CustomerPagesOptions {
  /** Name over every page. Default: none. */
  readonly name?: string | undefined;
  /** Language of the entry page where the browser wishes none that there is; later pages take the appointment's. Default `en`. */
  readonly locale?: string | undefined;
  /** Texts that replace or add to the built-in ones, by BCP 47 tag and key. */
  readonly texts?: Readonly<Record<string, Partial<PageTexts>>> | undefined;
  /**
   * Whether the session cookie is only for https. Default: unless the browser came to a loopback address, so that a
   * host behind a proxy that ends TLS needs no setting.
   */
  readonly secureCookie?: boolean | undefined;
  /** Told about faults that are not the customer's, for logs; must not throw. Default: nobody. */
  readonly onFault?: ((fault: unknown) => void) | undefined;
}

const optionNames = ['name', 'locale', 'texts', 'secureCookie', 'onFault'];

/**
 * Checks the options at start.
 *
 * @throws TypeError that names the first option that is unknown or unusable
 */
export function checkOptions(options: CustomerPagesOptions): void {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) throw new TypeError(`customerPages: unknown option ${unknown}`);
  const { name, locale, texts = {}, secureCookie, onFault } = options;
  demand('name', name === undefined || typeof name === 'string', 'must be a text');
  demand('locale', locale === undefined || isLanguageTag(locale), 'must be a language tag');
  demand('secureCookie', secureCookie === undefined || typeof secureCookie === 'boolean', 'must be a boolean');
  demand('onFault', onFault === undefined || typeof onFault === 'function', 'must be a function');
  const fault = languageFaults(texts);
  demand('texts', fault === undefined, fault ?? '');
}

function demand(option: string, holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(`customerPages: ${option}: ${rule}`);
}
