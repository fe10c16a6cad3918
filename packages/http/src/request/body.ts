import { isUtf8 } from 'node:buffer';
import type { HttpRequest, RequestBody } from '../message.js';
import { invalid, Refusal } from '../refusal.js';
import { isJson } from './headers.js';

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
  // A stream without a length may be no body at all: some servers hand one in with every request.
  if (body.kind === 'stream' && body.length === undefined && typeof (await body.read(0)) === 'object') return undefined;
  throw unsupported();
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
  let text: string;
  try {
    text = JSON.stringify(value ?? null);
  } catch {
    // Too deep to be written: too deep to be accepted.
    throw malformed();
  }
  if (Buffer.byteLength(text) > limit) throw tooLarge();
  return value;
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
