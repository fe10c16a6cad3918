/** One text for several, in which their borders show: no two lists give the same one. */
export function compositeKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
