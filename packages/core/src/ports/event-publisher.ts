import type { DomainEvent } from '../domain/appointments/events.js';

/**
 * Where the relay hands over domain events.
 *
 * Called at least once for every event, in version order for one appointment, never before the change was
 * committed (D48). A rejection means "again later": back-off from 1 s to 5 min, then the event is parked and
 * reported. Calls for different appointments may overlap.
 */
export interface EventPublisher {
  publish(event: DomainEvent): Promise<void>;
}
