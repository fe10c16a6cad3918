/** What is said of a fault in a request, by the library and over HTTP alike: one sentence that names the rule (D36). */
export const faultWords = {
  required: 'Is required.',
  string: 'Must be a string.',
  object: 'Must be an object.',
  list: 'Must be a list.',
  strings: 'Must be an object whose values are strings.',
  unsafe: 'Must not contain control characters or unpaired surrogates.',
  oneOf: (values: readonly unknown[]) => `Must be one of: ${values.join(', ')}.`,
  tooLong: (max: number) => `Must have at most ${max} characters.`,
  tooMany: (max: number) => `Must have at most ${max} entries.`,
  tooManyValues: (max: number) => `Must have at most ${max} values.`,
  between: (min: number, max: number) => `Must be an integer from ${min} to ${max}.`,
  tooLarge: (max: number) => `Must be at most ${max} bytes as JSON text.`,
} as const;
