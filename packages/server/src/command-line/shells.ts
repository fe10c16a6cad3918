/** Shells whose completion can be printed. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One of {@link shells}. */
export type Shell = (typeof shells)[number];
