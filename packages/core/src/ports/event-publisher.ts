import type { DomainEvent } from '../domain/appointments/events.js';

/**
 * Where the relay hands over domain events.
 *
 * Called at least once for every event, in version order for one appointment, never before the change was
 * committed (D48). A rejection means "again later": back-off from 1 s to 5 min, then the event is parked and
 * reported, and the later ones of its appointment wait behind it. Rejected with a {@link PublisherUnavailableError}
 * it is never parked. Calls for different appointments may overlap.
 */
export interface EventPublisher {
  publish(event: DomainEvent): Promise<void>;
}

const brand = Symbol.for('calends.publisherUnavailable');

/**
 * Says that a publisher can take no event now, whichever it is: the broker is away, or does not answer.
 *
 * The event is tried again for as long as that takes. Recognise it with {@link PublisherUnavailableError.is}, which also
 * holds when two copies of the package are loaded.
 */
export class PublisherUnavailableError extends Error {
  override readonly name = 'PublisherUnavailableError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells whether a caught value is a {@link PublisherUnavailableError}, from this or another copy of the package. */
  static is(value: unknown): value is PublisherUnavailableError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** A subscriber within the process. */
export type EventHandler = (event: DomainEvent) => Promise<void> | void;
