import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '@calends/model';
import type { KeyRing } from '../../keys/key-ring.js';

/** What a token stands for. */
export interface HeldToken {
  readonly holdId: string;
  /** The appointment that the time was held for: only its move may use the hold. Absent = a booking, or any move. */
  readonly appointmentId?: string | undefined;
}

/** Makes and reads tokens of holds, and the names under which holds are counted. */
export interface HoldTokens {
  /** Derived and not random: an answer that is given again needs no copy of it in the store. */
  tokenOf(held: HeldToken): string;
  /** The hold that a token stands for; `undefined` for whatever is none. */
  read(token: unknown): HeldToken | undefined;
  /** Who holds: the same for the same parts, and no way back to them. One under each key, the first key's first. */
  ownerKeys(...parts: readonly string[]): readonly string[];
}

/** The tokens under the keys of a process: the first makes them, all verify (D67). */
export function holdTokens(keys: Pick<KeyRing, 'current' | 'all'>): HoldTokens {
  const current = keys.current.derive('hold-token');
  const all = keys.all.map((key) => key.derive('hold-token'));
  const owners = keys.all.map((key) => key.derive('hold-owner'));
  const sign = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    tokenOf: ({ holdId, appointmentId }) => {
      const named = appointmentId === undefined ? holdId : `${holdId}.${appointmentId}`;
      return `${named}.${sign(current, named).toString('base64url')}`;
    },
    read: (token) => {
      if (typeof token !== 'string') return undefined;
      const dot = token.lastIndexOf('.');
      if (dot < 1 || token.length > limits.holdToken) return undefined;
      const named = token.slice(0, dot);
      const given = Buffer.from(token.slice(dot + 1), 'base64url');
      const isOurs = all.some((key) => {
        const made = sign(key, named);
        return made.length === given.length && timingSafeEqual(made, given);
      });
      if (!isOurs) return undefined;
      const [holdId = '', appointmentId] = named.split('.');
      return { holdId, appointmentId };
    },
    ownerKeys: (...parts) => owners.map((key) => `holder ${sign(key, JSON.stringify(parts)).toString('base64url')}`),
  };
}
