import type { EventOperations } from '../scheduling.js';
import { boundedHandler } from './bounded-ports.js';
import type { EventRelease } from '../ports/store/events.js';
import type { UseCaseContext } from '../operations/context.js';

/** Following events, and what the host does about parked ones. */
export function eventOperations(context: UseCaseContext): EventOperations {
  const { store, clock, takers, wakes } = context;
  const release = async (
    { organizationId, appointmentId }: Pick<EventRelease, 'organizationId' | 'appointmentId'>,
    as: EventRelease['as'],
  ): Promise<number> => {
    const count = await store.events.release({ organizationId, appointmentId, as, at: clock.now() });
    if (count > 0 && takers.size > 0) wakes.emit('workers');
    return count;
  };
  return {
    subscribe: (handler) => {
      const entry = boundedHandler(handler);
      takers.add(entry);
      return () => void takers.delete(entry);
    },
    retryParked: (parked) => release(parked, 'retry'),
    skipParked: async (parked) => (await release(parked, 'delivered')) > 0,
  };
}
