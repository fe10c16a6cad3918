import type { Variables } from './environment-schema.js';

/** What `--help` says of a variable. */
export interface VariableWords {
  readonly meaning: string;
  /** What holds without it; absent = nothing. */
  readonly usual?: string;
  /** A value as a shell takes it. */
  readonly example: string;
}

/** Each variable of the environment in words: those of the README, without marks. */
export const environmentWords: Readonly<Record<keyof Variables, VariableWords>> = {
  PORT: { meaning: 'port to listen on; 0 = one that is free, the log says which', usual: '3000', example: '8080' },
  HOST: { meaning: 'address to listen on', usual: '127.0.0.1', example: '0.0.0.0' },
  DATABASE_URL: {
    meaning: 'sqlite:<file>, sqlite::memory:, memory:, postgres://…, mysql://… (MariaDB too)',
    usual: 'sqlite:./data/calends.db',
    example: 'postgres://calends:secret@db.example:5432/calends',
  },
  CALENDS_READERS: {
    meaning: 'standbys of PostgreSQL that answer what is only shown, in turns: postgres://…, separated by commas',
    usual: 'none',
    example: 'postgres://calends:secret@standby.example:5432/calends',
  },
  CALENDS_POOLER: {
    meaning:
      'transaction: before PostgreSQL stands a pooler that gives each transaction another connection (PgBouncer)',
    usual: 'none',
    example: 'transaction',
  },
  CALENDS_CREATE_DATABASE: {
    meaning:
      'whether the file of SQLite is made where it is missing; in production a missing file is a fault, unless on',
    usual: 'on outside production',
    example: 'on',
  },
  CALENDS_CONFIG: { meaning: 'path of a JSON file with the applications', example: './calends.json' },
  CALENDS_JWT_SECRET: {
    meaning: 'verifies bearer tokens (HS256), at least 32 bytes',
    usual: 'made, outside production',
    example: '"$(openssl rand -base64 32)"',
  },
  CALENDS_JWKS_URL: {
    meaning: 'instead of the secret: address of the JWK set of your identity provider',
    example: 'https://login.example/jwks.json',
  },
  CALENDS_JWT_ISSUER: { meaning: 'iss that tokens must have', usual: 'not checked', example: 'https://login.example' },
  CALENDS_JWT_AUDIENCE: { meaning: 'aud that tokens must have', usual: 'not checked', example: 'calends' },
  CALENDS_ORGANIZATION_CLAIM: {
    meaning: 'whether a token without organizationId is refused, or of the organization default',
    usual: 'required where an application names an organization, else optional',
    example: 'required',
  },
  CALENDS_SECRET: {
    meaning:
      "the library's secret, at least 32 bytes; the same in every process that shares the database; several are separated by commas, the first signs",
    usual: 'made, outside production',
    example: '"$(openssl rand -base64 32)"',
  },
  CALENDS_SIGNING_KEYS: {
    meaning:
      'one or two <id>:<secret> of at least 32 bytes, separated by a comma: they sign join and manage tokens, the first signs',
    usual: 'derived from the secret',
    example: '"2026-11:$(openssl rand -base64 32)"',
  },
  CALENDS_PUBLIC_URL: {
    meaning: 'address under which clients find the server: in the OpenAPI document and as base of room addresses',
    example: 'https://calends.example',
  },
  SMTP_URL: {
    meaning:
      'where mails go: smtp://user:password@host:port or smtps://…; needed in production where an application sends mails',
    example: 'smtps://user:password@mail.example:465',
  },
  CALENDS_SMS_URL: {
    meaning:
      'who sends SMS: https://<account SID>:<auth token>@api.twilio.com; needed in production where an application sends SMS',
    example: 'https://AC123:token@api.twilio.com',
  },
  CALENDS_CUSTOMER_PAGES: { meaning: 'off: no pages for customers under /manage', usual: 'on', example: 'off' },
  CALENDS_OTP_REQUESTS: {
    meaning: 'whether customers can ask for one-time passwords over HTTP',
    usual: 'on outside production',
    example: 'on',
  },
  CALENDS_AVAILABILITY: {
    meaning: 'whether there are free times, holds, services and hours',
    usual: 'on outside production, and where the file of CALENDS_CONFIG has availability',
    example: 'on',
  },
  CALENDS_LIMITS: {
    meaning: 'limits of requests without a bearer token: off, or some of these: so many a second, so many at once',
    usual: 'address=5/60,application=50/600,concurrent=200',
    example: 'address=10/120,concurrent=400',
  },
  CALENDS_TRUST_PROXY: {
    meaning: 'how many proxies of your own stand in front; without it all clients behind a proxy have one address',
    usual: '0',
    example: '1',
  },
  CALENDS_ENGINE: {
    meaning:
      'unproven: a database is let in that is not PostgreSQL, MariaDB, MySQL or SQLite, or fails a probe of its locks',
    usual: 'proven',
    example: 'unproven',
  },
  CALENDS_MAX_CONNECTIONS: {
    meaning: 'connections at a time; without a proxy a quarter of them from one address',
    usual: '1000',
    example: '5000',
  },
  CALENDS_PROCESSES: {
    meaning: 'processes that serve, 1 to 64; each has its own limits, connections and background work',
    usual: '1',
    example: '4',
  },
  CALENDS_PROCESSES_ON_SQLITE: {
    meaning: 'on: several processes may share a file of SQLite, which one writes to at a time',
    usual: 'off',
    example: 'on',
  },
  CALENDS_MIGRATE: {
    meaning: 'off: serve changes no tables and ends with 69 while they are not up to date; run calends migrate before',
    usual: 'on',
    example: 'off',
  },
  CALENDS_WORKER: {
    meaning: 'off: this process serves requests and does no background work; another one does',
    usual: 'on',
    example: 'off',
  },
  CALENDS_METRICS: { meaning: 'off: no /metrics', usual: 'on', example: 'off' },
  CALENDS_ADMIN: {
    meaning:
      'where /metrics, /docs and the details of /readyz are: public (on PORT), off, <port> on 127.0.0.1, <address>:<port>',
    usual: 'off in production, else public',
    example: '9090',
  },
  NODE_ENV: { meaning: 'production: the secrets must be given', example: 'production' },
  LOG_LEVEL: { meaning: 'fatal, error, warn, info, debug, trace, silent', usual: 'info', example: 'debug' },
};
