import { randomUUID } from 'node:crypto';
import { quietly } from '@calends/core/store';
import { invalid } from '../refusal.js';

const safe = /^[\w.~-]{1,128}$/;

/** Makes the id of a request that brings none. */
export type RequestIds = () => string;

export const randomRequestIds: RequestIds = () => randomUUID();

/** The client's own id when it can be logged and answered as it is, else a new one. */
export function requestIdOf(sent: string | undefined, make: RequestIds): string {
  return sent !== undefined && safe.test(sent) ? sent : made(make);
}

/** A maker of the host that fails, or makes what no header can carry, must not cost the answer. */
function made(make: RequestIds): string {
  let id: unknown;
  quietly(() => (id = make()));
  return typeof id === 'string' && safe.test(id) ? id : randomRequestIds();
}

const maxTypeLength = 256;
/**
 * One parameter, or none after its semicolon: a name, and a value that may be quoted (RFC 9110, 5.6.6). No comma: what a message with two
 * of this header comes to must not read as one of them.
 */
const parameter =
  /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[\t !\x23-\x2b\x2d-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x2b\x2d-\x7e\x80-\xff])*)"|([\w!#$%&'*+.^`|~:-]*)))?[ \t]*/y;

/** Tells whether a `Content-Type` is JSON in UTF-8: `application/json`, with no other charset than that. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined || contentType.length > maxTypeLength) return false;
  const end = contentType.indexOf(';');
  const type = end === -1 ? contentType : contentType.slice(0, end);
  return type.trim().toLowerCase() === 'application/json' && (end === -1 || areHarmless(contentType, end));
}

function areHarmless(text: string, from: number): boolean {
  for (parameter.lastIndex = from; parameter.lastIndex < text.length;) {
    const match = parameter.exec(text);
    if (match === null) return false;
    const [, name, quoted, plain = quoted] = match;
    if (name?.toLowerCase() === 'charset' && plain?.toLowerCase() !== 'utf-8') return false;
  }
  return true;
}

const isRefused = /;[ \t]*q=0(?:\.0{0,3})?[ \t]*(?:;|$)/i;

/**
 * Tells whether a client takes `application/json` and not `application/problem+json` (D36).
 *
 * The range that is most like a type says whether it is taken, and a weight of 0 that it is not (RFC 9110, 12.5.1). Of two types that are
 * taken, the weights choose none; and where none is, what would be sent anyway is sent.
 */
export function takesOnlyPlainJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > maxTypeLength) return false;
  const taken = new Map<string, boolean>();
  for (const range of accept.split(',')) {
    const name = range.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    taken.set(name, taken.get(name) === true || !isRefused.test(range));
  }
  const takes = (type: string): boolean => taken.get(type) ?? taken.get('application/*') ?? taken.get('*/*') ?? false;
  return takes('application/json') && !takes('application/problem+json');
}

const maxTagsLength = 1024;
/** Elements that are empty are passed over (RFC 9110, 5.6.1.2). */
const tags =
  /^[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[ \t,]*$/;
const quoted = /"[^"]*"/g;
const versionTag = /(^|[ \t,])"(0|[1-9]\d{0,14})"/g;
const idempotencyKey = /^[\x21-\x7e]{1,255}$/;

/** What a malformed `If-Match` comes to: 400, or on operations that know no 400 a condition that never holds. */
export type MalformedCondition = 'refuse' | 'neverMatches';

/**
 * The versions that `If-Match` admits (RFC 9110; decisions, Across all).
 *
 * `undefined` = no header, `any` = `*`: whatever is there. Weak tags and tags that are not ours admit nothing.
 *
 * @throws Refusal 400 for a header that is no list of entity tags
 */
export function admittedVersions(
  ifMatch: string | undefined,
  malformed: MalformedCondition,
): readonly number[] | 'any' | undefined {
  if (ifMatch === undefined) return undefined;
  if (ifMatch.trim() === '*') return 'any';
  if (ifMatch.length > maxTagsLength || !tags.test(ifMatch)) {
    if (malformed === 'neverMatches') return [];
    throw invalid([
      { parameter: 'If-Match', code: 'invalid_format', detail: 'Must be * or a list of entity tags in quotes.' },
    ]);
  }
  return Array.from(ifMatch.matchAll(versionTag), (match) => Number(match[2]));
}

/**
 * Tells whether `If-None-Match` says that the client has the current answer, by weak comparison (RFC 9110, 13.1.2).
 *
 * A header that is no list of entity tags names none: the whole answer is never wrong. `*` stands for every answer; without
 * `current` nothing else does.
 */
export function hasCurrent(ifNoneMatch: string | undefined, current: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  if (current === undefined || ifNoneMatch.length > maxTagsLength || !tags.test(ifNoneMatch)) return false;
  return ifNoneMatch.match(quoted)?.includes(current) === true;
}

/** The entity tag of a version. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * The `Idempotency-Key` of a request.
 *
 * @throws Refusal 400 unless it is 1 to 255 visible ASCII characters
 */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined || idempotencyKey.test(header)) return header;
  throw invalid([
    { parameter: 'Idempotency-Key', code: 'invalid_format', detail: 'Must have 1 to 255 visible ASCII characters.' },
  ]);
}
