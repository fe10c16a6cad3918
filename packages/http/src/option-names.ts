import { distance } from 'fastest-levenshtein';

/**
 * Refuses an option that does not exist, and names the one that was probably meant.
 *
 * @throws TypeError naming the first unknown option
 */
export function checkOptionNames(owner: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const [nearest] = names
    .map((name) => ({ name, far: distance(unknown.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.far - other.far);
  const guess =
    nearest !== undefined && nearest.far <= Math.max(2, unknown.length / 3) ? `; did you mean ${nearest.name}?` : '';
  throw new TypeError(`${owner}: unknown option ${unknown}${guess}`);
}
