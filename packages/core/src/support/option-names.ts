import { didYouMean } from '@calends/model';

/**
 * Refuses an option that does not exist, and names the one that was probably meant.
 *
 * @throws TypeError naming the first unknown option
 */
export function checkOptionNames(owner: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${owner}: unknown option ${unknown}${didYouMean(unknown, names)}`);
}
