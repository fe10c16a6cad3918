import type { Observer } from '@calends/core';

/** Tells several observers, each whatever becomes of the others. */
export function observers(...all: readonly (Observer | undefined)[]): Observer {
  return {
    observe(signal) {
      for (const observer of all) {
        try {
          observer?.observe(signal);
        } catch {
          // As in the library: what an observer throws is dropped.
        }
      }
    },
  };
}
