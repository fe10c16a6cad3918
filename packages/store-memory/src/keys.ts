import type { KeyStore, NamedKey } from '@calends/core/store';
import { atOnce } from './at-once.js';

/** The keys that the store names. */
export function keyMethods(): KeyStore {
  const keys: NamedKey[] = [];
  return {
    list: () => atOnce(() => [...keys].sort((one, other) => one.number - other.number)),
    add: (key) =>
      atOnce(() => {
        if (keys.some(({ number }) => number === key.number)) return false;
        keys.push(Object.freeze({ ...key }));
        return true;
      }),
    change: (next, expected) =>
      atOnce(() => {
        const index = keys.findIndex(({ number }) => number === next.number);
        const present = keys[index];
        if (present === undefined) return false;
        if (present.quietSince !== expected.quietSince || present.keptAudit !== expected.keptAudit) return false;
        const { number, id, check } = present;
        const { quietSince, keptAudit } = next;
        keys[index] = Object.freeze({
          number,
          id,
          check,
          ...(quietSince !== undefined && { quietSince }),
          ...(keptAudit !== undefined && { keptAudit }),
        });
        return true;
      }),
  };
}
