import cluster from 'node:cluster';
import { exitCodes } from '../exit-codes.js';
import { faultFields } from '../log/fault-fields.js';
import type { Log } from '../log/log.js';

/**
 * The process is gone after this at the latest, in milliseconds: longer than the time-out of every notifier (20 s for
 * mails), so that no send is left without its outcome, and shorter than the 30 s of most orchestrators.
 */
const maxDrain = 25_000;

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Ends the process in order on SIGTERM, SIGINT and SIGHUP: `drain`, then exit code 0; 1 when that fails, answers that it left
 * requests unfinished, or takes more than 25 seconds. A second signal ends it at once. Faults that nobody caught are
 * logged and end it with 1.
 *
 * To one of several processes a second signal says nothing: Ctrl-C comes from the terminal and from the one that started it.
 */
export function endInOrder(log: Log, drain: () => Promise<{ readonly unfinished: number }>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping && cluster.isWorker) return;
    if (stopping) {
      log.warn({ signal }, 'stopped at once by a second signal');
      process.exit(exitCodes.fault);
    }
    stopping = true;
    log.info({ signal }, 'stopping: finishing the requests under way');
    setTimeout(() => {
      log.error('stopped before everything was finished: it took too long');
      process.exit(exitCodes.fault);
    }, maxDrain).unref();
    drain().then(
      ({ unfinished }) => {
        if (unfinished === 0) log.info('stopped');
        else log.error({ unfinished }, 'stopped before every request was finished: it took too long');
        // Flushed before the end: at `process.exit` later lines could overtake one that is being written.
        log.flush(() => process.exit(unfinished === 0 ? 0 : exitCodes.fault));
      },
      (fault: unknown) => crash(log, fault),
    );
  };
  for (const signal of endSignals) process.on(signal, stop);
  process.on('uncaughtException', (fault) => crash(log, fault));
  process.on('unhandledRejection', (fault) => crash(log, fault));
}

function crash(log: Log, fault: unknown): void {
  log.fatal({ fault: faultFields(fault) }, 'ended by a fault');
  process.exit(exitCodes.fault);
}
