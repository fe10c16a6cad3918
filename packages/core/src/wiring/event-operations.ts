import type { EventOperations } from '../scheduling.js';
import type { EventRelease } from '../ports/store/events.js';
import type { Subscriptions } from '../background/relay-events.js';
import type { UseCaseContext } from '../operations/context.js';

/** Following events, and what the host does about parked ones. */
export function eventOperations(context: UseCaseContext, subscriptions: Subscriptions): EventOperations {
  const { store, clock, wakeWorkers } = context;
  const release = async (
    { organizationId, appointmentId }: Pick<EventRelease, 'organizationId' | 'appointmentId'>,
    as: EventRelease['as'],
  ): Promise<number> => {
    const count = await store.events.release({ organizationId, appointmentId, as, at: clock.now() });
    if (count > 0) wakeWorkers();
    return count;
  };
  return {
    subscribe: (handler) => subscriptions.subscribe(handler),
    retryParked: (parked) => release(parked, 'retry'),
    skipParked: async (parked) => (await release(parked, 'delivered')) > 0,
  };
}
