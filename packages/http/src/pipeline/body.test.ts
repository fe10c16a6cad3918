import { describe, expect, it } from 'vitest';
import type { HttpRequest, RequestBody } from '../message.js';
import { Refusal } from '../refusal.js';
import { readJson } from './decode.js';

const json = { 'content-type': 'application/json' };

function request(body: RequestBody, headers: Record<string, string> = {}): HttpRequest {
  const all: Record<string, string> = { ...json, ...headers };
  return { method: 'POST', path: '/', query: '', header: (name) => all[name], body: () => body };
}

function stream(text: string | Uint8Array, length?: number): RequestBody {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return { kind: 'stream', length, read: async (limit) => (bytes.byteLength > limit ? 'tooLarge' : bytes) };
}

const parsed = (value: unknown): RequestBody => ({ kind: 'parsed', value });
const unreadable = (length?: number): RequestBody => ({
  kind: 'stream',
  length,
  read: () => Promise.reject(new Error('was read')),
});

describe('reading a body', () => {
  it.each<[string, RequestBody, unknown]>([
    ['a stream', stream('{"a":1}'), { a: 1 }],
    ['a Buffer that the host read', parsed(Buffer.from('{"a":1}')), { a: 1 }],
    ['a text that the host read', parsed('{"a":"ä"}'), { a: 'ä' }],
    ['an object that the host parsed', parsed({ a: 1 }), { a: 1 }],
    ['an empty stream', stream(''), undefined],
    ['a parser that found nothing', parsed(undefined), undefined],
    ['null', stream('null'), null],
  ])('reading a body takes %s', async (_, body, value) => {
    expect(await readJson(request(body), 100)).toEqual(value);
  });

  it.each<[string, Record<string, string>]>([
    ['no headers', {}],
    ['a media type', { 'content-type': 'text/plain' }],
    ['a length', { 'content-length': '10' }],
    ['chunks announced', { 'transfer-encoding': 'chunked' }],
  ])('reading a body takes the word of the message that there is no body, with %s', async (_, headers) => {
    expect(await readJson(request({ kind: 'none' }, headers), 100)).toBeUndefined();
  });

  it('reading a body finds an empty stream to be no body, whatever its media type', async () => {
    expect(await readJson(request(stream(''), { 'content-type': 'text/plain' }), 100)).toBeUndefined();
    expect(await readJson({ ...request(stream('')), header: () => undefined }, 100)).toBeUndefined();
  });

  it('reading a body finds what a host read in chunks and found empty to be no body, whatever its media type', async () => {
    for (const empty of ['', Buffer.alloc(0)]) {
      expect(await readJson({ ...request(parsed(empty)), header: () => undefined }, 100)).toBeUndefined();
    }
  });

  it('reading a body needs no headers about its length', async () => {
    expect(await readJson(request(stream('{"a":1}', 7)), 100)).toEqual({ a: 1 });
  });

  it.each<[string, RequestBody, Record<string, string>, string]>([
    ['announced as larger than the limit', unreadable(101), {}, 'payload_too_large'],
    ['larger than the limit', stream(`"${'x'.repeat(100)}"`), {}, 'payload_too_large'],
    ['a Buffer larger than the limit', parsed(Buffer.alloc(101)), {}, 'payload_too_large'],
    ['a text larger than the limit', parsed('ä'.repeat(51)), {}, 'payload_too_large'],
    ['an object larger than the limit', parsed({ a: 'x'.repeat(100) }), {}, 'payload_too_large'],
    ['refused by the host as too large', { kind: 'refused', reason: 'tooLarge' }, {}, 'payload_too_large'],
    ['of another media type', unreadable(7), { 'content-type': 'text/plain' }, 'unsupported_media_type'],
    ['of another media type in chunks', stream('{}'), { 'content-type': 'text/plain' }, 'unsupported_media_type'],
    ['compressed', unreadable(7), { 'content-encoding': 'gzip' }, 'unsupported_media_type'],
    ['refused by the host for its encoding', { kind: 'refused', reason: 'unsupported' }, {}, 'unsupported_media_type'],
    ['broken', stream('{"a":'), {}, 'validation_failed'],
    ['no UTF-8', stream(Buffer.from([0x22, 0xff, 0x22])), {}, 'validation_failed'],
    ['refused by the host as broken', { kind: 'refused', reason: 'malformed' }, {}, 'validation_failed'],
    ['cut off', { kind: 'stream', read: async () => 'aborted' }, {}, 'validation_failed'],
  ])('reading a body refuses one that is %s', async (_, body, headers, code) => {
    await expect(readJson(request(body, headers), 100)).rejects.toMatchObject({ code });
  });

  it('reading a body refuses one that a host nested 100,000 deep', async () => {
    const refused = readJson(request(parsed(nested(100_000))), 100);
    // Node 26 can write it, and so measures it.
    const code: unknown = expect.stringMatching(/^(validation_failed|payload_too_large)$/);
    await expect(refused).rejects.toMatchObject({ code });
  });
});

describe('a body that a parser of the host made', () => {
  const itself: Record<string, unknown> = {};
  itself['again'] = itself;
  const throws = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('internal');
    },
  });
  class Written {
    toJSON(): never {
      throw new Error('internal');
    }
  }

  it.each<[string, unknown, string]>([
    ['a BigInt', { a: 5n }, '/a out_of_range'],
    ['a function', () => 1, ' invalid_type'],
    ['a symbol', Symbol('x'), ' invalid_type'],
    ['a getter that throws', { a: throws }, '/a invalid_type'],
    ['an object that holds itself', itself, `${'/again'.repeat(15)} too_deep`],
    ['an object that cannot be written', { a: new Written() }, ' invalid_format'],
  ])('a body that a parser of the host made is refused with its place where it has %s', async (_, value, place) => {
    const refusal: unknown = await readJson(request(parsed(value)), 100).catch((thrown: unknown) => thrown);
    const errors = refusal instanceof Refusal ? refusal.errors : [];
    expect(errors.map(({ pointer, code }) => `${String(pointer)} ${code}`)).toEqual([place]);
  });
});

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
