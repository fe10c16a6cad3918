import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** Where the server writes what happens. */
export type Log = Logger;

/** What a pipe takes as a whole (PIPE_BUF), in bytes. */
const wholeWrite = 4096;

/**
 * Structured lines on standard output.
 *
 * Anyone who logs gives codes, ids and counts: nothing personal, no bodies, no tokens, no query strings. Written without
 * waiting; what is left is flushed when the process ends.
 *
 * @param oneOfMany whether other processes write to the same place: lines then have a `pid`, and none stands in the midst of another
 */
export function createLog(level: string, { oneOfMany = false } = {}): Log {
  return pino(
    {
      level,
      base: oneOfMany ? { pid: process.pid } : null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // With a least length of 0, its default, `flush` tells at once that all is written, whatever is under way.
    destination({ dest: 1, sync: false, minLength: 1, ...(oneOfMany ? { maxWrite: wholeWrite } : {}) }),
  );
}
