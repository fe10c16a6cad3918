import { writeSync } from 'node:fs';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** Where the server writes what happens. */
export type Log = Logger;

/** What a pipe takes as a whole (PIPE_BUF), in bytes. */
const wholeWrite = 4096;

/** Bytes of lines that are kept while they cannot be written, on a full disk for example; those behind them are dropped. */
const maxKept = 16 * 1024 * 1024;

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
    goingOn(
      destination({
        dest: 1,
        sync: false,
        minLength: 1,
        maxLength: maxKept,
        ...(oneOfMany ? { maxWrite: wholeWrite } : {}),
      }),
    ),
  );
}

/**
 * Has the server go on where its log cannot be written: whoever reads the errors is told, and the lines wait for the next that can be.
 *
 * A fault that nobody heard would end the process, whose last flush then tries for ever, and stands still in the midst of its requests.
 */
function goingOn(stream: ReturnType<typeof destination>): ReturnType<typeof destination> {
  const flushSync = stream.flushSync.bind(stream);
  let fails = false;
  stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    // Of a reader that has gone pino itself makes an end.
    if (fails || code === 'EPIPE') return;
    fails = true;
    stream.flushSync = () => undefined;
    complain(`the log cannot be written (${code}): the server goes on, and the lines wait until they can be`);
  });
  stream.on('write', () => {
    if (!fails) return;
    fails = false;
    stream.flushSync = flushSync;
  });
  return stream;
}

function complain(sentence: string): void {
  try {
    writeSync(2, `calends: ${sentence}\n`);
  } catch {
    // Often the same disk.
  }
}
