import { unknownOption } from '@calends/model';
import { CalendsError } from '../domain/calls/errors.js';
import type { ScheduleOptions } from './call-options.js';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What each option must be; one that is misspelt or of another type would guard nothing, without a word. */
const rules: Readonly<Record<keyof ScheduleOptions, (value: unknown) => boolean>> = {
  correlationId: (value) => typeof value === 'string',
  source: (value) => typeof value === 'string',
  liveOnly: (value) => typeof value === 'boolean',
  expectedVersions: (value) =>
    value === 'any' || (Array.isArray(value) && value.every((each) => typeof each === 'number')),
  idempotency: isObject,
  // Another realm, or a library, may have its own class of signals.
  signal: (value) => typeof (Object(value) as Partial<AbortSignal>).aborted === 'boolean',
  chatModes: isObject,
};
const names = Object.keys(rules);

/**
 * Lets only options of a call pass that there are.
 *
 * @throws CalendsError `validation_failed`
 */
export function requireCallOptions(given: unknown): void {
  if (given === undefined) return;
  if (typeof given !== 'object' || given === null) throw refusal('The options of a call must be an object.');
  const fault = unknownOption(given, names);
  if (fault !== undefined) throw refusal(`The options of a call have an ${fault}.`);
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !rules[name as keyof ScheduleOptions](value)) {
      throw refusal(`The option ${name} of a call is not what it must be.`);
    }
  }
}

const refusal = (message: string): CalendsError => new CalendsError('validation_failed', message);
