import ipaddr from 'ipaddr.js';
import { remembered, unknownOption } from '@calends/model';
import type { Admission, Limiter } from '../ports/limiter.js';
import { monotonicTime } from '../ports/clock.js';
import { isEmptyInstance } from '../support/host-answers.js';
import { FairSlots } from './fair-slots.js';
import { type BucketSize, TokenBuckets } from './token-buckets.js';

/** Where a request came from, as far as the adapter can see. */
export interface Peer {
  /** Address of the other end of the connection. */
  readonly address: string | undefined;
  /** The header `X-Forwarded-For`, repeated ones joined by commas. */
  readonly forwardedFor: string | undefined;
}

/**
 * The address of the client: that of the connection, or, behind `trustProxy` proxies of the host's own, the one that the
 * outermost of them saw. What stands further left in `X-Forwarded-For` is the client's to make up.
 *
 * Where the header has fewer addresses than there should be proxies, the request did not come through them: then the
 * connection's counts.
 */
export function clientAddressOf({ address, forwardedFor }: Peer, trustProxy: number): string | undefined {
  if (trustProxy === 0 || forwardedFor === undefined) return address;
  return forwardedFor.split(',').at(-trustProxy)?.trim() ?? address;
}

/** Behind such an address is a proxy, or a network of the host's own. */
const ofNobodyInParticular: ReadonlySet<string> = new Set([
  ...['loopback', 'private', 'linkLocal', 'uniqueLocal', 'unspecified', 'carrierGradeNat'],
  ...['broadcast', 'multicast'],
]);

/**
 * What limits count an address by: IPv4 whole, also where it is written as IPv6, IPv6 by its first 64 bits, which one
 * customer of a provider has to themselves. `undefined` for what is no public address.
 */
export function limitedSource(address: string | undefined): string | undefined {
  if (address === undefined || address.length > maxAddressLength) return undefined;
  return rememberedSource(address).source;
}

/** An address of IPv6 in brackets, with a zone and a port; what is longer is the make of a client. */
const maxAddressLength = 100;
/** Addresses whose source is remembered: a proxy in front has few, and so have clients that keep a connection. */
const maxRemembered = 1000;

const rememberedSource = remembered(maxRemembered, (address) => ({ source: sourceOf(address) }));

function sourceOf(address: string): string | undefined {
  const text = withoutPort(address);
  if (!ipaddr.isValid(text)) return undefined;
  const parsed = ipaddr.process(text);
  if (ofNobodyInParticular.has(parsed.range())) return undefined;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Some proxies write `192.0.2.1:5000` and `[2001:db8::1]:5000`. */
function withoutPort(address: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

const ofIpv6 = '::/64';

/**
 * Who has places in common: of IPv6 the first 48 bits, since whoever has them has 65,536 sources, and with one slow request from each
 * of a few would have every place.
 */
function networkOf(source: string): string {
  return source.endsWith(ofIpv6) ? source.split(':', 3).join(':') : source;
}

/** The numbers of the built-in limiter; what is absent has its default. */
export interface LimitNumbers {
  /** Of one source address. Default 5 a second, 60 at once. */
  readonly address?: BucketSize | undefined;
  /** Of one application. Default 50 a second, 600 at once. */
  readonly application?: BucketSize | undefined;
  /** Requests under way at a time in this process. Default 200. */
  readonly concurrent?: number | undefined;
}

/** The defaults of D66. */
export const defaultLimits: { readonly [Name in keyof LimitNumbers]-?: NonNullable<LimitNumbers[Name]> } = {
  address: { perSecond: 5, burst: 60 },
  application: { perSecond: 50, burst: 600 },
  concurrent: 200,
};

/** Keys that each kind of bucket is kept for; some 2 MB at the most. */
const maxKeys = 10_000;
const admitted: Admission = { admitted: true };

/**
 * The built-in limiter (D66): what needs no bearer token is limited by source address, by application, and in how much of it
 * is under way at a time, of which one address, and one network of IPv6, never has everything. Everything else is let in.
 *
 * It keeps nothing but numbers in this process: several processes allow as many times as much.
 *
 * @param now milliseconds that never go back; default the run time's
 * @throws TypeError for a number that is not above 0, and for an unknown name
 */
export function requestLimiter(numbers: LimitNumbers = {}, now: () => number = monotonicTime): Limiter {
  // By name: they may be inherited, or getters of a class.
  const {
    address = defaultLimits.address,
    application = defaultLimits.application,
    concurrent = defaultLimits.concurrent,
  } = numbers;
  demandKnown('', numbers, defaultLimits);
  demandBucket('address', address);
  demandBucket('application', application);
  demandPositive('concurrent', concurrent);
  const addresses = new TokenBuckets(address, maxKeys);
  const applications = new TokenBuckets(application, maxKeys);
  const underWay = new FairSlots(concurrent);
  return {
    beforeBody({ class: kind, source }) {
      if (source === undefined || kind === 'read' || kind === 'write') return admitted;
      const wait = addresses.take(source, now());
      if (wait > 0) return refusedFor(wait);
      const holder = networkOf(source);
      if (!underWay.take(holder)) return refusedFor(0);
      return { admitted: true, release: once(() => underWay.free(holder)) };
    },
    afterDecoding({ class: kind, applicationId }) {
      if (kind === 'read' || kind === 'write') return admitted;
      const wait = applications.take(applicationId, now());
      return wait > 0 ? refusedFor(wait) : admitted;
    },
  };
}

/** Lets everything in: for hosts that limit requests in front of the library. */
export const noLimiter: Limiter = { beforeBody: () => admitted, afterDecoding: () => admitted };

/**
 * The limiter that an option `limits` stands for.
 *
 * @throws TypeError for what is none of the forms
 */
export function limiterOf(limits: 'off' | LimitNumbers | Limiter | undefined): Limiter {
  if (limits === 'off') return noLimiter;
  if (limits === undefined) return requestLimiter();
  // Hosts in plain JavaScript have no compiler that tells them.
  if (!isObject(limits) || isOther(limits)) throw new TypeError('must be `off`, numbers or a limiter');
  if (!limiterMethods.some((name) => name in limits)) return requestLimiter(limits as LimitNumbers);
  const isLimiter = limiterMethods.every((name) => typeof Reflect.get(limits, name) === 'function');
  if (!isLimiter) throw new TypeError('a limiter has beforeBody and afterDecoding');
  return limits as Limiter;
}

const limiterMethods = ['beforeBody', 'afterDecoding'] as const;

/** A promise, a map or a limiter of another library: taken for no numbers, it would stand for the defaults. */
function isOther(limits: object): boolean {
  return isEmptyInstance(limits) && ![...limiterMethods, ...Object.keys(defaultLimits)].some((name) => name in limits);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function demandKnown(at: string, given: object, known: object): void {
  const fault = unknownOption(given, Object.keys(known));
  if (fault !== undefined) throw new TypeError(`${at}${fault}`);
}

function refusedFor(wait: number): Admission {
  return { admitted: false, retryAfter: Math.max(1, Math.ceil(wait / 1000)) };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

function demandBucket(name: keyof LimitNumbers, size: BucketSize): void {
  // Hosts in plain JavaScript may give anything.
  const given = Object(size) as BucketSize;
  demandPositive(`${name}.perSecond`, given.perSecond);
  demandPositive(`${name}.burst`, given.burst);
  demandKnown(`${name}: `, given, defaultLimits.address);
}

function demandPositive(name: string, value: number): void {
  if (!(value > 0 && Number.isFinite(value))) throw new TypeError(`${name}: must be a number above 0`);
}
