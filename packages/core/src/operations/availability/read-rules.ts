import { type InputIssue, isIdText, isCalendarDate, limits, plainIssues } from '@calends/model';
import type * as z from 'zod';
import { CalendsError } from '../../domain/calls/errors.js';
import type { InputIssues } from '../../domain/calls/input.js';

/**
 * Reads the rules of a service, of hours or of an exception by their schema.
 *
 * @throws CalendsError `validation_failed` with the place of every fault in the rules and the rule that it breaks; nothing that
 * was sent is repeated
 */
export function readRules<Rules>(schema: z.ZodType<Rules>, given: unknown): Rules {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CalendsError('validation_failed', 'The request is not valid.', { issues: issuesOf(parsed.error) });
}

/** Every fault of rules: its place, and the rule that it breaks. */
export const issuesOf = (error: z.ZodError): readonly InputIssue[] =>
  plainIssues(error.issues).map((issue) => ({
    pointer: pointerOf(issue.path),
    code: codeOf(issue),
    detail: detailOf(issue),
  }));

/** Words of zod that repeat what was sent, or say nothing of the rule, in ours. */
function detailOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'Has a field that is not known.';
  if (issue.code === 'invalid_key') return 'Has a key that is not allowed.';
  return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
}

function codeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : issue.origin === 'array' ? 'too_many' : 'out_of_range';
    case 'too_small':
      return issue.origin === 'string' ? 'too_short' : issue.origin === 'array' ? 'too_few' : 'out_of_range';
    case 'invalid_type':
    case 'invalid_format':
      return issue.code;
    case 'custom':
      return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid_value';
    default:
      return 'invalid_value';
  }
}

/** Longer names were made up by the client, and are not repeated. */
const maxName = 64;

function pointerOf(path: readonly PropertyKey[]): string {
  const known = path.map(String);
  const long = known.findIndex((name) => name.length > maxName);
  return (long === -1 ? known : known.slice(0, long))
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Reads the id of an application, a service or an actor. */
export function readId(pointer: string, id: unknown, maxLength: number, issues: InputIssues): void {
  if (issues.requiredText(pointer, id, maxLength) !== '' && !isIdText(id, maxLength)) {
    issues.add(pointer, 'invalid_characters', 'Must be an id without control characters.');
  }
}

/** Reads the date of an exception. */
export function readDate(pointer: string, date: unknown, issues: InputIssues): void {
  const text = issues.requiredText(pointer, date, limits.instant);
  if (text !== '' && !isCalendarDate(text)) issues.add(pointer, 'invalid_format', 'Must be a date, YYYY-MM-DD.');
}
