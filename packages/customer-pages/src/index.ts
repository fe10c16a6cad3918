/**
 * Pages on which customers book, see, move and cancel their appointment, as an Express router.
 *
 * @packageDocumentation
 */
export { customerPages } from './customer-pages.js';
export type { BookingOptions, CustomerPagesOptions } from './options.js';
export { builtInLanguages } from './texts/languages.js';
export { type PageTextKey, pageTextKeys, type PageTexts } from './texts/page-texts.js';
