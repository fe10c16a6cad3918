import * as z from 'zod';
import { requestDocumentation, responseDocumentation } from '../wire-documentation.js';

/** A JSON object of the document. */
export type DocumentObject = Readonly<Record<string, unknown>>;

/** All named schemas of requests and answers, sorted by name. */
export function componentSchemas(): DocumentObject {
  const { schemas: requests } = z.toJSONSchema(requestDocumentation, {
    ...rendering,
    metadata: requestDocumentation,
    io: 'input',
  });
  const { schemas: responses } = z.toJSONSchema(responseDocumentation, {
    ...rendering,
    metadata: responseDocumentation,
    io: 'output',
  });
  return Object.fromEntries(
    Object.entries({ ...requests, ...responses })
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, { $schema: _dialect, $id: _address, ...schema }]) => [name, schema]),
  );
}

/** The place of a schema in the document: a reference, or an array of references. */
export function schemaReference(schema: z.ZodType): DocumentObject {
  if (schema instanceof z.ZodArray) return { type: 'array', items: schemaReference(schema.element as z.ZodType) };
  const id = (requestDocumentation.get(schema) ?? responseDocumentation.get(schema))?.id;
  if (id === undefined) throw new TypeError('A body of an operation has no component name');
  return { $ref: addressOf(id) };
}

function addressOf(id: string): string {
  return `#/components/schemas/${id}`;
}

const rendering = { uri: addressOf, override: adjust };

/** Takes away what zod writes and the interface does not say, and adds what a preprocessing takes besides (D2). */
function adjust({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema['clearedByEmptyText'] === true) {
    delete jsonSchema['clearedByEmptyText'];
    jsonSchema.anyOf?.push({ type: 'string', maxLength: 0 });
  }
  // Answers may grow fields; clients must ignore those that they do not know.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
