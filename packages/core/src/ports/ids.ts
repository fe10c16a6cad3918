/** Makes ids; nothing in the core makes one by itself. */
export interface Ids {
  /** A new UUIDv7 text in lower case (D9). */
  next(): string;
}
