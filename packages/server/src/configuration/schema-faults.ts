import * as z from 'zod';
import { didYouMean } from '@calends/model';

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
