/** Milliseconds of so many seconds. */
export const seconds = (count: number): number => count * 1000;
/** Milliseconds of so many minutes. */
export const minutes = (count: number): number => count * 60_000;
/** Milliseconds of so many hours. */
export const hours = (count: number): number => count * 3_600_000;
/** Milliseconds of so many days of exactly 24 hours (D4). */
export const days = (count: number): number => count * 86_400_000;
