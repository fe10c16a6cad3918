import * as z from 'zod';
import type { Operation } from '../catalogue.js';
import { parameterDocumentation } from '../wire-documentation.js';
import type { DocumentObject } from './components.js';

/** Path, query and header parameters of an operation, in this order. */
export function parametersOf(operation: Operation): readonly DocumentObject[] {
  const path = operation.pathParameters.map(({ name, description }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const query = Object.entries<z.ZodType>(operation.query?.shape ?? {}).map(([name, schema]) =>
    queryParameter(name, schema),
  );
  const headers = [
    ...(operation.acceptsIdempotencyKey ? ['IdempotencyKey'] : []),
    ...(operation.acceptsIfMatch ? ['IfMatch'] : []),
    ...(operation.acceptsIfNoneMatch ? ['IfNoneMatch'] : []),
    ...(operation.acceptsHoldToken ? ['CalendsHold'] : []),
    ...(operation.acceptsConsistency ? ['CalendsConsistency'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...path, ...query, ...headers];
}

function queryParameter(name: string, parameter: z.ZodType): DocumentObject {
  const optional = parameter instanceof z.ZodOptional;
  const reader = optional ? parameter.unwrap() : parameter;
  const documentation = parameterDocumentation.get(reader as z.ZodType);
  if (documentation === undefined) throw new TypeError(`Query parameter ${name} is not documented`);
  return {
    name,
    in: 'query',
    required: !optional,
    description: documentation.description,
    ...(documentation.deprecated === true ? { deprecated: true } : {}),
    // Repeated or comma-separated (D33); repeated is the form that needs no escapes.
    ...(documentation.schema['type'] === 'array' ? { style: 'form', explode: true } : {}),
    schema: documentation.schema,
  };
}

/** Request headers that several operations accept (decisions, Across all). */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeated request take effect once: within 24 hours the same key with the same body gets the stored answer, ' +
      'marked with Idempotency-Replayed (additive).',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '5f0c1f0a-3b0e-4f0e-9c1b-0d6a8c6f2f11',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the version that the change is meant for; another version answers 412 (additive).',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of what the client has; while it is still the latest, the answer is 304 without a body (additive).',
    schema: { type: 'string' },
    example: '"3"',
  },
  CalendsHold: {
    name: 'Calends-Hold',
    in: 'header',
    required: false,
    description: 'The token of the hold; supervisors need none.',
    schema: { type: 'string' },
    example: '01890a5d-b0a4-7d40-b7a7-5b1f2b6a3c4d.pS3mXq0Y',
  },
  CalendsConsistency: {
    name: 'Calends-Consistency',
    in: 'header',
    required: false,
    description:
      'The greatest Calends-Consistency of earlier answers to this client: this answer does not lack what they have ' +
      'written. Needed only where the server has readers and several processes; anything else is no fault (additive).',
    schema: { type: 'string' },
    example: '00000000000000004711',
  },
} as const;

/** Headers of answers. */
export const answerHeaders = {
  ETag: {
    description: 'Version of the record, for If-Match and If-None-Match (additive).',
    schema: { type: 'string' },
    example: '"3"',
  },
  CalendsConsistency: {
    description:
      'What to send along with later requests, so that they do not lack what this one has written; texts of one length, of ' +
      'which the greatest counts. Only where the server has readers (additive).',
    schema: { type: 'string', pattern: '^[0-9A-Za-z]{1,64}$' },
    example: '00000000000000004711',
  },
  IdempotencyReplayed: {
    description: '`true` when the answer is the stored one of an earlier request with this key (additive).',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0 },
  },
  WWWAuthenticate: { description: 'The scheme to authenticate with.', schema: { type: 'string' } },
} as const;
