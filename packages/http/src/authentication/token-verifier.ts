import type { Caller } from '@calends/core';

/** Tells who a bearer token belongs to (D40); hosts with other tokens than JWTs bring their own. */
export interface TokenVerifier {
  /**
   * The caller whom a valid token names; `undefined` for every other token, whatever is wrong with it (401).
   *
   * A rejection is a fault of the service (500), or of something it waits for when it is a `CalendsError` with
   * `temporary` (503). Called for every request: cache what is expensive.
   */
  verify(token: string): Promise<Caller | undefined> | Caller | undefined;
}
