import cluster from 'node:cluster';
import type { RequestListener } from 'node:http';
import { createScheduling, type Scheduling } from '@calends/core';
import { agentLists } from '@calends/core/operations';
import type { SchedulingHttpOptions } from '@calends/http';
import { type Environment, readEnvironment } from '../configuration/environment.js';
import type { AdminPages } from '../configuration/admin-pages.js';
import { adviceOn, exceptOfExample } from '../configuration/advice.js';
import { developmentSettings } from '../configuration/development-settings.js';
import { type Database, openDatabase, progressText } from '../database/open-database.js';
import { figuresOfAll, tellUp } from '../processes/serving.js';
import { serveTogether } from '../processes/serve-together.js';
import {
  type ApplicationParts,
  createAdminApplication,
  createApplication,
  customerPagesPath,
} from '../http/application.js';
import { adviceOnSteps } from '../database/store-words.js';
import { faultFields } from '../log/fault-fields.js';
import { createLog, type Log } from '../log/log.js';
import { observers, signalLog } from '../log/signal-log.js';
import { createMetrics } from '../metrics/metrics.js';
import { openNotifiers } from '../notifiers/open-notifiers.js';
import { smsCallbackOf, withSmsCallback } from '../notifiers/sms-callback.js';
import { Connections } from '../process/connections.js';
import { httpServer, isLoopback, listen, localAddress } from '../process/http-server.js';
import { boundSockets, socketBounds } from '../process/socket-bounds.js';
import { endInOrder } from '../process/lifetime.js';
import { firstOffer } from '../secrets/first-offer.js';
import { firstSteps, firstTokens } from '../secrets/first-steps.js';
import { tokensValidFor } from '../secrets/tokens-valid-for.js';
import { missingSecret, type Secrets, secretsOf } from '../secrets/secrets.js';
import type { TokenSigning } from '../secrets/sign-token.js';

/** `calends serve`: runs until a signal ends it. With several processes, this runs in each of those that serve too. */
export async function serve(): Promise<void> {
  const environment = readEnvironment(process.env, { serving: true });
  const { host, database: address, applications, availability, production, publicUrl } = environment;
  const log = createLog(environment.logLevel, { oneOfMany: environment.processes > 1 });
  if (environment.processes > 1 && cluster.isPrimary)
    return serveTogether(environment, log, () => prepare(environment, log));
  const secrets = await secretsOf(environment);
  const sms = withSmsCallback(environment);
  const providers = openNotifiers(environment, sms, log);
  const database = openDatabase(address, environment.createDatabase, {
    engine: environment.engine,
    readers: environment.readers,
    pooler: environment.pooler,
    onShownRead: (by, reason) => metrics?.shownRead(by, reason),
  });
  await requireTables(environment, database, log);

  const figures = cluster.isWorker ? figuresOfAll : undefined;
  const metrics = environment.metrics ? createMetrics(database.store.notifications, Date.now, figures) : undefined;
  let begin: (application: RequestListener) => void = () => undefined;
  const server = httpServer(new Promise<RequestListener>((resolve) => (begin = resolve)));
  boundSockets(server, socketBounds(environment.maxConnections, environment.trustProxy));
  const connections = new Connections(server);
  // Links name the port, which is known once it is taken.
  const port = await listen(server, environment.port, host);
  const base = publicUrl ?? localAddress(host, port);
  const scheduling = createScheduling({
    store: database.store,
    secret: secrets.library,
    ...(environment.signingKeys === undefined ? {} : { signingKeys: environment.signingKeys }),
    applications: production ? applications : developmentSettings(applications),
    ...(availability === undefined ? {} : { availability }),
    retention: environment.retention,
    agentDirectory: agentLists(applications),
    roomBaseUrl: `${base}/rooms`,
    ...(environment.customerPages ? { managePageUrl: `${base}${customerPagesPath}/` } : {}),
    observer: observers(signalLog(log), metrics?.observer),
    notifiers: providers.notifiers,
  });
  const { advice, steps } = await adviceOfCheck(scheduling);
  let stopping = false;
  const warnings = [...adviceOn(environment), ...exceptOfExample(advice, availability)];
  const signing = developmentSigning(environment, secrets);
  const parts: ApplicationParts = {
    scheduling,
    authentication: authenticationOf(environment, secrets, log),
    publicUrl,
    // While developing the pages are opened over http, on this machine.
    ...(production || publicUrl !== undefined ? {} : { secureCookie: false }),
    log,
    metrics,
    smsCallback: smsCallbackOf(sms),
    customerPages: environment.customerPages,
    otpRequests: environment.otpRequests,
    availability,
    booking: environment.bookingPage,
    limits: environment.limits,
    trustProxy: environment.trustProxy,
    hasWorker: environment.worker,
    adminPages: environment.admin === 'public',
    ...(signing === undefined || isPassedOn(environment)
      ? {}
      : { firstTokens: () => firstTokens(applications, signing) }),
    warnings,
    isStopping: () => stopping,
  };

  begin(createApplication(parts));
  const closeAdminPages = await serveAdminPages(environment.admin, parts);
  endInOrder(log, async () => {
    stopping = true;
    const [unfinished] = await Promise.all([connections.drain(), scheduling.close()]);
    // What the last requests have begun: lines of the audit record, one-time passwords that are being sent.
    await scheduling.close();
    await providers.close();
    await closeAdminPages();
    await database.close();
    return { unfinished };
  });
  if (environment.worker) scheduling.workers.start();
  if (cluster.isWorker) tellUp();
  // What holds for all of several processes is said by the first.
  if (cluster.isWorker && cluster.worker?.id !== 1) return;

  const local = localAddress(host, port);
  log.info({ address: local, database: address.kind, applications: Object.keys(applications).length }, 'listening');
  // Whether steps wait still, is asked again in `/readyz`.
  for (const warning of [...warnings, ...steps]) log.warn(warning);
  if (secrets.jwtIsMade && !isLoopback(host)) {
    log.warn('development secrets where others may reach the server: set NODE_ENV=production and give it its own');
  }
  // To the terminal of a developer and nowhere else: past the log.
  if (signing !== undefined) {
    const offer = await firstOffer(scheduling, availability);
    process.stdout.write(`\n${await firstSteps(applications, signing, local, offer)}\n`);
  }
}

/** Answers how to end the listener. It lives until the end, so that a drain can be watched. */
async function serveAdminPages(pages: AdminPages, parts: ApplicationParts): Promise<() => Promise<void>> {
  if (typeof pages === 'string') return () => Promise.resolve();
  const server = httpServer(createAdminApplication(parts));
  const connections = new Connections(server);
  const port = await listen(server, pages.port, pages.host, 'CALENDS_ADMIN');
  parts.log.info({ address: localAddress(pages.host, port) }, 'pages for the inside');
  return async () => {
    await connections.drain();
  };
}

/** Sentences of a check, and those about steps that wait. */
interface CheckAdvice {
  readonly advice: readonly string[];
  readonly steps: readonly string[];
}

/**
 * What is to be done about the secrets and the tables next; of a database that does not answer yet, `/readyz` tells.
 *
 * @throws ConfigurationError when the database names a key whose secret is not here (D67)
 */
async function adviceOfCheck(scheduling: Pick<Scheduling, 'check'>): Promise<CheckAdvice> {
  try {
    const { advice, store } = await scheduling.check();
    return { advice, steps: adviceOnSteps(store.waiting) };
  } catch (error) {
    const fault = missingSecret(error);
    if (fault === undefined) return { advice: [], steps: [] };
    throw fault;
  }
}

/** Where several processes serve, the one that starts them has brought the tables up to date. */
async function requireTables({ migrate }: Environment, database: Database, log: Log): Promise<void> {
  if (migrate && !cluster.isWorker) await bringUpToDate(database, log);
  else await database.requireMigrated();
}

async function prepare(environment: Environment, log: Log): Promise<void> {
  const { database: address, createDatabase, engine, pooler } = environment;
  const database = openDatabase(address, createDatabase, { engine, pooler });
  await requireTables(environment, database, log);
  await database.close();
}

/** Also on a server that several processes use: they wait for each other (README: Migrations). */
async function bringUpToDate(database: Database, log: Log): Promise<void> {
  const { applied: migrations } = await database.migrate((progress) => {
    log.info({ migration: progress }, progressText(progress));
  });
  if (migrations.length > 0) log.info({ migrations }, 'tables brought up to date');
}

function authenticationOf(
  { jwt: { jwksUrl, issuer, audience, organizationClaim } }: Environment,
  { jwt: secret }: Secrets,
  log: Log,
): SchedulingHttpOptions['authentication'] {
  return {
    ...(secret === undefined ? {} : { secret }),
    ...(jwksUrl === undefined ? {} : { jwks: { url: jwksUrl } }),
    organizationClaim,
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
    onFault: (fault) => log.warn({ fault: faultFields(fault) }, 'the key set cannot be fetched'),
  };
}

/** Whether others are to reach the server, by a public address or a proxy: what comes from this machine may then come from anywhere. */
const isPassedOn = ({ publicUrl, trustProxy }: Environment): boolean => publicUrl !== undefined || trustProxy > 0;

/** How the first tokens are signed, which are for trying things out: only where the secret is our own, never in production. */
function developmentSigning({ jwt, production }: Environment, secrets: Secrets): TokenSigning | undefined {
  if (production || !secrets.jwtIsMade || secrets.jwt === undefined) return undefined;
  return { secret: secrets.jwt, expected: jwt, validFor: tokensValidFor };
}
