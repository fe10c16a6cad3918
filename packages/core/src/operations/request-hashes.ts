import { createHash, createHmac } from 'node:crypto';
import type { KeyRing } from '../keys/key-ring.js';
import type { RequestKey } from '../ports/store/requests.js';

/** Where a request is kept, by whomever it was made. */
type RequestPlace = Omit<RequestKey, 'callerId'>;

/** Who asks without a token. */
interface CredentialsOf {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly username: string;
  readonly code: string;
}

/**
 * Hashes by which the answer of a request is found again: made under the first key, found and compared under all (D67).
 *
 * Keyed, for a copy of the store must not tell who has booked: user names and codes of six digits are guessed in seconds.
 */
export class RequestHashes {
  readonly #current: Uint8Array;
  readonly #keys: readonly Uint8Array[];

  constructor(keys: Pick<KeyRing, 'all' | 'current'>) {
    this.#current = keys.current.derive('kept-request');
    this.#keys = keys.all.map((key) => key.derive('kept-request'));
  }

  /** Ids for who has none: anyone who knows the code may ask again for the answer, though the code is used up. The first key's first. */
  callerIdsOf({ organizationId, applicationId, username, code }: CredentialsOf): readonly string[] {
    const parts = JSON.stringify(['caller', organizationId, applicationId, username, code]);
    return this.#keys.map((key) => `otp:${hash(key, parts)}`);
  }

  /** What the request asks for; the same command elsewhere has another fingerprint. */
  fingerprintOf(place: RequestPlace, command: unknown): string {
    return hash(this.#current, fingerprinted(place, command));
  }

  /** Whether a fingerprint that is kept is of this command. */
  isOf(fingerprint: string, place: RequestPlace, command: unknown): boolean {
    const parts = fingerprinted(place, command);
    if (this.#keys.some((key) => hash(key, parts) === fingerprint)) return true;
    // As programs of before 0.2 wrote it; the last ones are gone a day after the last of these has ended.
    return createHash('sha256').update(JSON.stringify(command)).digest('base64url') === fingerprint;
  }
}

const fingerprinted = ({ organizationId, operation, key }: RequestPlace, command: unknown): string =>
  JSON.stringify(['command', organizationId, operation, key, command]);

const hash = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
