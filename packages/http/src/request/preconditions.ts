import { invalid } from '../refusal.js';

const maxHeaderLength = 1024;
const tags = /^[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[ \t]*$/;
const versionTag = /(^|[ \t,])"(0|[1-9]\d{0,14})"/g;
const idempotencyKey = /^[\x21-\x7e]{1,255}$/;

/** What a malformed `If-Match` comes to: 400, or on operations that know no 400 a condition that never holds. */
export type MalformedCondition = 'refuse' | 'neverMatches';

/**
 * The versions that `If-Match` admits (RFC 9110; decisions, section 9).
 *
 * `undefined` admits every version: no header, or `*`. Weak tags and tags that are not ours admit nothing.
 *
 * @throws Refusal 400 for a header that is no list of entity tags
 */
export function admittedVersions(
  ifMatch: string | undefined,
  malformed: MalformedCondition,
): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  if (ifMatch.length > maxHeaderLength || !tags.test(ifMatch)) {
    if (malformed === 'neverMatches') return [];
    throw invalid([
      { parameter: 'If-Match', code: 'invalid_format', detail: 'Must be * or a list of entity tags in quotes.' },
    ]);
  }
  return Array.from(ifMatch.matchAll(versionTag), (match) => Number(match[2]));
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
