import type { ErrorCode } from '@calends/core';
import type { Operation } from '@calends/http-contract';
import type { FieldError } from '@calends/model';

/** A request that the pipeline refuses before it reaches a use case. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];

  /** `message` is shown to the client. */
  constructor(code: ErrorCode, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.code = code;
    this.errors = errors;
  }
}

/** 429: one limit or another was reached (D66). */
export class Limited extends Refusal {
  /** Whole seconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('rate_limited', 'Too many requests; send it again when the time in Retry-After has passed.');
    this.retryAfter = retryAfter;
  }
}

/** 403: a page of another site had a browser send its cookies along (D77). */
export class ForeignSite extends Refusal {
  constructor() {
    super('forbidden', 'This is taken from pages of this site alone.');
  }
}

/** 401: the same words whatever was wrong with the credentials. */
export function unauthenticated(): Refusal {
  return new Refusal('unauthenticated', 'Valid credentials are required.');
}

/** 401 for a caller whom the host names in a form that is none: the client cannot help it, and the host is told. */
export class BrokenCaller extends Refusal {
  /** What the host is told. */
  readonly fault: TypeError;

  constructor(source: string, field: string) {
    const { code, message } = unauthenticated();
    super(code, message);
    this.fault = new TypeError(`${source} must answer a caller; ${field} is missing or not valid.`);
  }
}

/** 400 with one entry for each fault. */
export function invalid(errors: readonly FieldError[]): Refusal {
  return new Refusal('validation_failed', 'The request is not valid.', errors);
}

/** 404 where nothing was asked for by the id of a record: a list, an application. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'There is nothing here for this caller.');
}

/** 404 for a known address with a method that it does not have. */
export function otherMethod(): Refusal {
  return new Refusal('not_found', 'This address does not have this method; the header Allow names those that it has.');
}

/** 404 for an id that none can be, in the words that core has for unknown and foreign ones: they are told apart by nothing. */
export function impossibleId({ id, path }: Operation): Refusal {
  if (id === 'getPollProperties') return notFound();
  if (id === 'removeException') return new Refusal('not_found', 'There is no such exception.');
  const [, words = 'is no such appointment'] = records.find(([part]) => path.includes(part)) ?? [];
  return new Refusal('not_found', `There ${words}.`);
}

/** By a part of the path, the closest first. */
const records: readonly (readonly [part: string, words: string])[] = [
  ['/endpoints/', 'is no such endpoint'],
  ['/notifications/', 'is no such notification'],
  ['/calendar-feeds/', 'is no such calendar feed'],
  ['/hours/', 'are no such hours'],
  ['/holds/', 'is no such hold'],
  ['/services/', 'is no such service'],
];
