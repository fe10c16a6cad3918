import type { ServiceRules } from '@calends/model';
import type { ActorHours } from '../../src/ports/availability-source.js';
import type { BusyElsewhere } from '../../src/ports/busy-source.js';

/** An appointment or a hold. */
export interface Taken {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** Its own buffers, as they were when it was booked. */
  readonly before: number;
  readonly after: number;
  readonly actorIds: readonly string[];
  /** Absent = booked without a service. */
  readonly serviceId?: string | undefined;
  /** False for an appointment that has ended early. */
  readonly blocks: boolean;
  /** For holds only. */
  readonly until?: number | undefined;
}

/** All that an answer about free times depends on. */
export interface World {
  readonly serviceId: string;
  readonly rules: ServiceRules;
  readonly duration: number;
  /** Least buffer of every booking of the application. */
  readonly buffer: number;
  readonly now: number;
  readonly from: number;
  readonly to: number;
  readonly agentIds?: readonly string[] | undefined;
  readonly hours: readonly ActorHours[];
  readonly taken: readonly Taken[];
  /** The appointment that is to be moved. */
  readonly movedId?: string | undefined;
  readonly elsewhere: readonly BusyElsewhere[];
  /** Actors whose busy source failed. */
  readonly stale: readonly string[];
  /** Starts that are to be explained. */
  readonly starts: readonly number[];
}
