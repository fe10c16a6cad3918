/**
 * Pages on which customers see, move and cancel their appointment, as an Express router.
 *
 * @packageDocumentation
 */
export { customerPages } from './customer-pages.js';
export type { CustomerPagesOptions } from './options.js';
export { builtInLanguages } from './texts/languages.js';
export { type PageTextKey, pageTextKeys, type PageTexts } from './texts/page-texts.js';
