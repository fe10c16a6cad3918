import { v7 } from 'uuid';

/** Makes ids; nothing in the core makes one by itself. */
export interface Ids {
  /** A new UUIDv7 text in lower case (D9). */
  next(): string;
}

/** Random UUIDv7 (RFC 9562), rising within a process (D9). */
export const randomIds: Ids = { next: () => v7() };
