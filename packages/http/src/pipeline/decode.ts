import { bodyLimits, checkJson, decodeBody, type Decoded, decodeQuery, type Operation } from '@calends/http-contract';
import type { FieldError } from '@calends/model';
import type { HttpRequest, RequestBody } from '../message.js';
import type { Invocation } from '../operations/handler.js';
import type { MountedOperation } from '../operations/mount.js';
import { impossibleId, invalid, Refusal } from '../refusal.js';
import type { Deadline } from './deadline.js';
import { admittedVersions, idempotencyKeyOf, isJson } from '../request/headers.js';
import { parseQueryString, type QueryValues } from '../request/query-string.js';
import { isUtf8 } from 'node:buffer';

/** Everything that the client sent, checked and typed. */
export type Input = Omit<Invocation<never, unknown, unknown>, 'identity'>;

/**
 * Step 3: query, body, conditions and id, in this order.
 *
 * @throws Refusal 400, 413, 415, also where the host's parser gave up on a body that the operation does not take; 404 for an id that
 *   cannot be one (D9)
 */
export async function decode(
  { operation, malformedCondition }: MountedOperation,
  request: HttpRequest,
  context: {
    /** Of the path, in order; `undefined` for what none can be. */
    readonly ids: readonly (string | undefined)[];
    readonly bodyLimit: number;
    readonly requestId: string;
    readonly clientAddress: string | undefined;
    readonly source: string | undefined;
    readonly deadline: Pick<Deadline, 'signal'>;
  },
  onReplay: () => void,
): Promise<Input> {
  const query = operation.query === undefined ? undefined : readQuery(operation.query, request.query);
  if (operation.body === undefined) refuseUnread(request);
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
    clientAddress: context.clientAddress,
    holdToken: operation.acceptsHoldToken ? request.header('calends-hold') : undefined,
    body,
    query,
    call: {
      correlationId: context.requestId,
      source: context.source,
      // What only reads begins no commit, which is all that a signal could stop.
      signal: operation.method === 'GET' ? undefined : context.deadline.signal,
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
  const query = parseQueryString(raw);
  if ('values' in query) {
    refuseNested(schema, query.values);
    return accepted(decodeQuery(schema, query.values));
  }
  const { fault, parameter } = query;
  // Names of parameters that the operation does not have are the client's, and are not sent back (D36).
  const place = parameter !== undefined && Object.hasOwn(schema.shape, parameter) ? { parameter } : {};
  throw invalid([{ ...place, code: 'invalid_format', detail: fault }]);
}

/**
 * Refuses `agentId[]=x`, as some clients write lists: passed over, as names are that nobody knows, it would be answered with more than
 * was asked for.
 */
function refuseNested({ shape }: NonNullable<Operation['query']>, values: QueryValues): void {
  const nested = new Set<string>();
  for (const name in values) {
    const bracket = name.indexOf('[');
    if (bracket > 0 && Object.hasOwn(shape, name.slice(0, bracket))) nested.add(name.slice(0, bracket));
  }
  const detail = 'Must be given by its name alone, without brackets.';
  if (nested.size > 0) throw invalid([...nested].map((parameter) => ({ parameter, code: 'invalid_format', detail })));
}

/** A request on whose body the host's parser gave up has come past middleware of the host: it is not served, with or without its body. */
function refuseUnread({ bodyRefusal }: HttpRequest): void {
  if (bodyRefusal !== undefined) throw refusals[bodyRefusal]();
}

async function readBody(
  { body, bodyRequired, ownCode }: Operation,
  request: HttpRequest,
  limit: number,
): Promise<unknown> {
  const json = await readJson(request, limit);
  if (json === null && !bodyRequired) {
    throw invalid([{ pointer: '', code: 'invalid_type', detail: 'Must be an object.' }]);
  }
  if (json !== undefined && body !== undefined) {
    const decoded = decodeBody(body, json);
    if (!decoded.ok && ownCode !== undefined && decoded.errors.every(isMalformed(ownCode.pointer))) {
      throw new Refusal(ownCode.code, ownCode.detail, decoded.errors);
    }
    return accepted(decoded);
  }
  if (bodyRequired) throw invalid([{ pointer: '', code: 'required', detail: 'A JSON body is required.' }]);
  return undefined;
}

/** What is there, is a string, and breaks a rule. */
const isMalformed =
  (at: string) =>
  ({ pointer, code }: FieldError): boolean =>
    pointer === at && code !== 'required' && code !== 'invalid_type';

function accepted<Value>(decoded: Decoded<Value>): Value {
  if (decoded.ok) return decoded.value;
  throw invalid(decoded.errors);
}

/**
 * Reads the JSON body of a request, whether the host's parser was there before or not.
 *
 * @returns the parsed value, or `undefined` when there is no body
 * @throws Refusal 413 over the limit, 415 for another media type or a content coding, 400 for what is not JSON
 */
export async function readJson(request: HttpRequest, limit: number): Promise<unknown> {
  const body = request.body();
  if (body.kind === 'none') return undefined;
  if (body.length !== undefined && body.length > limit) throw tooLarge();
  if (isJson(request.header('content-type')) && !isEncoded(request)) return parsed(body, limit);
  // What has no length may be no body at all: some servers hand a stream in with every request.
  if (body.length === undefined && (await isEmpty(body))) return undefined;
  throw unsupported();
}

async function isEmpty(body: Exclude<RequestBody, { kind: 'none' }>): Promise<boolean> {
  if (body.kind === 'stream') return typeof (await body.read(0)) === 'object';
  return body.kind === 'parsed' && (body.value === '' || (body.value instanceof Uint8Array && body.value.length === 0));
}

function isEncoded(request: HttpRequest): boolean {
  const coding = request.header('content-encoding');
  return coding !== undefined && coding.trim().toLowerCase() !== 'identity';
}

async function parsed(body: Exclude<RequestBody, { kind: 'none' }>, limit: number): Promise<unknown> {
  switch (body.kind) {
    case 'stream':
      return parseBytes(await read(body, limit));
    case 'parsed':
      if (body.value instanceof Uint8Array) return parseBytes(within(limit, body.value));
      if (typeof body.value === 'string') return parseBytes(within(limit, Buffer.from(body.value, 'utf8')));
      // A parsed body of known length was measured already.
      return body.length === undefined ? measured(body.value, limit) : body.value;
    case 'refused':
      throw refusals[body.reason]();
  }
}

const refusals = { tooLarge, malformed, unsupported } as const;

async function read(body: Extract<RequestBody, { kind: 'stream' }>, limit: number): Promise<Uint8Array> {
  const bytes = await body.read(limit);
  if (bytes === 'tooLarge') throw tooLarge();
  // Nobody is left to read the answer; what was sent of the body is not acted upon.
  if (bytes === 'aborted') throw malformed();
  return bytes;
}

function within(limit: number, bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > limit) throw tooLarge();
  return bytes;
}

function measured(value: unknown, limit: number): unknown {
  const text = jsonOf(value ?? null);
  if (text === undefined) {
    // What cannot be written, as it is too deep or no JSON, is not accepted.
    const faults = checkJson(value);
    throw faults.length > 0 ? invalid(faults) : malformed();
  }
  if (Buffer.byteLength(text) > limit) throw tooLarge();
  return value;
}

function jsonOf(value: unknown): string | undefined {
  try {
    // Of a function, this is nothing.
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function parseBytes(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  if (!isUtf8(bytes)) throw malformed();
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw malformed();
  }
}

function tooLarge(): Refusal {
  return new Refusal('payload_too_large', 'The body is larger than this service takes.');
}

function unsupported(): Refusal {
  return new Refusal('unsupported_media_type', 'Bodies must be application/json in UTF-8 without a content coding.');
}

function malformed(): Refusal {
  return invalid([{ pointer: '', code: 'invalid_format', detail: 'Must be valid JSON.' }]);
}
