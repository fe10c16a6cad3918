import type { Observer } from '../ports/observer.js';

/** The observer of a host that gives none: only unsafe defaults are said, once each, as process warnings. */
export const warningObserver: Observer = {
  observe: (signal) => {
    if (signal.type !== 'unsafeDefault') return;
    process.emitWarning(`${signal.option}: ${signal.remedy}`, 'CalendsWarning');
  },
};
