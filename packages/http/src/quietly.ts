/** Calls a hook of the host: what it throws, or rejects with, must not become the fault of a request, nor end the process. */
export function quietly(hook: () => unknown): void {
  try {
    const answer = hook();
    if (answer instanceof Promise) answer.catch(ignored);
  } catch {
    // Nobody is left to tell.
  }
}

function ignored(): void {
  // Nobody is left to tell.
}
