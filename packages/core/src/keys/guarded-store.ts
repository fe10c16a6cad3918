import type { SchedulingStore } from '../ports/store/store.js';
import { wrapStore } from '../ports/store/store-methods.js';
import type { KeyCheck } from './key-check.js';

/** The store, of which nothing is written before the keys are checked (D67). */
export function guardedStore(store: SchedulingStore, keys: Pick<KeyCheck, 'admit'>): SchedulingStore {
  return wrapStore(store, (_name, call, beginsWrite) => {
    if (!beginsWrite) return call;
    return (...given) => {
      const waiting = keys.admit();
      // Without a turn of the loop in between: stores join what is asked of them at once.
      return waiting === undefined ? call(...given) : waiting.then(() => call(...given));
    };
  });
}
