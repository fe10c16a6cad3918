import type { Instant } from '@calends/model';

/** Identifies a request that must take effect once (decisions, Across all). */
export interface RequestKey {
  readonly organizationId: string;
  readonly callerId: string;
  readonly operation: string;
  readonly key: string;
}

/**
 * The answer of a request, written in the same commit as its effect, under its key.
 *
 * Nothing is kept of a request before that: of several with one key, whichever commits first has the effect.
 */
export interface RequestCompletion extends RequestKey {
  /** Hash of the command; the same key with another one is a mistake of the client. */
  readonly fingerprint: string;
  /** JSON text. */
  readonly answer: string;
  readonly at: Instant;
  /** Until when the answer is kept; one that is over by `at` counts as absent. */
  readonly expiresAt: Instant;
}

/** What a store has under the key of a request. */
export interface StoredRequest {
  readonly fingerprint: string;
  /** JSON text; absent while a program of before version 0.2 carries the request out, which reserved its key. */
  readonly answer?: string | undefined;
}

/** The answers of requests that must take effect once; a commit writes them. */
export interface RequestStore {
  /** What stands under the key; an answer that has expired by `now` counts as absent. */
  find(key: RequestKey, now: Instant): Promise<StoredRequest | undefined>;

  /** Deletes answers that expired before `now`, at most `limit`; answers how many went. */
  purge(now: Instant, limit: number): Promise<number>;
}
