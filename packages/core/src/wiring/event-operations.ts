import { isIdText, isWellFormedId, limits, unknownOption } from '@calends/model';
import { CalendsError } from '../domain/calls/errors.js';
import type { EventOperations } from '../scheduling.js';
import { boundedHandler } from './bounded-ports.js';
import type { EventRelease } from '../ports/store/events.js';
import type { UseCaseContext } from '../operations/context.js';

type Parked = Pick<EventRelease, 'organizationId' | 'appointmentId'>;

/** @throws CalendsError `validation_failed` for what would release more than was meant */
function requireParked(given: Parked): void {
  const parked = Object(given) as Parked;
  const { organizationId, appointmentId } = parked;
  const fault = unknownOption(parked, ['organizationId', 'appointmentId']);
  if (fault !== undefined) throw refusal(`${fault}.`);
  if (!isIdText(organizationId, limits.organizationId)) throw refusal('organizationId is missing or no id.');
  if (appointmentId !== undefined && !isWellFormedId(appointmentId)) throw refusal('appointmentId is no id.');
}

const refusal = (detail: string): CalendsError =>
  new CalendsError('validation_failed', `The parked events are not named: ${detail}`);

/** Following events, and what the host does about parked ones. */
export function eventOperations(context: UseCaseContext): EventOperations {
  const { store, clock, takers, wakes } = context;
  const release = async (parked: Parked, as: EventRelease['as']): Promise<number> => {
    const { organizationId, appointmentId } = parked;
    const count = await store.events.release({ organizationId, appointmentId, as, at: clock.now() });
    if (count > 0 && takers.size > 0) wakes.emit('workers');
    return count;
  };
  return {
    subscribe: (handler) => {
      // Its events would be tried again, and parked at last, where nobody knows any more who subscribed.
      if (typeof handler !== 'function') throw new TypeError('events.subscribe: handler must be a function.');
      const entry = boundedHandler(handler);
      takers.add(entry);
      return () => void takers.delete(entry);
    },
    retryParked: async (parked) => {
      requireParked(parked);
      return release(parked, 'retry');
    },
    skipParked: async (parked) => {
      requireParked(parked);
      // What would be left out otherwise is lost for all appointments of the organization.
      if (!isWellFormedId(parked.appointmentId)) throw refusal('appointmentId is missing or no id.');
      return (await release(parked, 'delivered')) > 0;
    },
  };
}
