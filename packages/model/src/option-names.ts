import { didYouMean } from './text/nearest-name.js';

/** What is wrong with each name that is none of these; names the one that was probably meant. */
export function unknownOptions(given: object, names: readonly string[]): readonly string[] {
  return namesIn(given)
    .filter((name) => !names.includes(name))
    .map((name) => `unknown option ${name}${didYouMean(name, names)}`);
}

/** Options may be inherited, as from an object of defaults; what a library gave to every object is none of them. */
function namesIn(given: object): readonly string[] {
  const found: string[] = [];
  for (const name in given) if (!Object.hasOwn(Object.prototype, name)) found.push(name);
  return found;
}

/** What is wrong with the first name that is none of these; names the one that was probably meant. */
export function unknownOption(given: object, names: readonly string[]): string | undefined {
  return unknownOptions(given, names)[0];
}

/**
 * Refuses options that are no object: hosts in plain JavaScript have no compiler that tells them.
 *
 * @throws TypeError
 */
export function checkIsObject(owner: string, options: unknown): void {
  if (Object(options) !== options || Array.isArray(options)) throw new TypeError(`${owner}: must be an object.`);
  // Neither has what it holds as members: all of it would be passed over without a word.
  if (options instanceof Promise || options instanceof Map) {
    throw new TypeError(`${owner}: must be an object, and no promise or map of it.`);
  }
}

/**
 * Refuses what is no object, and an option that does not exist, and names the one that was probably meant.
 *
 * @throws TypeError naming the first unknown option
 */
export function checkOptionNames(owner: string, options: object, names: readonly string[]): void {
  checkIsObject(owner, options);
  const fault = unknownOption(options, names);
  if (fault !== undefined) throw new TypeError(`${owner}: ${fault}`);
}
