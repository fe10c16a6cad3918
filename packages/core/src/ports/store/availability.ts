import type { Instant, TimeWindow } from '@calends/model';
import type { ShownRead } from './appointments.js';

/** Kinds of records: a service of an application, the hours of an actor, and one day on which other hours hold. */
export const availabilityKinds = ['service', 'hours', 'exception'] as const;

/** One of {@link availabilityKinds}. */
export type AvailabilityKind = (typeof availabilityKinds)[number];

/** What a record is about. */
export interface AvailabilityKey {
  readonly kind: AvailabilityKind;
  /** Id of the application of a service; id of the actor of hours and exceptions. */
  readonly scopeId: string;
  /** Id of the service; empty for hours; the date of an exception, `YYYY-MM-DD`. */
  readonly id: string;
}

/** A service, hours or an exception as the store keeps it: what its document says, only the core knows. */
export interface AvailabilityRecord extends AvailabilityKey {
  readonly organizationId: string;
  /** From 1 up to 999,999,999,999,999, raised by one with every change. Services begin at 1, what can be removed at a drawn one (ADR 0069). */
  readonly version: number;
  /** JSON object. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly updatedAt: Instant;
}

/** Which records to read. */
export interface AvailabilityRecordQuery {
  readonly organizationId: string;
  readonly kinds: readonly AvailabilityKind[];
  /** Absent = all of the organization, `[]` = none. */
  readonly scopeIds?: readonly string[] | undefined;
  /** Ids from this one on, by code point; for dates. */
  readonly fromId?: string | undefined;
  /** Ids up to this one. */
  readonly untilId?: string | undefined;
}

/** A time that is kept for somebody who is about to book; a row for each actor stands in the way of others until it ends. */
export interface Hold {
  readonly id: string;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly serviceId: string;
  readonly start: Instant;
  readonly end: Instant;
  /** Start less the buffer before, and end with the buffer after. */
  readonly busy: TimeWindow;
  readonly agentIds: readonly string[];
  readonly resourceIds: readonly string[];
  /** Keyed hash of who holds, for the count of their holds; never an address. */
  readonly ownerKey: string;
  /** It is alive while the clock of the store is before this. */
  readonly until: Instant;
}

/** What to look up in the actor index and among holds. */
export interface BusyQuery {
  readonly organizationId: string;
  /** Actors of one question, all at once: agents, resources, and `serviceActorId` where limits count. At least one. */
  readonly actorIds: readonly string[];
  /** What intersects it, buffers included, or begins in it. */
  readonly window: TimeWindow;
  /** The appointment that is to be moved: its own time is not in its way. */
  readonly exceptAppointmentId?: string | undefined;
  /** Now, where the host has a clock of its own; absent = by the clock of the store. */
  readonly now?: Instant | undefined;
}

/** What to look up where only times matter. */
export interface TimesQuery extends BusyQuery {
  /** Free time that a booking needs around it, in milliseconds. */
  readonly buffers: { readonly before: number; readonly after: number };
  /** First and last day whose exceptions are told with the hours of the actors, `YYYY-MM-DD`; absent = neither is. */
  readonly days?: { readonly from: string; readonly until: string } | undefined;
  /** The record of the service that the question was made by; absent = it was made by none. */
  readonly service?: AvailabilityMark | undefined;
}

/** One state of a record: what is written later has another version or time. */
export type AvailabilityMark = Pick<AvailabilityRecord, 'scopeId' | 'id' | 'version' | 'updatedAt'>;

/** When one actor works and is taken. */
export interface ActorTimes {
  readonly actorId: string;
  /** Instants: begin, end, begin, end and so on, in any order. One span may meet another. */
  readonly spans: readonly number[];
  /** Document of their hours; absent = they have none, or nobody asked. */
  readonly hours?: AvailabilityRecord['document'] | undefined;
  /** Documents of their exceptions by date; absent = none. */
  readonly exceptions?: Readonly<Record<string, AvailabilityRecord['document']>> | undefined;
}

/** One entry of the actor index, or of a living hold. */
export interface BusyEntry {
  readonly actorId: string;
  readonly start: Instant;
  readonly end: Instant;
  /** `start` and `end` where there is no buffer. */
  readonly busy: TimeWindow;
  /** False for what only counts for limits: it has ended early, or the actor is a service. */
  readonly blocks: boolean;
  /** Absent for a hold. */
  readonly appointmentId?: string | undefined;
  /** Absent for an appointment. */
  readonly holdId?: string | undefined;
  /** `serviceActorId` of what was booked with a service. */
  readonly serviceActorId?: string | undefined;
}

/**
 * Services, hours, holds and busy times. Scope, comparison, copies and faults as in `SchedulingStore`.
 *
 * What is written goes through `commit`: `Change.records`, `Change.holds`.
 */
export interface AvailabilityStore {
  /** All records that match, by kind, scope and id, by code point. */
  listRecords(query: AvailabilityRecordQuery): Promise<readonly AvailabilityRecord[]>;

  /**
   * What stands in the actor index and among living holds, by actor, then start, then id: appointments in any state but CANCELLED and
   * ABORTED. One statement, whatever the number of actors; from one consistent state.
   */
  listBusy(query: BusyQuery, shown?: ShownRead): Promise<readonly BusyEntry[]>;

  /**
   * What a search needs, of each actor that has any of it, in any order: hours and exceptions, and what `listBusy` finds and blocks as
   * times that a booking must not meet. Such a time goes from `busy.from`, or from `start` less the buffer after the booking where that is
   * earlier, to `busy.to` or the buffer before it after `end`. A search reads thousands: quickest in one statement, with two numbers of each.
   *
   * `undefined` = the service of the question is another now, or there is none.
   */
  listTimes(query: TimesQuery, shown?: ShownRead): Promise<readonly ActorTimes[] | undefined>;

  /** A hold that is there, alive or not, until it is deleted; foreign and unknown are the same. */
  findHold(organizationId: string, holdId: string): Promise<Hold | undefined>;

  /** Deletes holds that ended before, at most so many; answers how many. For tidiness only: what has ended stands in nobody's way. */
  purgeHolds(before: Instant, limit: number): Promise<number>;
}
