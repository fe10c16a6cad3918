import type { AvailabilityOptions, ConfiguredApplication } from '@calends/core';
import { type RetentionOptions, unlistedAgent, unlistedDefaultAgents } from '@calends/core/operations';
import type { BookingOptions } from '@calends/customer-pages';
import { type ParseError, parse as findFaults } from 'jsonc-parser';
import { readFileSync } from 'node:fs';
import { configurationSchema } from './application-schema.js';
import { ConfigurationError } from './configuration-error.js';
import { didYouMean } from '@calends/model';
import { inOurWords, schemaFaults } from './schema-faults.js';
import { utf8Text } from './utf8-text.js';

/** What the file of `CALENDS_CONFIG` says. */
export interface ConfigurationFile {
  readonly applications: Readonly<Record<string, ConfiguredApplication>>;
  /** Absent = the file turns nothing on. */
  readonly availability?: AvailabilityOptions;
  /** How long what is over is kept; absent = the defaults of the library. */
  readonly retention?: RetentionOptions;
  /** What the customer pages let anybody book; absent = nothing. */
  readonly bookingPage?: BookingOptions;
}

/**
 * Reads the file of `CALENDS_CONFIG`: the applications with their settings, availability, how long what is over is kept, and the page to book.
 *
 * @throws ConfigurationError that lists every fault of the file
 */
export function readConfigurationFile(path: string): ConfigurationFile {
  const { data, error } = configurationSchema.safeParse(parse(read(path)), inOurWords);
  const faults =
    error === undefined ? [...agentFaults(data), ...bookingFaults(data)] : schemaFaults(configurationSchema, error);
  if (data !== undefined && faults.length === 0) return data;
  throw new ConfigurationError(faults.map((fault) => `CALENDS_CONFIG: ${fault}`));
}

/** The directory of the server is made of the lists in the file. */
function agentFaults({ applications }: ConfigurationFile): readonly string[] {
  return unlistedDefaultAgents(applications).map((id) => `applications.${id}.defaultAgent: ${unlistedAgent}`);
}

/** Where applications are named, one that is not is a misspelt one: nobody could book on its page. */
function bookingFaults({ applications, bookingPage }: ConfigurationFile): readonly string[] {
  const known = Object.keys(applications);
  if (bookingPage === undefined || known.length === 0 || known.includes(bookingPage.applicationId)) return [];
  return [`bookingPage.applicationId: is not one of applications${didYouMean(bookingPage.applicationId, known)}`];
}

function read(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new ConfigurationError(['CALENDS_CONFIG: the file cannot be read']);
  }
  const text = utf8Text(bytes);
  if (text === undefined) throw new ConfigurationError(['CALENDS_CONFIG: the file is not UTF-8']);
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse repeats a piece of the file.
    throw new ConfigurationError([`CALENDS_CONFIG: the file is not valid JSON${placeOfFault(text)}`]);
  }
}

/** Where an editor finds the fault. Messages of JSON.parse name a place only for some faults, and on some versions of Node. */
function placeOfFault(text: string): string {
  const faults: ParseError[] = [];
  try {
    findFaults(text, faults, { disallowComments: true });
  } catch {
    // It calls itself for each level of the text, which may have more of them than there is room for.
    return '';
  }
  const [first] = faults;
  if (first === undefined) return '';
  const before = text.slice(0, first.offset).split(/\r\n|\r|\n/);
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
