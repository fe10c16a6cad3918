/** Compares by code point, which is the order of bytes in UTF-8. */
export const compareText = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
