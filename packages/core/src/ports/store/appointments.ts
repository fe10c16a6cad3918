import type { AppointmentSortField, AppointmentState, Instant, SortOrder, TimeRange, TimeWindow } from '@calends/model';
import type { Appointment } from '../../domain/appointments/appointment.js';

/** A page, and how many there are in all. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Which page of a listing, and in which order. */
export interface PageRequest<SortField extends string> {
  readonly sortField: SortField;
  readonly sortOrder: SortOrder;
  /** 1-based. */
  readonly pageNumber: number;
  /** 1 to 100; 20 where a query does not say. */
  readonly pageSize: number;
}

/** A claim on due work: the rows are this worker's until the lease ends. */
export interface Claim {
  readonly now: Instant;
  /** At most so many. */
  readonly limit: number;
  readonly leaseUntil: Instant;
}

/**
 * What to list; every filter narrows, the values inside one filter are alternatives.
 *
 * An absent filter lets everything through, one without alternatives (`[]`) nothing.
 */
export interface AppointmentListQuery extends PageRequest<AppointmentSortField> {
  readonly organizationId: string;
  /** Absent = every application of the organization. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Organizer or AGENT participant, not customers; answered through the actor index (`actorsOf`). */
  readonly agentIds?: readonly string[] | undefined;
  readonly organizerIds?: readonly string[] | undefined;
  /** Durations in milliseconds. */
  readonly durations?: readonly number[] | undefined;
  /** Ranges that the start must lie in (D32). */
  readonly ranges?: readonly TimeRange[] | undefined;
  /** Absent = every state. */
  readonly states?: readonly AppointmentState[] | undefined;
}

/** Which part of the appointments that can be activated; ids compare by code point. */
export interface EligiblePage {
  /** Absent = all applications, `[]` = none. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Only ids greater than this one; absent = from the first on. */
  readonly after?: string | undefined;
  /** 1 or more. */
  readonly limit: number;
}

/** What tells whether an appointment has changed, and where it stands in a list by start. */
export interface AppointmentVersion extends Pick<Appointment, 'id' | 'version' | 'updatedAt'> {
  readonly start: Instant;
}

/** Windows to count in, of one application. */
export interface WindowCountQuery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly windows: readonly TimeWindow[];
}

/** A claim on appointments or events that are due. */
export interface DueClaim extends Claim {
  /**
   * True = `now` and `leaseUntil` are by the clock of the process (D80): where that is fast, a store with a clock of its own takes
   * both as that much earlier. Absent = they stand as they are.
   */
  readonly byProcess?: boolean | undefined;
}

/** An appointment whose `wakeAt` has come. */
export interface DueAppointment {
  readonly appointment: Appointment;
  /** The instant that has come, not the end of the lease. */
  readonly wakeAt: Instant;
  /** By how many milliseconds the claim was taken as earlier; absent = it was not. */
  readonly fastBy?: number | undefined;
}

/** Puts the next look at an appointment off, without changing it. */
export interface Postponement {
  readonly organizationId: string;
  readonly appointmentId: string;
  /** Nothing happens when the appointment has another version by now. */
  readonly expectedVersion: number;
  readonly wakeAt: Instant | null;
}

/** Which part of all appointments to walk through. */
export interface AppointmentWalk {
  /** The last one of the part before; absent = from the first on. */
  readonly after?: Pick<Appointment, 'organizationId' | 'id'> | undefined;
  /** 1 or more. */
  readonly limit: number;
}

/** An appointment with the instant at which the worker looks at it, which may be the end of a lease. */
export interface WalkedAppointment {
  readonly appointment: Appointment;
  readonly wakeAt: Instant | null;
}

/** Milliseconds: no copy answers that lacks what was committed longer ago than this. */
export const copiesMayLack = 10_000;

/**
 * Says of a read that its answer is only shown, and decides on nothing: a store may have it answered by a copy of its data
 * that lacks what was committed in the last {@link copiesMayLack}. Stores without copies need not look at it.
 */
export interface ShownRead {
  /** The mark of a commit that the answer must not lack; one that the store does not know is a reason to ask no copy. Absent = none. */
  readonly after?: string | undefined;
}

/** What a step of {@link AppointmentStore.repairCounts} did. */
export interface CountRepair {
  /** Counts that were wrong; 0 = all of the portion was right. */
  readonly repaired: number;
  /** Where the next step goes on; absent = all was looked at. */
  readonly next?: readonly string[] | undefined;
}

/** The appointments of a store. Scope, comparison, copies and faults as in `SchedulingStore`. */
export interface AppointmentStore {
  /** The appointment of that organization, or `undefined`; foreign and unknown are the same. */
  find(organizationId: string, appointmentId: string, shown?: ShownRead): Promise<Appointment | undefined>;

  /** A page and the total, from one consistent state. Ties by id in the same direction (D31). */
  list(query: AppointmentListQuery, shown?: ShownRead): Promise<Listed<Appointment>>;

  /**
   * The versions of what `list` answers to the same query, in its order: so that a long answer can be tagged without reading it.
   * Absent = its pages are read for that.
   */
  listVersions?(query: AppointmentListQuery, shown?: ShownRead): Promise<readonly AppointmentVersion[]>;

  /**
   * The next SCHEDULED appointments by id, which never changes: anyone who walks through all of them meets none twice,
   * whatever changes meanwhile (D69). Fewer than `limit` = there are no more at this moment. Leaves nothing open behind.
   */
  listEligible(organizationId: string, page: EligiblePage): Promise<readonly Appointment[]>;

  /** For each window, how many live appointments (`isLive`) start in it (D27). */
  countStarting(query: WindowCountQuery, shown?: ShownRead): Promise<readonly number[]>;

  /** For each window, how many live appointments (`isLive`) intersect it (D29). */
  countOverlapping(query: WindowCountQuery, shown?: ShownRead): Promise<readonly number[]>;

  /**
   * Claims appointments whose `wakeAt ≤ now`, earliest first, ties by organization, then id, and moves their `wakeAt` to
   * `leaseUntil`.
   *
   * No row goes to two claimers. The version stays: the lease only spares double work, what decides is the
   * version check of the commit that follows.
   */
  claimDue(claim: DueClaim): Promise<readonly DueAppointment[]>;

  /** Sets `wakeAt` without a new version. */
  postpone(postponement: Postponement): Promise<void>;

  /**
   * The next appointments of all organizations, in any state, by organization, then id; ids compare by code point. Fewer
   * than `limit` = there are no more at this moment.
   */
  walk(walk: AppointmentWalk): Promise<readonly WalkedAppointment[]>;

  /**
   * Where the store adds up what commits count: adds up to `limit` of what was written since, and answers how much that was.
   * What is answered stays the same. Absent = there is nothing to add up.
   */
  foldCounts?(limit: number): Promise<number>;

  /**
   * Where the store keeps counts beside the appointments: compares them, a portion at a time from `after` on, and puts right
   * what is wrong. What is committed meanwhile is counted once. Absent = nothing can be wrong.
   */
  repairCounts?(after?: readonly string[]): Promise<CountRepair>;
}
