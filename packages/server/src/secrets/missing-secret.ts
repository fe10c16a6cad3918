import { CalendsError, MissingKeyError } from '@calends/core';
import { ConfigurationError } from '../configuration/configuration-error.js';

/** The fault of a configuration that lacks a secret which the database names (D67); `undefined` for every other error. */
export function missingSecret(error: unknown): ConfigurationError | undefined {
  if (!CalendsError.is(error) || !(error.cause instanceof MissingKeyError)) return undefined;
  const missing = error.cause.keyIds.join(', ');
  return new ConfigurationError([
    `CALENDS_SECRET: is not the one, or not all, that the database knows (it misses ${missing}); list every secret in use`,
  ]);
}
