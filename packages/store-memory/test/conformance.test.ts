import { type OpenedStore, runConformance } from '@calends/store-conformance';
import { memoryStore } from '@calends/store-memory';
import { afterAll, describe, it } from 'vitest';

function openMemory(): OpenedStore {
  let store = memoryStore();
  return {
    get store() {
      return store;
    },
    reset() {
      store = memoryStore();
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

describe('the memory store', () => {
  runConformance({
    describe,
    it,
    afterAll,
    harness: {
      capabilities: { durable: false, sharedBetweenProcesses: false },
      open: () => Promise.resolve(openMemory()),
    },
  });
});
