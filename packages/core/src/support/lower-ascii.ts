/**
 * An address with its ASCII letters in small: of others `toLowerCase` makes one of two that are different (U+212A is no `k`), and
 * whoever has the one would be taken for whoever has the other.
 */
export function lowerAscii(address: string): string {
  return address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
