import { randomBytes } from 'node:crypto';
import { isWellFormedId } from '@calends/model';
import { v7 } from 'uuid';
import { CalendsError } from '../domain/calls/errors.js';
import { dropRejectionsIn } from '../support/host-answers.js';

/** Where chance comes from, for the jitter of waits. */
export interface Random {
  /** From 0 up to, but not including, 1; where it throws or gives anything else, 0.5 is taken. */
  next(): number;
}

/** The run time's own source; good enough for jitter, not for secrets. */
export const systemRandom: Random = { next: Math.random };

/**
 * What a source gives; the middle where it throws or gives no such number, since a wait of no length would end nowhere. It is asked
 * after a message was sent: with a fault of it the outcome would be lost, and the message sent again.
 */
export function chanceOf(random: Random): number {
  try {
    const chance: unknown = random.next();
    if (typeof chance === 'number' && chance >= 0 && chance < 1) return chance;
    dropRejectionsIn(chance);
  } catch {
    // A fault of it changes no more than a wait.
  }
  return 0.5;
}

/** Where secrets come from. */
export interface SecureRandom {
  /** So many bytes that nobody can foresee. */
  bytes(length: number): Uint8Array;
}

/** A source of secrets that fails where it answers anything but so many bytes: a string would be a code that is always the same. */
export function checkedSecureRandom(source: SecureRandom): SecureRandom {
  if (source === systemSecureRandom) return source;
  return {
    bytes: (length) => {
      const bytes: unknown = source.bytes(length);
      if (bytes instanceof Uint8Array && bytes.length === length) return bytes;
      dropRejectionsIn(bytes);
      const cause = new TypeError('secureRandom: bytes must answer a Uint8Array of so many bytes');
      throw new CalendsError('internal', 'There is no secret for what is to be made.', { cause });
    },
  };
}

/** The operating system's generator. */
export const systemSecureRandom: SecureRandom = { bytes: (length) => new Uint8Array(randomBytes(length)) };

/** Makes ids; nothing in the core makes one by itself. */
export interface Ids {
  /** A new UUIDv7 in lower case (D9); what is no UUID, or the same again, fails the operation with `internal`. */
  next(): string;
}

/** Random UUIDv7 (RFC 9562), rising within a process (D9). */
export const randomIds: Ids = { next: v7 };

/** A source of ids that tells what no path could name and no store could tell apart, before anything is made with it. */
export function checkedIds(ids: Ids): Ids {
  if (ids === randomIds) return ids;
  let last: string | undefined;
  return {
    next: () => {
      const id = ids.next();
      if (id === last || !isWellFormedId(id)) {
        dropRejectionsIn(id);
        const cause = new TypeError('ids: next must answer a new UUID in lower case each time');
        throw new CalendsError('internal', 'There is no id for what is to be made.', { cause });
      }
      last = id;
      return id;
    },
  };
}
