import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '@calends/model';
import type { KeyRing } from '../../keys/key-ring.js';

/** Makes and reads tokens of holds, and the names under which holds are counted. */
export interface HoldTokens {
  /** Derived and not random: an answer that is given again needs no copy of it in the store. */
  tokenOf(holdId: string): string;
  /** The id of the hold that a token stands for; `undefined` for whatever is none. */
  read(token: unknown): string | undefined;
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
    tokenOf: (holdId) => `${holdId}.${sign(current, holdId).toString('base64url')}`,
    read: (token) => {
      if (typeof token !== 'string') return undefined;
      const dot = token.indexOf('.');
      if (dot < 1 || token.length > limits.holdToken) return undefined;
      const holdId = token.slice(0, dot);
      const given = Buffer.from(token.slice(dot + 1), 'base64url');
      const isOurs = all.some((key) => {
        const made = sign(key, holdId);
        return made.length === given.length && timingSafeEqual(made, given);
      });
      return isOurs ? holdId : undefined;
    },
    ownerKeys: (...parts) => owners.map((key) => `holder ${sign(key, JSON.stringify(parts)).toString('base64url')}`),
  };
}
