import { agentLists, createScheduling } from '@calends/core';
import type { SchedulingHttpOptions } from '@calends/http';
import { type Environment, readEnvironment } from '../configuration/environment.js';
import { developmentSettings } from '../configuration/development-settings.js';
import { type Database, openDatabase } from '../database/open-database.js';
import { createApplication, customerPagesPath } from '../http/application.js';
import { faultFields } from '../log/fault-fields.js';
import { createLog, type Log } from '../log/log.js';
import { observers } from '../log/observers.js';
import { signalLog } from '../log/signal-log.js';
import { createMetrics } from '../metrics/metrics.js';
import { openNotifiers } from '../notifiers/open-notifiers.js';
import { smsCallbackOf, withSmsCallback } from '../notifiers/sms-callback.js';
import { Connections } from '../process/connections.js';
import { httpServer, isLoopback, listen, localAddress } from '../process/http-server.js';
import { endInOrder } from '../process/lifetime.js';
import { firstSteps, firstTokensValidFor } from '../secrets/first-steps.js';
import { type Secrets, secretsOf } from '../secrets/secrets.js';

/** `calends serve`: runs until a signal ends it. */
export async function serve(): Promise<void> {
  const environment = readEnvironment(process.env, { serving: true });
  const { host, database: address, applications, production, publicUrl } = environment;
  const log = createLog(environment.logLevel);
  const secrets = await secretsOf(environment);
  const sms = withSmsCallback(environment);
  const providers = openNotifiers(environment, sms, log);
  const database = openDatabase(address);
  await bringUpToDate(database, log);

  const metrics = environment.metrics ? createMetrics(database.store) : undefined;
  const base = publicUrl ?? localAddress(host, environment.port);
  const scheduling = createScheduling({
    store: database.store,
    secret: secrets.access,
    ...(environment.signingKeys === undefined ? {} : { signingKeys: environment.signingKeys }),
    applications: production ? applications : developmentSettings(applications),
    agentDirectory: agentLists(applications),
    roomBaseUrl: `${base}/rooms`,
    ...(environment.customerPages ? { managePageUrl: `${base}${customerPagesPath}/` } : {}),
    observer: observers(signalLog(log), metrics?.observer),
    notifiers: providers.notifiers,
  });
  let stopping = false;
  const application = createApplication({
    scheduling,
    authentication: authenticationOf(environment, secrets, log),
    publicUrl,
    log,
    metrics,
    smsCallback: smsCallbackOf(sms),
    customerPages: environment.customerPages,
    otpRequests: environment.otpRequests,
    hasWorker: environment.worker,
    isStopping: () => stopping,
  });

  const server = httpServer(application);
  const connections = new Connections(server);
  const port = await listen(server, environment.port, host);
  endInOrder(log, async () => {
    stopping = true;
    const [unfinished] = await Promise.all([connections.drain(), scheduling.close()]);
    await providers.close();
    await database.close();
    return { unfinished };
  });
  if (environment.worker) scheduling.workers.start();

  const local = localAddress(host, port);
  log.info({ address: local, database: address.kind, applications: Object.keys(applications).length }, 'listening');
  if (secrets.jwtIsMade && !isLoopback(host)) {
    log.warn('development secrets where others may reach the server: set NODE_ENV=production and give it its own');
  }
  await introduce(environment, secrets, local);
}

/** Also on a server that several processes use: they wait for each other (README: Migrations). */
async function bringUpToDate(database: Database, log: Log): Promise<void> {
  const migrations = await database.migrate();
  if (migrations.length > 0) log.info({ migrations }, 'tables brought up to date');
}

function authenticationOf(
  { jwt: { jwksUrl, issuer, audience } }: Environment,
  { jwt: secret }: Secrets,
  log: Log,
): SchedulingHttpOptions['authentication'] {
  return {
    ...(secret === undefined ? {} : { secret }),
    ...(jwksUrl === undefined ? {} : { jwks: { url: jwksUrl } }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
    onFault: (fault) => log.warn({ fault: faultFields(fault) }, 'the key set cannot be fetched'),
  };
}

/** Tokens go to the terminal of a developer and nowhere else: past the log, and only where the secret is our own. */
async function introduce({ applications, jwt }: Environment, secrets: Secrets, address: string): Promise<void> {
  if (!secrets.jwtIsMade || secrets.jwt === undefined) return;
  const signing = { secret: secrets.jwt, expected: jwt, validFor: firstTokensValidFor };
  process.stdout.write(`\n${await firstSteps(applications, signing, address)}\n`);
}
