import { didYouMean } from './text/nearest-name.js';

/** What is wrong with the first name that is none of these; names the one that was probably meant. */
export function unknownOption(given: object, names: readonly string[]): string | undefined {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  return unknown === undefined ? undefined : `unknown option ${unknown}${didYouMean(unknown, names)}`;
}

/**
 * Refuses an option that does not exist, and names the one that was probably meant.
 *
 * @throws TypeError naming the first unknown option
 */
export function checkOptionNames(owner: string, options: object, names: readonly string[]): void {
  const fault = unknownOption(options, names);
  if (fault !== undefined) throw new TypeError(`${owner}: ${fault}`);
}
