import type { AvailabilityOptions } from '@calends/core';
import type { BookingOptions } from '@calends/customer-pages';
import { shareAddress } from './admin-pages.js';
import { ConfigurationError } from './configuration-error.js';
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.js';
import { environmentSchema, type Variables } from './environment-schema.js';
import { exampleAvailability, exampleService } from './example-availability.js';
import { inOurWords, schemaFaults } from './schema-faults.js';

type Applications = ConfigurationFile['applications'];

/** The whole configuration of the server, checked. */
export type Environment = Readonly<ReturnType<typeof environmentOf>>;

/**
 * Reads the environment, and the file that `CALENDS_CONFIG` names.
 *
 * `serving` also asks for what a server needs in production: without it (migrations, the document) no secret is missed.
 *
 * @throws ConfigurationError that lists every fault of both at once
 */
export function readEnvironment(variables: NodeJS.ProcessEnv, { serving = false } = {}): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = environmentSchema.safeParse(given, inOurWords);
  const file = readFile(given['CALENDS_CONFIG']);
  const faults = [
    ...(result.success ? [] : schemaFaults(environmentSchema, result.error)),
    ...authenticationFaults(given),
    ...(result.success ? postgresFaults(result.data) : []),
    ...(serving && result.success ? [...processFaults(result.data), ...adminFaults(result.data)] : []),
    ...(serving && given['NODE_ENV'] === 'production'
      ? [...productionFaults(given), ...providerFaults(given, file.applications)]
      : []),
    ...file.faults,
  ];
  if (!result.success || faults.length > 0) throw new ConfigurationError(faults);
  return environmentOf(result.data, file);
}

function environmentOf(variables: Variables, file: ConfigurationFile) {
  const production = variables.NODE_ENV === 'production';
  const { applications } = file;
  return {
    /** 0 = one that is free. */
    port: variables.PORT,
    host: variables.HOST,
    database: variables.DATABASE_URL,
    /** Standbys that answer what is only shown. */
    readers: variables.CALENDS_READERS ?? [],
    /** Whether a pooler gives each transaction another connection. */
    pooler: variables.CALENDS_POOLER,
    /** Whether a SQLite file that is missing is made. */
    createDatabase: (variables.CALENDS_CREATE_DATABASE ?? (production ? 'off' : 'on')) === 'on',
    applications,
    /** Free times, holds, services and hours; absent = off. */
    availability: availabilityOf(variables, file),
    /** How long what is over is kept. */
    retention: file.retention ?? {},
    /** What the customer pages let anybody book; absent = nothing. */
    bookingPage: bookingPageOf(variables, file),
    /** How bearer tokens are verified; without secret and address, by a secret that the server makes. */
    jwt: {
      secret: variables.CALENDS_JWT_SECRET,
      jwksUrl: variables.CALENDS_JWKS_URL,
      issuer: variables.CALENDS_JWT_ISSUER,
      audience: variables.CALENDS_JWT_AUDIENCE,
      /** Whether a token must name its organization (D80). */
      organizationClaim: variables.CALENDS_ORGANIZATION_CLAIM ?? organizationClaimFor(applications),
    },
    /** The library's secrets: the first signs, all verify. */
    secrets: variables.CALENDS_SECRET,
    /** Keys that sign join and manage tokens; absent = one derived from the secret. */
    signingKeys: variables.CALENDS_SIGNING_KEYS,
    /** Address under which clients find the server, without a slash at its end. */
    publicUrl: variables.CALENDS_PUBLIC_URL,
    /** Where mails go; absent = into files, outside production. */
    smtpUrl: variables.SMTP_URL,
    /** How SMS are sent; absent = they wait. */
    sms: variables.CALENDS_SMS_URL,
    /** Whether the customer pages are served. */
    customerPages: variables.CALENDS_CUSTOMER_PAGES === 'on',
    /** Whether customers may ask for one-time passwords over HTTP. */
    otpRequests: (variables.CALENDS_OTP_REQUESTS ?? (production ? 'off' : 'on')) === 'on',
    /** Limits of requests; absent = the defaults. */
    limits: variables.CALENDS_LIMITS,
    /** Proxies of our own in front of the server. */
    trustProxy: variables.CALENDS_TRUST_PROXY,
    /** Whether a database is let in that is not proven (D72). */
    engine: variables.CALENDS_ENGINE,
    /** Connections at a time. */
    maxConnections: variables.CALENDS_MAX_CONNECTIONS,
    /** How many processes serve. */
    processes: variables.CALENDS_PROCESSES,
    /** False: `serve` refuses to start while the tables are not up to date. */
    migrate: variables.CALENDS_MIGRATE === 'on',
    /** Whether this process does the background work. */
    worker: variables.CALENDS_WORKER === 'on',
    /** Whether there is `/metrics`. */
    metrics: variables.CALENDS_METRICS === 'on',
    /** Where the pages for the inside are. */
    admin: variables.CALENDS_ADMIN ?? (production ? 'off' : 'public'),
    production,
    logLevel: variables.LOG_LEVEL,
  } as const;
}

/** Without a file there is something to try; an operator says what is offered. */
function availabilityOf(
  { CALENDS_AVAILABILITY: wanted, CALENDS_CONFIG: path, NODE_ENV }: Variables,
  { availability }: ConfigurationFile,
): AvailabilityOptions | undefined {
  const production = NODE_ENV === 'production';
  if (wanted === 'off' || (wanted === undefined && production && availability === undefined)) return undefined;
  return availability ?? (production || path !== undefined ? {} : exampleAvailability);
}

/** Where nothing is configured, the example can be booked on a page as well. */
function bookingPageOf(variables: Variables, file: ConfigurationFile): BookingOptions | undefined {
  if (availabilityOf(variables, file) !== exampleAvailability) return file.bookingPage;
  return { applicationId: exampleService.applicationId };
}

/** A house of several organizations cannot mean "the only one" by leaving it out. */
function organizationClaimFor(applications: Applications): 'required' | 'optional' {
  const namesOne = Object.values(applications).some(({ organizationId }) => organizationId !== undefined);
  return namesOne ? 'required' : 'optional';
}

/** What no single variable can say of itself. */
function authenticationFaults(given: NodeJS.ProcessEnv): readonly string[] {
  const both = given['CALENDS_JWT_SECRET'] !== undefined && given['CALENDS_JWKS_URL'] !== undefined;
  return both ? ['CALENDS_JWT_SECRET, CALENDS_JWKS_URL: set one of them, not both'] : [];
}

/** Other databases have no standbys that could say what they lack, and no pooler that is known to work. */
function postgresFaults(variables: Variables): readonly string[] {
  if (variables.DATABASE_URL.kind === 'postgresql') return [];
  return (['CALENDS_READERS', 'CALENDS_POOLER'] as const)
    .filter((name) => variables[name] !== undefined)
    .map((name) => `${name}: must not be set unless DATABASE_URL is PostgreSQL`);
}

/** Processes share nothing but the database: not every one can be shared, and SQLite lets one write at a time. */
function processFaults(variables: Variables): readonly string[] {
  const { CALENDS_PROCESSES: processes, CALENDS_PROCESSES_ON_SQLITE: onSqlite, DATABASE_URL: database } = variables;
  if (processes === 1) return [];
  if (database.kind === 'memory' || (database.kind === 'sqlite' && database.filename === ':memory:')) {
    return ['CALENDS_PROCESSES: must be 1 where DATABASE_URL is in memory, which processes cannot share'];
  }
  if (database.kind !== 'sqlite' || onSqlite === 'on') return [];
  return [
    'CALENDS_PROCESSES: must be 1 on SQLite, where one process writes at a time; CALENDS_PROCESSES_ON_SQLITE=on permits more',
  ];
}

/** The system would say of the second listener that its port is in use, as if by another process. */
function adminFaults({ CALENDS_ADMIN: admin, PORT: port, HOST: host }: Variables): readonly string[] {
  if (typeof admin !== 'object' || admin.port !== port || port === 0 || !shareAddress(admin.host, host)) return [];
  return ['CALENDS_ADMIN, PORT: must be different ports where both are on one address'];
}

/** Outside production the server makes what is missing here. */
function productionFaults(given: NodeJS.ProcessEnv): readonly string[] {
  const verifiesTokens = given['CALENDS_JWT_SECRET'] !== undefined || given['CALENDS_JWKS_URL'] !== undefined;
  return [
    ...(verifiesTokens ? [] : ['CALENDS_JWT_SECRET or CALENDS_JWKS_URL: one must be set in production']),
    ...(given['CALENDS_SECRET'] === undefined ? ['CALENDS_SECRET: must be set in production'] : []),
  ];
}

/** Mails and SMS that nobody would ever send. A process without a worker sends none. */
function providerFaults(given: NodeJS.ProcessEnv, applications: Applications): readonly string[] {
  if (given['CALENDS_WORKER'] === 'off') return [];
  return (['email', 'sms'] as const).flatMap((channel) => {
    const variable = providerVariables[channel];
    const [id] = applicationsWith(channel, applications);
    if (id === undefined || given[variable] !== undefined) return [];
    return [`${variable}: must be set in production: applications.${id} has notifications.${channel}`];
  });
}

const providerVariables = { email: 'SMTP_URL', sms: 'CALENDS_SMS_URL' } as const;

/** Ids of the applications that send over a channel. */
export function applicationsWith(channel: 'email' | 'sms', applications: Applications): readonly string[] {
  return Object.entries(applications)
    .filter(([, { notifications }]) => notifications?.[channel] !== undefined)
    .map(([id]) => id);
}

function readFile(path: string | undefined): ConfigurationFile & { faults: readonly string[] } {
  if (path === undefined) return { applications: {}, faults: [] };
  try {
    return { ...readConfigurationFile(path), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { applications: {}, faults: error.faults };
  }
}
