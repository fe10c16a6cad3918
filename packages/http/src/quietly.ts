/** Calls a hook of the host: what it throws must not become the fault of a request. */
export function quietly(hook: () => void): void {
  try {
    hook();
  } catch {
    // Nobody is left to tell.
  }
}
