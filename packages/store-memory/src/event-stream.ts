import type { DomainEvent } from '@calends/core';
import type { Instant } from '@calends/core/store';
import { compareText } from './code-point-order.js';
import { SortedList } from './sorted-list.js';

/** An event and what became of its delivery. */
export interface OutboxEntry {
  readonly event: DomainEvent;
  readonly stream: EventStream;
  status: 'undelivered' | 'delivered' | 'parked';
  /** From when on it may be claimed: at once, after the lease of a claim, or at its retry. */
  availableAt: Instant;
  attempts: number;
  /** Fencing token of the claim in force. */
  token?: string | undefined;
  deliveredAt?: Instant;
}

const inVersionOrder = (a: OutboxEntry, b: OutboxEntry): number =>
  a.event.version - b.event.version || compareText(a.event.id, b.event.id);

/** The events of one appointment in version order, of which one at a time may be delivered (D48). */
export class EventStream {
  readonly key: string;
  readonly #entries = new SortedList(inVersionOrder);

  constructor(key: string) {
    this.key = key;
  }

  get isEmpty(): boolean {
    return this.#entries.isEmpty;
  }

  get events(): readonly DomainEvent[] {
    return this.#entries.items.map(({ event }) => event);
  }

  /** The event whose turn it is: the first that is neither delivered nor parked. */
  get head(): OutboxEntry | undefined {
    return this.#entries.items.find(({ status }) => status === 'undelivered');
  }

  add(event: DomainEvent): OutboxEntry {
    const entry: OutboxEntry = {
      event,
      stream: this,
      status: 'undelivered',
      availableAt: event.occurredAt,
      attempts: 0,
    };
    this.#entries.add(entry);
    return entry;
  }

  remove(entry: OutboxEntry): void {
    this.#entries.remove(entry);
  }
}
