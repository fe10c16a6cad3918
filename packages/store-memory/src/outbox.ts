import type { DomainEvent } from '@calends/core';
import {
  type Claim,
  type ClaimedEvent,
  compareText,
  type EventOutcome,
  type EventQuery,
  type EventRelease,
  type Instant,
} from '@calends/core/store';
import { compositeKey, entry } from './maps.js';
import { SortedList } from './sorted-list.js';

const streamKey = ({ organizationId, appointmentId }: EventQuery): string =>
  compositeKey(organizationId, appointmentId);

/** Until a parked event is released. */
const never = Number.MAX_SAFE_INTEGER;

/** An event and what became of its delivery. */
interface OutboxEntry {
  readonly event: DomainEvent;
  readonly stream: EventStream;
  /** From when on it may be claimed: at once, after the lease of a claim, at its retry; {@link never} while it is parked. */
  availableAt: Instant;
  attempts: number;
  /** Fencing token of the claim in force. */
  token?: string | undefined;
  deliveredAt?: Instant;
}

const inVersionOrder = (a: OutboxEntry, b: OutboxEntry): number =>
  a.event.version - b.event.version || compareText(a.event.id, b.event.id);

/** The events of one appointment in version order, of which one at a time may be delivered (D48). */
class EventStream {
  readonly key: string;
  readonly entries = new SortedList(inVersionOrder);

  constructor(key: string) {
    this.key = key;
  }

  /** The event whose turn it is, and behind which all others wait: the first that is not delivered. */
  get head(): OutboxEntry | undefined {
    return this.entries.items.find(({ deliveredAt }) => deliveredAt === undefined);
  }

  add(event: DomainEvent): OutboxEntry {
    const { occurredAt: availableAt } = event;
    const added: OutboxEntry = { event, stream: this, availableAt, attempts: 0 };
    this.entries.add(added);
    return added;
  }
}

/** Events of all appointments and their delivery (D48). */
export class Outbox {
  readonly #byId = new Map<string, OutboxEntry>();
  readonly #streams = new Map<string, EventStream>();
  /** The heads of all streams, by when they may be claimed; what stands behind a head is not in it. */
  readonly #heads = new SortedList<OutboxEntry>(
    (a, b) => a.availableAt - b.availableAt || compareText(a.stream.key, b.stream.key),
  );
  readonly #delivered = new SortedList<OutboxEntry>(
    (a, b) => (a.deliveredAt ?? 0) - (b.deliveredAt ?? 0) || compareText(a.event.id, b.event.id),
  );
  #claims = 0;
  /** True once somebody has asked for events: from then on they wait for him. */
  #isRead = false;

  has(eventId: string): boolean {
    return this.#byId.has(eventId);
  }

  list(query: EventQuery): readonly DomainEvent[] {
    return this.#streams.get(streamKey(query))?.entries.items.map(({ event }) => event) ?? [];
  }

  /** Tells whether an event of the appointment waits for its delivery, parked ones included. */
  isWaiting(query: EventQuery): boolean {
    return this.#streams.get(streamKey(query))?.head !== undefined;
  }

  /** Adds an event; one that is `unread` is born delivered where nobody ever asked for any (D79). */
  add(event: DomainEvent, unread: boolean): void {
    const key = streamKey(event);
    const stream = entry(this.#streams, key, () => new EventStream(key));
    this.#changing(stream, () => {
      const added = stream.add(event);
      this.#byId.set(event.id, added);
      if (unread && !this.#isRead) this.#deliver(added, event.occurredAt);
    });
  }

  claim({ now, limit, leaseUntil }: Claim): readonly ClaimedEvent[] {
    this.#isRead = true;
    const due = this.#heads.takeWhile(({ availableAt }) => availableAt <= now, limit);
    return due.map((entry) => {
      this.#claims += 1;
      const token = `${this.#claims}`;
      this.#changing(entry.stream, () => {
        entry.availableAt = leaseUntil;
        entry.token = token;
        entry.attempts += 1;
      });
      return { event: entry.event, token, attempts: entry.attempts };
    });
  }

  /** Records how a delivery ended, unless the token does not hold the claim any more. */
  settle({ eventId, token, status, at, attempts }: EventOutcome): void {
    const entry = this.#byId.get(eventId);
    if (entry?.token !== token) return;
    this.#changing(entry.stream, () => {
      entry.token = undefined;
      entry.attempts = attempts ?? entry.attempts;
      if (status === 'delivered') this.#deliver(entry, at);
      else entry.availableAt = status === 'parked' ? never : at;
    });
  }

  release({ organizationId, appointmentId, as, at }: EventRelease): number {
    const parked = this.#heads.items.filter(
      ({ event, availableAt }) =>
        availableAt === never &&
        event.organizationId === organizationId &&
        (appointmentId === undefined || event.appointmentId === appointmentId),
    );
    for (const entry of parked) {
      this.#changing(entry.stream, () => {
        entry.attempts = 0;
        if (as === 'delivered') this.#deliver(entry, at);
        else entry.availableAt = at;
      });
    }
    return parked.length;
  }

  purge(before: Instant, limit: number): number {
    const old = this.#delivered.takeWhile(({ deliveredAt }) => (deliveredAt ?? before) < before, limit);
    for (const entry of old) {
      this.#delivered.remove(entry);
      this.#byId.delete(entry.event.id);
      entry.stream.entries.remove(entry);
      if (entry.stream.entries.isEmpty) this.#streams.delete(entry.stream.key);
    }
    return old.length;
  }

  nextAvailableAt(): Instant | undefined {
    const next = this.#heads.first?.availableAt;
    return next === never ? undefined : next;
  }

  #deliver(entry: OutboxEntry, at: Instant): void {
    entry.deliveredAt = at;
    this.#delivered.add(entry);
  }

  /** Changes a stream and keeps its head in its place among the others. */
  #changing(stream: EventStream, change: () => void): void {
    const before = stream.head;
    if (before !== undefined) this.#heads.remove(before);
    change();
    const after = stream.head;
    if (after !== undefined) this.#heads.add(after);
  }
}
