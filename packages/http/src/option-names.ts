/**
 * Refuses an option that does not exist, and names the one that was probably meant.
 *
 * @throws TypeError naming the first unknown option
 */
export function checkOptionNames(owner: string, options: object, names: readonly string[]): void {
  for (const given of Object.keys(options)) {
    if (names.includes(given)) continue;
    const meant = nearest(given, names);
    throw new TypeError(
      `${owner}: there is no option \`${given}\`.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`}`,
    );
  }
}

function nearest(given: string, names: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance <= Math.max(2, name.length / 3) && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name;
}

/** Levenshtein distance, row by row. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replace = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
