import * as z from 'zod';
import { didYouMean, faultWords } from '@calends/model';

/** For whoever parses what operators write: what is said where a schema has no words of its own. */
export const inOurWords = { error: (issue: z.core.$ZodRawIssue) => wordsFor(issue) };

function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_key' && issue.input === undefined) return faultWords.required;
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? 'Is of the wrong type.';
    case 'invalid_value':
      return faultWords.oneOf(issue.values);
    case 'too_big':
      return boundWords(issue.origin, `at most ${String(issue.maximum)}`, Number(issue.maximum));
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'Must not be empty.';
      return boundWords(issue.origin, `at least ${String(issue.minimum)}`, Number(issue.minimum));
    case 'invalid_format':
    case 'invalid_union':
    case 'not_multiple_of':
      return 'Is not valid.';
    default:
      return undefined;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: faultWords.string,
  array: faultWords.list,
  object: faultWords.object,
  record: faultWords.object,
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
};

function boundWords(origin: string, bound: string, count: number): string {
  if (origin === 'string') return `Must have ${bound} ${count === 1 ? 'character' : 'characters'}.`;
  if (origin === 'array') return `Must have ${bound} ${count === 1 ? 'entry' : 'entries'}.`;
  return `Must be ${bound}.`;
}

/** The issues of a value as sentences: where it is and which rule it breaks; never the value itself. */
export function schemaFaults(schema: z.ZodType, { issues }: z.ZodError): readonly string[] {
  return issues.flatMap((issue) => {
    const at = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') return [sentence(at, ruleOf(issue))];
    const known = namesAt(schema, issue.path);
    return issue.keys.map((key) => sentence([...at, key], `is not known${didYouMean(key, known)}`));
  });
}

/** Schemas that are shared with the wire say whole sentences, and say of a key only inside what is wrong with it. */
function ruleOf(issue: z.core.$ZodIssue): string {
  const [inside] = issue.code === 'invalid_key' ? issue.issues : [];
  const message = inside !== undefined && issue.message.startsWith('Invalid key') ? inside.message : issue.message;
  return message.endsWith('.') ? `${message.charAt(0).toLowerCase()}${message.slice(1, -1)}` : message;
}

function sentence(path: readonly string[], rule: string): string {
  return path.length === 0 ? rule : `${path.join('.')}: ${rule}`;
}

/** Names that an object of the schema may have at a path. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = inner(schema);
  for (const key of path) {
    if (at instanceof z.ZodRecord) at = inner(at.valueType);
    else if (at instanceof z.ZodArray) at = inner(at.element);
    else if (at instanceof z.ZodObject) at = inner(at.shape[String(key)]);
  }
  const objects: readonly unknown[] = at instanceof z.ZodDiscriminatedUnion ? at.options : [at];
  return objects.flatMap((object) => (object instanceof z.ZodObject ? Object.keys(object.shape) : []));
}

function inner(schema: unknown): unknown {
  let at = schema;
  while (at instanceof z.ZodExactOptional || at instanceof z.ZodOptional || at instanceof z.ZodDefault)
    at = at.unwrap();
  return at;
}
