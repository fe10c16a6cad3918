import type * as z from 'zod';
import type { FieldError } from '@calends/model';
import { type FieldSource, zodIssuesToFieldErrors } from './field-errors.js';
import { checkJson } from './safe-json.js';

/** A decoded value, or every fault that was found. */
export type Decoded<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Decodes a parsed JSON body: first whether it is safe at all (D8), then against its schema.
 *
 * Fields that the schema does not know are left out of the value. Never throws.
 */
export function decodeBody<Schema extends z.ZodType>(schema: Schema, body: unknown): Decoded<z.output<Schema>> {
  const problems = checkJson(body);
  return problems.length > 0 ? { ok: false, errors: problems } : decode(schema, body, 'body');
}

/**
 * Decodes a query: all decoded values of each name, in the order of the address (D33).
 *
 * Parameters that the schema does not know are left out of the value. Never throws.
 */
export function decodeQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: Readonly<Record<string, readonly string[]>>,
): Decoded<z.output<Schema>> {
  return decode(schema, query, 'query');
}

function decode<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  source: FieldSource,
): Decoded<z.output<Schema>> {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, errors: zodIssuesToFieldErrors(result.error.issues, source) };
}
