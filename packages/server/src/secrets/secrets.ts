import { CalendsError, MissingKeyError, type Secrets as LibrarySecrets } from '@calends/core';
import { hkdfSync, randomBytes } from 'node:crypto';
import { folderBeside } from '../configuration/database-address.js';
import type { Environment } from '../configuration/environment.js';
import { keptSecret } from './kept-secret.js';
import { ConfigurationError } from '../configuration/configuration-error.js';

/** The secrets that a server runs with. */
export interface Secrets {
  /** Verifies bearer tokens; `undefined` where a key set does. */
  readonly jwt: string | Uint8Array | undefined;
  /** The library's: the first signs, all verify. */
  readonly library: LibrarySecrets;
  /** True when `jwt` is not the host's own: for development only. */
  readonly jwtIsMade: boolean;
}

/**
 * The configured secrets; for those that are not, two that are derived from one kept beside the database, so that
 * tokens survive a restart. A store in memory gets fresh ones: nothing that they protect survives either.
 *
 * In production `readEnvironment` has refused to go on without them.
 *
 * @throws ConfigurationError when the kept secret cannot be read or written
 */
export async function secretsOf({
  jwt,
  secrets,
  database,
}: Pick<Environment, 'jwt' | 'secrets' | 'database'>): Promise<Secrets> {
  const jwtIsMade = jwt.secret === undefined && jwt.jwksUrl === undefined;
  if (!jwtIsMade && secrets !== undefined) return { jwt: jwt.secret, library: secrets, jwtIsMade };
  const kept = await keptBeside(database);
  return {
    jwt: jwtIsMade ? derive(kept, 'bearer-token') : jwt.secret,
    library: secrets ?? derive(kept, 'calends-secret'),
    jwtIsMade,
  };
}

/**
 * The library's secret, for what serves nothing; made only where a server would make it.
 *
 * @throws ConfigurationError when there is none in production, or the kept one cannot be read or written
 */
export async function librarySecretOf({
  secrets,
  database,
  production,
}: Pick<Environment, 'secrets' | 'database' | 'production'>): Promise<LibrarySecrets> {
  if (secrets !== undefined) return secrets;
  // A database that has no key yet would take the made one for its own, and refuse the server.
  if (production) throw new ConfigurationError(['CALENDS_SECRET: must be set in production']);
  return derive(await keptBeside(database), 'calends-secret');
}

async function keptBeside(database: Environment['database']): Promise<Buffer> {
  const folder = folderBeside(database);
  return folder === undefined ? randomBytes(32) : await keptSecret(folder);
}

function derive(kept: Buffer, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', kept, 'calends server', purpose, 32));
}

/** The fault of a configuration that lacks a secret which the database names (D67); `undefined` for every other error. */
export function missingSecret(error: unknown): ConfigurationError | undefined {
  if (!CalendsError.is(error) || !(error.cause instanceof MissingKeyError)) return undefined;
  const missing = error.cause.keyIds.join(', ');
  return new ConfigurationError([
    String.raw`CALENDS_SECRET: is not the one, or not all, that the database knows (it misses ${missing}); list every secret in use, and write a blank at the edge of one of several as \ and the blank`,
  ]);
}
