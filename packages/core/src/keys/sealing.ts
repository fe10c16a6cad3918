import type { Clock } from '../ports/clock.js';
import type { SecureRandom } from '../ports/random.js';
import { decrypted, encrypted } from './encrypted.js';
import type { KeyRing } from './key-ring.js';

/** What a text is sealed for. */
export interface SealSettings {
  /** Names its use: it opens for the same one only. */
  readonly about: string;
  /** Milliseconds; at least 1. */
  readonly validFor: number;
}

/**
 * Texts that go through a browser and come back: nobody reads or changes them on the way. Every process with the same `secret`
 * opens them; a secret that is no longer listed opens nothing.
 */
export interface SealingOperations {
  /** Seals a text (AES-256-GCM): letters, digits, `-`, `_` and one dot; some four thirds of its bytes in UTF-8, and 70 more. */
  seal(text: string, settings: SealSettings): string;
  /** The text; `undefined` for whatever was not sealed for this use, or is over. */
  open(sealed: string, about: string): string | undefined;
}

/** Seals under the first of the host's secrets, opens what any of them sealed (D67). */
export function sealingOperations(
  keys: Pick<KeyRing, 'current' | 'find'>,
  { clock, secureRandom }: { readonly clock: Clock; readonly secureRandom: Pick<SecureRandom, 'bytes'> },
): SealingOperations {
  return {
    seal: (text, { about, validFor }) => {
      const until = clock.now() + validFor;
      const bytes = Buffer.from(`${String(until)} ${text}`);
      return `${keys.current.id}.${encrypted(bytes, keys.current.derive('sealed-text'), about, secureRandom)}`;
    },
    open: (sealed, about) => {
      const [id = '', content = ''] = sealed.split('.', 2);
      const key = keys.find(id);
      const bytes = key && decrypted(content, key.derive('sealed-text'), about);
      if (bytes === undefined) return undefined;
      const text = Buffer.from(bytes).toString();
      const blank = text.indexOf(' ');
      return clock.now() < Number(text.slice(0, blank)) ? text.slice(blank + 1) : undefined;
    },
  };
}
