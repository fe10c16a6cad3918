/** What is said of a fault in a request, by the library and over HTTP alike: one sentence that names the rule (D36). */
export const faultWords = {
  required: 'Is required.',
  string: 'Must be a string.',
  object: 'Must be an object.',
  list: 'Must be a list.',
  strings: 'Must be an object whose values are strings.',
  unsafe: 'Must not contain control characters or unpaired surrogates.',
  oneOf: (values: readonly unknown[]) => `Must be one of: ${values.join(', ')}.`,
  tooLong: (most: number) => `Must have at most ${most} characters.`,
  tooMany: (most: number) => `Must have at most ${most} entries.`,
  tooManyValues: (most: number) => `Must have at most ${most} values.`,
  between: (min: number, max: number) => `Must be an integer from ${min} to ${max}.`,
  tooLarge: (most: number) => `Must be at most ${most} bytes as JSON text.`,
} as const;
