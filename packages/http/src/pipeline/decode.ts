import { bodyLimits, decodeBody, type Decoded, decodeQuery, type Operation } from '@calends/http-contract';
import type { HttpRequest } from '../message.js';
import type { Invocation } from '../operations/handler.js';
import type { MountedOperation } from '../operations/mount.js';
import { impossibleId, invalid } from '../refusal.js';
import { readJson } from '../request/body.js';
import { admittedVersions, idempotencyKeyOf } from '../request/headers.js';
import { parseQueryString } from '../request/query-string.js';

/** Everything that the client sent, checked and typed. */
export type Input = Omit<Invocation<never, unknown, unknown>, 'identity'>;

/**
 * Step 3: query, body, conditions and id, in this order.
 *
 * @throws Refusal 400, 413, 415; 404 for an id that cannot be one (D9)
 */
export async function decode(
  { operation, malformedCondition }: MountedOperation,
  request: HttpRequest,
  context: {
    /** Of the path, in order; `undefined` for what none can be. */
    readonly ids: readonly (string | undefined)[];
    readonly bodyLimit: number;
    readonly requestId: string;
    readonly source: string | undefined;
    readonly signal: AbortSignal;
  },
  onReplay: () => void,
): Promise<Input> {
  const query = operation.query === undefined ? undefined : readQuery(operation.query, request.query);
  const body =
    operation.body === undefined
      ? undefined
      : await readBody(operation, request, bodyLimitOf(operation, context.bodyLimit));
  const key = operation.acceptsIdempotencyKey ? idempotencyKeyOf(request.header('idempotency-key')) : undefined;
  const expectedVersions = operation.acceptsIfMatch
    ? admittedVersions(request.header('if-match'), malformedCondition)
    : undefined;
  if (context.ids.includes(undefined)) throw impossibleId(operation);
  const [id = '', date = ''] = context.ids;
  return {
    id,
    date,
    clientAddress: request.clientAddress,
    holdToken: operation.acceptsHoldToken ? request.header('calends-hold') : undefined,
    body,
    query,
    call: {
      correlationId: context.requestId,
      source: context.source,
      signal: context.signal,
      expectedVersions,
      idempotency: key === undefined ? undefined : { key, operation: operation.id, onReplay },
    },
  };
}

/** Only the limit of whole appointments is the host's to raise. */
function bodyLimitOf({ bodyLimit }: Operation, ofHost: number): number {
  return bodyLimit < bodyLimits.appointment ? Math.min(bodyLimit, ofHost) : ofHost;
}

function readQuery(schema: NonNullable<Operation['query']>, raw: string): unknown {
  const values = parseQueryString(raw);
  if (values === undefined) {
    throw invalid([
      { code: 'invalid_format', detail: 'The query must be percent-encoded UTF-8 text of at most 200 parameters.' },
    ]);
  }
  return accepted(decodeQuery(schema, values));
}

async function readBody({ body, bodyRequired }: Operation, request: HttpRequest, limit: number): Promise<unknown> {
  const json = await readJson(request, limit);
  if (json !== undefined && body !== undefined) return accepted(decodeBody(body, json));
  if (bodyRequired) throw invalid([{ pointer: '', code: 'required', detail: 'A JSON body is required.' }]);
  return undefined;
}

function accepted<Value>(decoded: Decoded<Value>): Value {
  if (decoded.ok) return decoded.value;
  throw invalid(decoded.errors);
}
