import type * as z from 'zod';
import { faultWords, type FieldError, type FieldErrorCode, fieldErrorCodes } from '@calends/model';

interface Fault {
  readonly code: FieldErrorCode;
  readonly detail: string;
}
type ZodIssue = z.core.$ZodIssue;

/** Where the parsed value came from: it decides between `pointer` and `parameter`. */
export type FieldSource = 'body' | 'query';

/**
 * Turns zod's issues into field errors with stable codes and fixed English details; values sent are never echoed (D36).
 *
 * Parse with `reportInput: true`, as {@link decodeBody} and {@link decodeQuery} do: a missing field is then told from one
 * of the wrong type by its value and not by zod's message. What may be absent is not required where it is `null`:
 * `isOptional` says so of a place.
 */
export function zodIssuesToFieldErrors(
  issues: readonly ZodIssue[],
  source: FieldSource,
  isOptional: (path: readonly PropertyKey[]) => boolean = () => false,
): readonly FieldError[] {
  return issues.map((issue) => ({ ...placeOf(issue, source), ...faultOf(issue, isOptional) }));
}

function placeOf(issue: ZodIssue, source: FieldSource): Pick<FieldError, 'pointer' | 'parameter'> {
  if (source === 'body') return { pointer: jsonPointer(issue.path) };
  const [parameter] = issue.path;
  return parameter === undefined ? {} : { parameter: String(parameter) };
}

function faultOf(issue: ZodIssue, isOptional: (path: readonly PropertyKey[]) => boolean): Fault {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) && !isOptional(issue.path)
        ? required
        : { code: 'invalid_type', detail: `Must be ${nameOfType(issue.expected)}.` };
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'invalid_value':
      if (isMissing(issue) && !isOptional(issue.path)) return required;
      return { code: 'invalid_value', detail: faultWords.oneOf(issue.values.map(String)) };
    case 'invalid_format':
      // A schema with a form says in its own words which.
      return { code: 'invalid_format', detail: issue.message };
    case 'custom': {
      const code = fieldErrorCodes.find((known) => known === issue.params?.['code']);
      return { code: code ?? 'invalid_value', detail: issue.message };
    }
    case 'invalid_union':
      return { code: 'invalid_value', detail: issue.message };
    case 'unrecognized_keys':
      return { code: 'invalid_value', detail: 'Must have no members but those that are documented.' };
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
      return invalid;
  }
}

const required: Fault = { code: 'required', detail: faultWords.required };
const invalid: Fault = { code: 'invalid_value', detail: 'Is not valid.' };

/** `null` counts as missing where something must be. */
export function isMissing(issue: ZodIssue): boolean {
  return 'input' in issue && (issue.input === undefined || issue.input === null);
}

function nameOfType(expected: string): string {
  switch (expected) {
    case 'string':
      return 'a string';
    case 'array':
      return 'an array';
    case 'object':
    case 'record':
      return 'an object';
    case 'int':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    default:
      return 'a value of another type';
  }
}

function tooBig(origin: string, maximum: number): Fault {
  if (origin === 'string') return { code: 'too_long', detail: faultWords.tooLong(maximum) };
  if (origin === 'array') return { code: 'too_many', detail: faultWords.tooMany(maximum) };
  return { code: 'out_of_range', detail: `Must be at most ${maximum}.` };
}

function tooSmall(origin: string, minimum: number): Fault {
  if (origin === 'string') return { code: 'too_short', detail: 'Must not be empty.' };
  if (origin === 'array') return { code: 'too_few', detail: `Must have at least ${minimum} entries.` };
  return { code: 'out_of_range', detail: `Must be at least ${minimum}.` };
}

/** Raises a fault from within a schema; `faultOf` above reads it back. */
export function raise(context: z.RefinementCtx, code: FieldErrorCode, detail: string): void {
  context.addIssue({ code: 'custom', message: detail, params: { code } });
}

/** Names longer than this are not written into a pointer: it would send back what the client sent, at any length. */
const MAX_SEGMENT = 64;

/**
 * JSON Pointer (RFC 6901) from member names and indexes, outermost first.
 *
 * Stops at the object that holds the first overlong name.
 */
export function jsonPointer(path: readonly PropertyKey[]): string {
  let pointer = '';
  for (const step of path) {
    const name = String(step);
    if (name.length > MAX_SEGMENT) break;
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}
