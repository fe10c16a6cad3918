import type { Language } from '../texts/languages.js';

/** What every page is written with. */
export interface PageFrame {
  readonly language: Language;
  /** Address under which the router is mounted, without a slash at the end. */
  readonly base: string;
  /** Name over the page. */
  readonly name: string | undefined;
}
