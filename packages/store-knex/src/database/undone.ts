const undone = new WeakSet();

/** Notes that the work which ended with this error has left nothing behind, and will not. */
export function noteUndone(error: unknown): void {
  if (typeof error === 'object' && error !== null) undone.add(error);
}

/** Tells whether that is known of an error. */
export const isUndone = (error: unknown): boolean => typeof error === 'object' && error !== null && undone.has(error);
