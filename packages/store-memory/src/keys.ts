import type { KeyStore, NamedKey } from '@calends/core/store';
import { atOnce } from './at-once.js';
import { sealedCopy } from './sealed-copy.js';

/** The keys that the store names. */
export function keyMethods(): KeyStore {
  const keys: NamedKey[] = [];
  return atOnce<KeyStore>({
    list: () => [...keys].sort((one, other) => one.number - other.number),
    add: (key) => {
      if (keys.some(({ number }) => number === key.number)) return false;
      keys.push(sealedCopy(key));
      return true;
    },
    change: (next, expected) => {
      const index = keys.findIndex(({ number }) => number === next.number);
      const present = keys[index];
      if (present === undefined) return false;
      if (present.quietSince !== expected.quietSince || present.keptAudit !== expected.keptAudit) return false;
      const { quietSince, keptAudit } = next;
      keys[index] = sealedCopy({ ...present, quietSince, keptAudit });
      return true;
    },
  });
}
