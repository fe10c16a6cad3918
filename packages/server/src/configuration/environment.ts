import type { ConfiguredApplication, SigningKey } from '@calends/core';
import type { LimitNumbers } from '@calends/core/operations';
import type { TwilioOptions } from '@calends/notifier-sms';
import { ConfigurationError } from './configuration-error.js';
import { readConfigurationFile } from './configuration-file.js';
import type { AdminPages } from './admin-pages.js';
import type { DatabaseAddress } from './database-address.js';
import { environmentSchema, type Variables } from './environment-schema.js';
import { schemaFaults } from './schema-faults.js';

/** The whole configuration of the server, checked. */
export interface Environment {
  /** 0 = one that is free. */
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseAddress;
  /** Whether a SQLite file that is missing is made. */
  readonly createDatabase: boolean;
  readonly applications: Readonly<Record<string, ConfiguredApplication>>;
  /** How bearer tokens are verified; without secret and address, by a secret that the server makes. */
  readonly jwt: {
    readonly secret?: string | undefined;
    readonly jwksUrl?: string | undefined;
    readonly issuer?: string | undefined;
    readonly audience?: string | undefined;
    /** Whether a token must name its organization (D80). */
    readonly organizationClaim: 'required' | 'optional';
  };
  /** The library's secrets: the first signs, all verify. */
  readonly secrets?: readonly string[] | undefined;
  /** Keys that sign join and manage tokens; absent = one derived from the secret. */
  readonly signingKeys?: readonly SigningKey[] | undefined;
  /** Address under which clients find the server, without a slash at its end. */
  readonly publicUrl?: string | undefined;
  /** Where mails go; absent = into files, outside production. */
  readonly smtpUrl?: string | undefined;
  /** How SMS are sent; absent = they wait. */
  readonly sms?: TwilioOptions | undefined;
  /** Whether the customer pages are served. */
  readonly customerPages: boolean;
  /** Whether customers may ask for one-time passwords over HTTP. */
  readonly otpRequests: boolean;
  /** Limits of requests; absent = the defaults. */
  readonly limits?: 'off' | LimitNumbers | undefined;
  /** Proxies of our own in front of the server. */
  readonly trustProxy: number;
  /** Whether a database is let in that is not proven (D72). */
  readonly engine: 'proven' | 'unproven';
  /** Connections at a time. */
  readonly maxConnections: number;
  /** False: `serve` refuses to start while the tables are not up to date. */
  readonly migrate: boolean;
  /** Whether this process does the background work. */
  readonly worker: boolean;
  /** Whether there is `/metrics`. */
  readonly metrics: boolean;
  /** Where the pages for the inside are. */
  readonly admin: AdminPages;
  readonly production: boolean;
  readonly logLevel: string;
}

/**
 * Reads the environment, and the file that `CALENDS_CONFIG` names.
 *
 * `serving` also asks for what a server needs in production: without it (migrations, the document) no secret is missed.
 *
 * @throws ConfigurationError that lists every fault of both at once
 */
export function readEnvironment(variables: NodeJS.ProcessEnv, { serving = false } = {}): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = environmentSchema.safeParse(given);
  const file = readApplications(given['CALENDS_CONFIG']);
  const faults = [
    ...(result.success ? [] : schemaFaults(environmentSchema, result.error)),
    ...authenticationFaults(given),
    ...(serving && given['NODE_ENV'] === 'production'
      ? [...productionFaults(given), ...providerFaults(given, file.applications)]
      : []),
    ...file.faults,
  ];
  if (!result.success || faults.length > 0) throw new ConfigurationError(faults);
  return environmentOf(result.data, file.applications);
}

function environmentOf(variables: Variables, applications: Environment['applications']): Environment {
  const production = variables.NODE_ENV === 'production';
  return {
    port: variables.PORT,
    host: variables.HOST,
    database: variables.DATABASE_URL,
    createDatabase: (variables.CALENDS_CREATE_DATABASE ?? (production ? 'off' : 'on')) === 'on',
    applications,
    jwt: {
      secret: variables.CALENDS_JWT_SECRET,
      jwksUrl: variables.CALENDS_JWKS_URL,
      issuer: variables.CALENDS_JWT_ISSUER,
      audience: variables.CALENDS_JWT_AUDIENCE,
      organizationClaim: variables.CALENDS_ORGANIZATION_CLAIM ?? organizationClaimFor(applications),
    },
    secrets: variables.CALENDS_SECRET,
    signingKeys: variables.CALENDS_SIGNING_KEYS,
    publicUrl: variables.CALENDS_PUBLIC_URL,
    smtpUrl: variables.SMTP_URL,
    sms: variables.CALENDS_SMS_URL,
    customerPages: variables.CALENDS_CUSTOMER_PAGES === 'on',
    otpRequests: (variables.CALENDS_OTP_REQUESTS ?? (production ? 'off' : 'on')) === 'on',
    limits: variables.CALENDS_LIMITS,
    trustProxy: variables.CALENDS_TRUST_PROXY,
    engine: variables.CALENDS_ENGINE,
    maxConnections: variables.CALENDS_MAX_CONNECTIONS,
    migrate: variables.CALENDS_MIGRATE === 'on',
    worker: variables.CALENDS_WORKER === 'on',
    metrics: variables.CALENDS_METRICS === 'on',
    admin: variables.CALENDS_ADMIN ?? (production ? 'off' : 'public'),
    production,
    logLevel: variables.LOG_LEVEL,
  };
}

/** A house of several organizations cannot mean "the only one" by leaving it out. */
function organizationClaimFor(applications: Environment['applications']): 'required' | 'optional' {
  const namesOne = Object.values(applications).some(({ organizationId }) => organizationId !== undefined);
  return namesOne ? 'required' : 'optional';
}

/** What no single variable can say of itself. */
function authenticationFaults(given: NodeJS.ProcessEnv): readonly string[] {
  const both = given['CALENDS_JWT_SECRET'] !== undefined && given['CALENDS_JWKS_URL'] !== undefined;
  return both ? ['CALENDS_JWT_SECRET, CALENDS_JWKS_URL: set one of them, not both'] : [];
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
function providerFaults(given: NodeJS.ProcessEnv, applications: Environment['applications']): readonly string[] {
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
export function applicationsWith(
  channel: 'email' | 'sms',
  applications: Environment['applications'],
): readonly string[] {
  return Object.entries(applications)
    .filter(([, { notifications }]) => notifications?.[channel] !== undefined)
    .map(([id]) => id);
}

function readApplications(path: string | undefined): Pick<Environment, 'applications'> & { faults: readonly string[] } {
  if (path === undefined) return { applications: {}, faults: [] };
  try {
    return { applications: readConfigurationFile(path), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { applications: {}, faults: error.faults };
  }
}
