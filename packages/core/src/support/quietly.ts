import { dropRejection } from './maybe-promise.js';

/** Calls a hook of the host: what it throws, or rejects with, must not become the fault of a request, nor end the process. */
export function quietly(hook: () => unknown): void {
  try {
    dropRejection(hook());
  } catch {
    // Nobody is left to tell.
  }
}
