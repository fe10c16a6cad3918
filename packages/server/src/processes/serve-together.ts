import type { Environment } from '../configuration/environment.js';
import type { Log } from '../log/log.js';
import { freePort } from '../process/http-server.js';
import { endInOrder } from '../process/lifetime.js';
import { Processes } from './processes.js';
import { secretsOf } from '../secrets/secrets.js';

/**
 * Serves in several processes: prepares once what they share, starts them, and replaces those that die.
 *
 * @param prepare brings the tables up to date
 */
export async function serveTogether(environment: Environment, log: Log, prepare: () => Promise<void>): Promise<void> {
  const { processes: count, host } = environment;
  // Where none is given one is made, and kept for all of them.
  await secretsOf(environment);
  await prepare();
  // node:cluster lets go of a port that it found itself once no process is left: those that come next would listen on another.
  const port = environment.port === 0 ? await freePort(host) : environment.port;
  const processes = new Processes(count, log, { PORT: String(port) });
  endInOrder(log, () => processes.stop());
  const code = await processes.start();
  if (code === undefined)
    log.info({ processes: count }, 'limits hold for each process: together they let through so many times as much');
  else log.flush(() => process.exit(code));
}
