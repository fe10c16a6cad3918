import type { HoursException, HoursRules, Instant, ServiceRules } from '@calends/model';
import type { TimeReason } from '../../domain/calls/errors.js';

/** What a question about free times is about. */
interface Question {
  readonly applicationId: string;
  readonly serviceId: string;
  /** Only these agents; absent = all that the service names. Of a service that needs resources too, those stay. */
  readonly agentIds?: readonly string[] | undefined;
  /** The appointment that is to be moved: its own time is not in its way. Required of a customer with a manage proof. */
  readonly appointmentId?: string | undefined;
}

/** Input of `find`. */
export interface FindQuery extends Question {
  /** ISO 8601 with `Z` or an offset. Starts from here on. */
  readonly from: string;
  /** Starts before this; at most 92 days after `from`, 31 with a manage proof. */
  readonly to: string;
  /** ISO 8601; absent = every duration of the service. */
  readonly durations?: readonly string[] | undefined;
}

/** A start that can be booked. */
export interface Offer {
  readonly start: Instant;
  readonly end: Instant;
  /** Agents and resources of the service that are free then, by code point; for staff only. */
  readonly actorIds?: readonly string[] | undefined;
}

/** The answer of `find`. */
export interface Offers {
  /** One entry for each duration, in the order asked, starts ascending. */
  readonly durations: readonly { readonly duration: number; readonly offers: readonly Offer[] }[];
  /** Where to ask on (`from`), after 5,000 starts in all, or a search over very many actors and times; absent = there are no more in the window. */
  readonly next?: Instant | undefined;
}

/** Input of `explain`: one start and one duration. */
export interface ExplainQuery extends Question {
  readonly start: string;
  readonly duration: string;
}

/** The answer of `explain`. */
export type Explanation =
  | { readonly free: true; readonly actorIds?: readonly string[] | undefined }
  /** In the order of `timeReasonCodes`, then by actor, then by appointment. */
  | { readonly free: false; readonly reasons: readonly TimeReason[] };

/** Input of `hold`. */
export interface HoldCommand extends Question {
  readonly start: string;
  readonly duration: string;
  /** Token of a hold that is given up in the same step. */
  readonly replaces?: string | undefined;
}

/** A time that is held. */
export interface HeldTime {
  readonly id: string;
  /** To be given as `holdToken` when booking; whoever has it owns the hold. */
  readonly token: string;
  readonly serviceId: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly until: Instant;
  /** For staff only. */
  readonly agentIds?: readonly string[] | undefined;
}

/** Which hold to give up. */
export interface ReleaseCommand {
  readonly id: string;
  /** Supervisors need none. */
  readonly token?: string | undefined;
  /** For visitors, where the application belongs to an organization: its id. */
  readonly applicationId?: string | undefined;
}

/** Who asks without a token: where the host opened it to the public. */
export interface Visitor {
  /** Address of the client, to count holds by; kept as a keyed hash only. */
  readonly clientAddress: string;
  /**
   * A page of the host asks for its own visitor: it is answered, and may hold, whatever `public` and `holds.anonymous` say.
   * Never taken from a request. Default false.
   */
  readonly admitted?: boolean | undefined;
}

/** A service as it is offered to those who look for one. */
export interface OfferedService {
  readonly id: string;
  readonly title: string;
  readonly description?: string | undefined;
  /** ISO 8601. */
  readonly durations: readonly string[];
  /** IANA name: the zone of its grid, and of appointments that are booked with it. */
  readonly timezone: string;
}

/** A record with its version, for ETags. */
interface Versioned {
  /** 0 = it comes from settings and cannot be changed. */
  readonly version: number;
}

/** A service of an application. */
export interface ServiceRecord extends Versioned {
  readonly applicationId: string;
  readonly id: string;
  readonly rules: ServiceRules;
  /** True = not offered any more. */
  readonly archived: boolean;
}

/** Hours of an actor. */
export interface HoursRecord extends Versioned {
  readonly actorId: string;
  readonly rules: HoursRules;
}

/** One day on which other hours hold for an actor. */
export interface ExceptionRecord extends Versioned {
  readonly actorId: string;
  /** `YYYY-MM-DD` in the zone of the actor's hours. */
  readonly date: string;
  readonly exception: HoursException;
}

/** Names a service. */
export interface ServiceKey {
  readonly applicationId: string;
  readonly serviceId: string;
}

/** Names an exception. */
export interface ExceptionKey {
  readonly actorId: string;
  readonly date: string;
}
