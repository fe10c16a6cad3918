/** Digits of a mark: of two marks of one length the greater one compares as the greater text. */
const digits = 20;
const form = new RegExp(`^\\d{${digits}}$`);
const maxXid = 2n ** 64n - 1n;

/** Begins before every transaction. */
export const firstMark = '0'.repeat(digits);

/** The number of a transaction (`xid8`) as a mark. */
export const markOf = (xid: string): string => xid.padStart(digits, '0');

/** The number of the transaction; with zeros before it PostgreSQL would read it as octal. */
export const xidOf = (mark: string): string => String(BigInt(mark));

/** Tells whether a string is a mark of this store; no reader can be said to have reached any other. */
export const isMark = (text: string): boolean => form.test(text) && BigInt(text) <= maxXid;

/** The farther of two marks. */
export const farther = (one: string, other: string): string => (one > other ? one : other);
