import type { Observer } from '../ports/observer.js';

/** Keeps an observer's own faults away from operations whose change is committed already. */
export function guardedObserver(observer: Observer): Observer {
  return {
    observe: (signal) => {
      try {
        observer.observe(signal);
      } catch {
        // An observer has nobody to report its own faults to.
      }
    },
  };
}
