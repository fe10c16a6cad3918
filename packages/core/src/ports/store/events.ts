import type { Instant } from '@calends/model';
import type { DomainEvent } from '../../domain/appointments/events.js';
import type { DueClaim } from './appointments.js';

/** An event handed to the relay. */
export interface ClaimedEvent {
  readonly event: DomainEvent;
  /** Fencing token of this claim. */
  readonly token: string;
  /** Deliveries begun, this one included. */
  readonly attempts: number;
  /** By how many milliseconds the claim was taken as earlier; absent = it was not. */
  readonly fastBy?: number | undefined;
}

/** How the delivery of a claimed event ended. */
export interface EventOutcome {
  readonly eventId: string;
  readonly token: string;
  readonly status: 'delivered' | 'retry' | 'parked';
  readonly at: Instant;
  /** With a retry: how many deliveries count as begun by now. Absent = all of them. */
  readonly attempts?: number | undefined;
}

/** Parked events that are to go on, and how. */
export interface EventRelease {
  readonly organizationId: string;
  /** Absent: those of every appointment of the organization. */
  readonly appointmentId?: string | undefined;
  /** `retry`: due at `at`, its attempts counted from the beginning. `delivered`: settled like that, at `at`. */
  readonly as: 'retry' | 'delivered';
  readonly at: Instant;
}

/** Which events to read back. */
export interface EventQuery {
  readonly organizationId: string;
  readonly appointmentId: string;
}

/** The events of a store, and which of them are delivered. */
export interface EventStore {
  /**
   * Claims undelivered events: per appointment only the one of the lowest version, and only when it is not
   * claimed, waiting for a retry, parked, or preceded by such a one.
   *
   * Where more can be claimed than `limit`, those are taken that could be for longest; which of those of the same instant, and the
   * order of the answer, is the store's choice.
   */
  claim(claim: DueClaim): Promise<readonly ClaimedEvent[]>;

  /**
   * Records outcomes. A retry waits until `at`, and the next claim counts on from its `attempts`; a parked event waits until it
   * is released.
   *
   * Ignored are outcomes whose token no longer holds the claim: somebody claimed the event since, or an outcome was
   * recorded already. The mere end of the lease does not matter.
   */
  settle(outcomes: readonly EventOutcome[]): Promise<void>;

  /** Lets parked events go on, and what waits behind them; answers how many were parked. */
  release(release: EventRelease): Promise<number>;

  /** Events of an appointment in version order, delivered ones included; also after its removal. */
  list(query: EventQuery): Promise<readonly DomainEvent[]>;

  /** Deletes events delivered before `before`, at most `limit`; answers how many went. */
  purge(before: Instant, limit: number): Promise<number>;
}
