import type { Observer } from '../ports/observer.js';
import { StoreError } from '../ports/store-error.js';

/**
 * The observer of a host that gives none: what would otherwise go wrong in silence becomes a process warning.
 *
 * Only the name of an error is told, and the code of a store's; its text may hold anything.
 */
export const warningObserver: Observer = {
  observe: (signal) => {
    if (signal.type === 'workerFailed') {
      process.emitWarning(`the worker's ${signal.job} failed: ${nameOf(signal.error)}`, 'CalendsWarning');
    } else if (signal.type === 'eventParked') {
      process.emitWarning(`event ${signal.eventId} is parked: ${nameOf(signal.error)}`, 'CalendsWarning');
    } else if (signal.type === 'endpointDisabled') {
      const { endpointId, applicationId, reason } = signal;
      process.emitWarning(
        `web hook endpoint ${endpointId} of application ${applicationId} is disabled: ${reason}`,
        'CalendsWarning',
      );
    }
  },
};

function nameOf(error: unknown): string {
  if (error instanceof StoreError) return `${error.name} ${error.code}`;
  return error instanceof Error ? error.name : typeof error;
}
