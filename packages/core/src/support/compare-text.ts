/** UTF-16 units put the halves of a surrogate pair before U+E000 to U+FFFF; this moves them behind. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/**
 * Compares texts by code point, as the binary collations of databases do over UTF-8: letter case, accents and
 * trailing blanks make a difference (D31).
 */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}
