import { didYouMean } from '@calends/model';
import * as z from 'zod';

/** What is wrong with a value of a host, each with its place; an unknown name comes with the nearest known one. */
export function schemaFaults(path: string, schema: z.ZodObject, { issues }: z.ZodError): readonly string[] {
  return issues.flatMap((issue) => {
    const at = [path, ...issue.path.map(String)].join('.');
    if (issue.code !== 'unrecognized_keys') return [`${at}: ${issue.message}`];
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((key) => `${at}: unknown option ${key}${didYouMean(key, known)}`);
  });
}

/** Names that an object of the schema may have at a path. */
function knownKeys(schema: z.ZodObject, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = schema;
  for (const key of path) {
    const next = partOf(at, key);
    at = next instanceof z.ZodOptional ? next.unwrap() : next;
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function partOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}
