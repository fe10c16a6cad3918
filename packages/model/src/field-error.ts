/**
 * Words for what is wrong with one field; small, stable, and safe to switch on (D36).
 *
 * Errors of the domain may bring further words.
 */
export const fieldErrorCodes = [
  'required',
  'invalid_type',
  'invalid_value',
  'invalid_format',
  'invalid_characters',
  'reserved_name',
  'too_long',
  'too_short',
  'too_many',
  'too_few',
  'too_large',
  'too_deep',
  'out_of_range',
  'repeated',
] as const;

/** One of {@link fieldErrorCodes}. */
export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** One fault of a request: where it is and which rule it breaks; never the value that was sent (D36). */
export interface FieldError {
  /** JSON Pointer (RFC 6901) into the body; empty for the body itself. */
  readonly pointer?: string;
  /** Name of a query parameter. */
  readonly parameter?: string;
  /** One of {@link fieldErrorCodes}, or a word of the domain. */
  readonly code: string;
  /** One English sentence. */
  readonly detail: string;
}

/** One fault in the input of an operation. */
export interface InputIssue extends FieldError {
  /** JSON Pointer into the command, for example `/customers/0/contact/primaryEmail`. */
  readonly pointer: string;
}
