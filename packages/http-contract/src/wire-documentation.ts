import * as z from 'zod';

/** What the OpenAPI document says about a schema beyond what the schema itself says. */
export interface WireDocumentation {
  /** Name of the component; only on schemas that the document lists under `components.schemas`. */
  readonly id?: string;
  readonly description?: string;
  readonly format?: string;
  readonly maxProperties?: number;
  /** An empty text is taken besides, where it clears (D2). */
  readonly clearedByEmptyText?: true;
}

/**
 * Private registries: zod's global one is shared by the whole process, and a component name there could meet a host's own.
 *
 * Two of them, because requests are rendered as they arrive and responses as they leave.
 */
export const requestDocumentation = z.registry<WireDocumentation>();
export const responseDocumentation = z.registry<WireDocumentation>();

const componentNames = new Set<string>();

/** A schema read from a request, with its documentation. */
export function request<S extends z.ZodType>(schema: S, documentation: WireDocumentation | string): S {
  requestDocumentation.add(schema, checked(documentation));
  return schema;
}

/** A schema of an answer, with its documentation. */
export function response<S extends z.ZodType>(schema: S, documentation: WireDocumentation | string): S {
  responseDocumentation.add(schema, checked(documentation));
  return schema;
}

/** A schema that stands in requests and answers alike, with its documentation. */
export function shared<S extends z.ZodType>(schema: S, documentation: WireDocumentation | string): S {
  responseDocumentation.add(request(schema, documentation), requestDocumentation.get(schema) ?? {});
  return schema;
}

/** An object read from a request, as a component of the document. */
export const requestObject = <Fields extends z.ZodRawShape>(id: string, description: string, fields: Fields) =>
  request(z.object(fields), { id, description });

/** An object of an answer, as a component of the document. */
export const responseObject = <Fields extends z.ZodRawShape>(id: string, description: string, fields: Fields) =>
  response(z.object(fields), { id, description });

function checked(documentation: WireDocumentation | string): WireDocumentation {
  if (typeof documentation === 'string') return { description: documentation };
  const { id } = documentation;
  // A registry takes the same name twice and silently forgets the first schema.
  if (id !== undefined && componentNames.has(id)) throw new TypeError(`Component ${id} is declared twice`);
  if (id !== undefined) componentNames.add(id);
  return documentation;
}

/** How a query parameter is shown in the OpenAPI document; its schema there is written beside its reader. */
export interface ParameterDocumentation {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly deprecated?: boolean;
}

export const parameterDocumentation = z.registry<ParameterDocumentation>();
