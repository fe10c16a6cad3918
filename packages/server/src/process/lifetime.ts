import { exitCodes } from '../exit-codes.js';
import { faultFields } from '../log/fault-fields.js';
import type { Log } from '../log/log.js';

/** The process is gone after this at the latest, in milliseconds. */
const longestDrain = 9_000;

/**
 * Ends the process in order on SIGTERM and SIGINT: `drain`, then exit code 0; 1 when that fails or takes more than
 * nine seconds. A second signal ends it at once. Faults that nobody caught are logged and end it with 1.
 */
export function endInOrder(log: Log, drain: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) {
      log.warn({ signal }, 'stopped at once by a second signal');
      process.exit(exitCodes.fault);
    }
    stopping = true;
    log.info({ signal }, 'stopping: finishing the requests under way');
    setTimeout(() => {
      log.error('stopped before every request was finished: it took too long');
      process.exit(exitCodes.fault);
    }, longestDrain).unref();
    drain().then(
      () => {
        log.info('stopped');
        // Flushed before the end: at `process.exit` later lines could overtake one that is being written.
        log.flush(() => process.exit(0));
      },
      (fault: unknown) => crash(log, fault),
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.on('uncaughtException', (fault) => crash(log, fault));
  process.on('unhandledRejection', (fault) => crash(log, fault));
}

function crash(log: Log, fault: unknown): void {
  log.fatal({ fault: faultFields(fault) }, 'ended by a fault');
  process.exit(exitCodes.fault);
}
