import { checkOptionNames } from '@calends/core/store';
import { isUint8Array } from 'node:util/types';
import type { HostCaller } from '../message.js';
import type { SchedulingHttp } from '../scheduling-http.js';

/** How a door lets requests in; `Handed` is what a host hands to it with each of them. */
export interface DoorOptions<Handed extends readonly unknown[]> {
  /**
   * Path under which the services are, as requests have it: `/scheduling`. Default: the root. Not for a framework that takes the
   * path of a mount away by itself.
   */
  readonly basePath?: string;
  /**
   * How many proxies of your own stand in front: the client's address is so many from the right of `X-Forwarded-For` (D66).
   * 0 = none, the address of the connection counts. Default 0.
   */
  readonly trustProxy?: number | undefined;
  /**
   * Whom the host takes a request to be from, by a session of its own (D77); `undefined` for nobody. Asked where no bearer token
   * says it, before the body is read, and waited for no longer than 30 s (503). A rejection is a fault of the service (500). Required
   * with `authentication: 'host'`; else the default is bearer tokens only.
   */
  readonly caller?: ((...handed: Handed) => Promise<HostCaller | undefined> | HostCaller | undefined) | undefined;
}

/** As requests have it: what is no character of a path comes percent-encoded (RFC 3986, 3.3). */
const segments = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+$/;

/** @throws TypeError for what is no services: a library, say */
export function checkServices(services: SchedulingHttp): void {
  const has = (name: keyof SchedulingHttp): boolean => typeof Reflect.get(Object(services), name) === 'function';
  if (!has('match') || !has('handle')) throw new TypeError('services: must be what schedulingHttp makes.');
}

/** @throws TypeError where nobody could ever say who calls */
export function checkCaller({ needsCaller }: SchedulingHttp, { caller }: Pick<DoorOptions<never>, 'caller'>): void {
  if (needsCaller !== true || caller !== undefined) return;
  throw new TypeError(
    "options.caller: is required with authentication: 'host'; `() => undefined` where customers alone call, with tokens of the library.",
  );
}

/**
 * Checks the options at start.
 *
 * @param more names of options that this door has besides; each is a function
 * @throws TypeError that names the option
 */
export function checkDoorOptions(options: DoorOptions<never>, ...more: readonly string[]) {
  // Hosts in plain JavaScript have no compiler that tells them.
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('options: must be an object.');
  }
  const functions = ['caller', ...more];
  checkOptionNames('options', options, ['basePath', 'trustProxy', ...functions]);
  const { basePath = '', trustProxy = 0 } = options;
  if (basePath !== '' && !(typeof basePath === 'string' && segments.test(basePath))) {
    throw new TypeError('options.basePath: must be a path like /scheduling, without a slash at its end.');
  }
  if (!Number.isInteger(trustProxy) || trustProxy < 0) {
    throw new TypeError('options.trustProxy: must be 0 or a whole number above.');
  }
  for (const name of functions) {
    const hook: unknown = Reflect.get(options, name);
    if (hook !== undefined && typeof hook !== 'function') throw new TypeError(`options.${name}: must be a function.`);
  }
  return { basePath, trustProxy };
}

/** A request target: what stands in the first line of a request, or the address of a `Request`. */
export interface RequestTarget {
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

const schemeAndHost = /^https?:\/\/[^/?#]+/i;

/**
 * Cuts a target into path and query without ever throwing: what is none (`//[`, `http://`, `*`) has a path that nobody serves.
 *
 * Proxies and `Request` write the whole address; so much of it as is not path or query goes (RFC 9112, 3.2.2).
 */
export function requestTarget(text: string): RequestTarget {
  const whole = text.startsWith('/') ? text : text.replace(schemeAndHost, '');
  const end = whole.indexOf('#');
  const target = end === -1 ? whole : whole.slice(0, end);
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The path below a mount; `undefined` for one that is not below it. */
export function below(basePath: string, path: string): string | undefined {
  if (basePath === '') return path;
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}

/** So much of a refused upload is still taken off the wire, so that its sender gets to read the answer. */
export const maxDiscarded = 16 * 1024 * 1024;

/** A stream that hands out nothing else must come to an end too. */
const maxEmptyChunks = 1000;

/** How much of a body is taken: so many bytes, in chunks of which few are empty. */
export class Allowance {
  readonly #limit: number;
  #size = 0;
  #empty = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Tells whether a chunk may be taken besides those before it. */
  takes({ byteLength }: Uint8Array): boolean {
    this.#size += byteLength;
    if (byteLength === 0) this.#empty += 1;
    return this.#size <= this.#limit && this.#empty <= maxEmptyChunks;
  }
}

/**
 * The bytes of a chunk; `undefined` for what is none: a stream that a host made may hand out anything.
 *
 * @param encoding of texts, whose length in bytes nobody has told
 */
export function bytesOf(chunk: unknown, encoding: BufferEncoding = 'utf8'): Uint8Array | undefined {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
  return isUint8Array(bytes) ? bytes : undefined;
}

/** So long may an answer stand still while it flows: its source, or the client who does not read. Milliseconds. */
export const maxStillness = 30_000;
