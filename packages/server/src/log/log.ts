import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** Where the server writes what happens. */
export type Log = Logger;

/**
 * Structured lines on standard output.
 *
 * Anyone who logs gives codes, ids and counts: nothing personal, no bodies, no tokens, no query strings. Written without
 * waiting; what is left is flushed when the process ends.
 */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // With a least length of 0, its default, `flush` tells at once that all is written, whatever is under way.
    destination({ dest: 1, sync: false, minLength: 1 }),
  );
}
