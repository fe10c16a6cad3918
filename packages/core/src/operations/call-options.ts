/** What every call may carry besides its command. */
export interface CallOptions {
  /** Request id for events, logs and the audit record, without control characters; made when absent. */
  readonly correlationId?: string | undefined;
  /** Source of the request, for security events (D66): an address, never who it is. */
  readonly source?: string | undefined;
  /** Cancelled and aborted appointments count as unknown (D25). Default false. */
  readonly liveOnly?: boolean | undefined;
  /**
   * Refuse with `version_mismatch` unless what is changed has one of these versions (If-Match); `any` = unless it is there. What is not there
   * yet has version 0.
   */
  readonly expectedVersions?: readonly number[] | 'any' | undefined;
  /** Make the call take effect once (decisions, Across all). */
  readonly idempotency?: IdempotencyOptions | undefined;
  /**
   * Once it is aborted, nothing of the call is committed any more: it rejects with `unavailable` as soon as its turn comes.
   * A commit that has begun goes on to its end. Default: the call waits as long as its store does.
   */
  readonly signal?: AbortSignal | undefined;
}

/** A call that takes effect once for the same caller, operation and key. */
export interface IdempotencyOptions {
  /** 1 to 255 visible ASCII characters. */
  readonly key: string;
  /** Name of the route or operation that the key belongs to, 1 to 64 characters. */
  readonly operation: string;
  /** Told when the answer is the stored one of an earlier call. */
  readonly onReplay?: (() => void) | undefined;
}

/** Options of `schedule`. */
export interface ScheduleOptions extends CallOptions {
  /** chatMode for a routing type when the request names none; default the provider's own (spec: Interaction). */
  readonly chatModes?: Readonly<Record<string, string>> | undefined;
}
