import type { Instant, NotificationState, NotificationType } from '@calends/model';
import type { CallOptions } from '../call-options.js';
import type { Caller } from '../../domain/calls/caller.js';

/** Which web hook endpoint. */
export interface EndpointReference {
  readonly applicationId: string;
  /** Its `id` in the settings of the application. */
  readonly endpointId: string;
}

/** A web hook endpoint as administrators see it; its address, headers and secrets stay in the host's settings (D78). */
export interface EndpointStatus {
  readonly id: string;
  readonly label: string;
  /** What it is sent. */
  readonly types: readonly NotificationType[];
  /** False = nothing is sent to it. */
  readonly enabled: boolean;
  /** Since when every delivery has failed; absent = the last one succeeded, or there was none. */
  readonly failingSince?: Instant | undefined;
  readonly disabledAt?: Instant | undefined;
  /** Why, and by whom if it was done by hand. */
  readonly disabledReason?: string | undefined;
}

/** A delivery to an endpoint that came to nothing. */
export interface EndpointFailure {
  /** Id of the notification's status. */
  readonly notificationId: string;
  readonly type: NotificationType;
  readonly at: Instant;
  /** Where the notification stood then: PENDING = another attempt was planned. */
  readonly status: NotificationState;
  readonly errorMessage: string;
}

/** One web hook endpoint with what failed last. */
export interface EndpointDetails extends EndpointStatus {
  /** At most 10 of the last 30 days, latest first. */
  readonly lastFailures: readonly EndpointFailure[];
}

/** What became of a test delivery. */
export interface EndpointTest {
  /** The `webhook-id` of the call, and `id` in its body. */
  readonly id: string;
  /** UNKNOWN: it was sent and no answer came. */
  readonly outcome: 'DELIVERED' | 'FAILED' | 'UNKNOWN';
  /** What the endpoint answered, in the notifier's words; of ours the HTTP status. */
  readonly providerStatus?: string | undefined;
  readonly errorMessage?: string | undefined;
}

/** What to replay. */
export interface ReplayQuery extends EndpointReference {
  /** ISO 8601: what has failed since then. */
  readonly since: string;
  /** `next` of the call before; absent = from `since` on. */
  readonly after?: string | undefined;
}

/** What one call of a replay did. */
export interface EndpointReplay {
  /** Messages that are being sent again. */
  readonly retried: number;
  /** Messages that may not be retried any more (D53). */
  readonly skipped: number;
  /** Where the next call goes on; absent = everything has been seen. */
  readonly next?: string | undefined;
}

/** What a call on an endpoint may come with. */
export type EndpointOptions = Pick<CallOptions, 'idempotency' | 'signal' | 'correlationId'>;

/**
 * The web hook endpoints of an application, for administrators of the organization (D78).
 *
 * Each call rejects with `forbidden` for others; with `not_found` for an endpoint that the application does not have, an
 * application of another organization included. Other processes see within a second that an
 * endpoint was enabled, and within 30 s that it was disabled.
 */
export interface EndpointOperations {
  /** All endpoints of an application, in the order of its settings; none for an unknown one. */
  listEndpoints(caller: Caller, applicationId: string): Promise<readonly EndpointStatus[]>;
  /** One endpoint, with what failed last. */
  getEndpoint(caller: Caller, endpoint: EndpointReference): Promise<EndpointDetails>;
  /** Sends to an endpoint again that was disabled (D59). What failed meanwhile stays so until it is replayed. */
  enableEndpoint(caller: Caller, endpoint: EndpointReference, options?: EndpointOptions): Promise<EndpointStatus>;
  /** Sends nothing more to an endpoint: what is due for it fails without an attempt. */
  disableEndpoint(caller: Caller, endpoint: EndpointReference, options?: EndpointOptions): Promise<EndpointStatus>;
  /**
   * Makes one call of the type TEST to an endpoint, also to a disabled one, signed as every call is.
   *
   * Waits as long as the notifier does and 8 s at most, keeps no notification and changes nothing of the endpoint. Rejects with
   * `rate_limited` while this process tests the endpoint already, with `unavailable` where it has no notifier for web hooks.
   */
  testEndpoint(caller: Caller, endpoint: EndpointReference, options?: EndpointOptions): Promise<EndpointTest>;
  /**
   * Retries by hand what has failed for an endpoint since a time and may be retried (D53), oldest first.
   *
   * One call looks at 100 failures of the application's web hooks; go on with `next`. What is being sent again is not
   * retried once more, so a call may be repeated. Rejects with `retry_not_allowed` while the endpoint is disabled.
   */
  replayEndpoint(caller: Caller, query: ReplayQuery, options?: EndpointOptions): Promise<EndpointReplay>;
}
