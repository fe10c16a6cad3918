import type { ConfiguredApplication } from '@calends/core';
import { readFileSync } from 'node:fs';
import { configurationSchema } from './application-schema.js';
import { ConfigurationError } from './configuration-error.js';
import { schemaFaults } from './schema-faults.js';

/**
 * Reads the file of `CALENDS_CONFIG`: the applications with their settings.
 *
 * @throws ConfigurationError that lists every fault of the file
 */
export function readConfigurationFile(path: string): Readonly<Record<string, ConfiguredApplication>> {
  const result = configurationSchema.safeParse(parse(read(path)));
  if (result.success) return result.data.applications;
  throw new ConfigurationError(
    schemaFaults(configurationSchema, result.error).map((fault) => `CALENDS_CONFIG: ${fault}`),
  );
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigurationError(['CALENDS_CONFIG: the file cannot be read']);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse repeats a piece of the file.
    throw new ConfigurationError(['CALENDS_CONFIG: the file is not valid JSON']);
  }
}
