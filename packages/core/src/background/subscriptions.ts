import type { DomainEvent } from '../domain/appointments/events.js';
import type { EventPublisher } from '../ports/event-publisher.js';

/** A subscriber within the process. */
export type EventHandler = (event: DomainEvent) => Promise<void> | void;

/** Hands events to the host's publisher and to every subscriber; one failure makes all of them see it again. */
export class Subscriptions implements EventPublisher {
  readonly #handlers = new Set<EventHandler>();
  readonly #publisher: EventPublisher | undefined;

  constructor(publisher: EventPublisher | undefined) {
    this.#publisher = publisher;
  }

  /** False while nobody here would get an event: where nobody elsewhere does either, events are born delivered (D79). */
  get hasTakers(): boolean {
    return this.#publisher !== undefined || this.#handlers.size > 0;
  }

  /** Adds a subscriber, and answers how to remove it. */
  subscribe(handler: EventHandler): () => void {
    const entry: EventHandler = (event) => handler(event);
    this.#handlers.add(entry);
    return () => void this.#handlers.delete(entry);
  }

  async publish(event: DomainEvent): Promise<void> {
    await this.#publisher?.publish(event);
    for (const handler of this.#handlers) await handler(event);
  }
}
