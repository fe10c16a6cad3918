import { type Clock, systemClock } from '@calends/core';
import { unknownOptions } from '@calends/core/notifier';
import { checkIsObject } from '@calends/core/store';
import { X509Certificate } from 'node:crypto';
import { type Resolve, systemResolve } from './address/checked-connector.js';
import type { ConnectionOptions } from './http/connection-pools.js';

/** How web hooks are sent; every part has a default. */
export interface WebhookNotifierOptions {
  /** Longest time for a whole attempt, a token's request included; milliseconds. Default 15 000. */
  readonly timeout?: number | undefined;
  /** Longest time until a connection stands, name and TLS included; milliseconds. Default 5 000. */
  readonly connectTimeout?: number | undefined;
  /** Certificates in PEM form that are trusted, and no others. Default those that Node trusts. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /**
   * Answers every address of a host name, in plain spelling; asked once per connection. Default the system's resolver.
   *
   * What it answers is checked like any other address.
   */
  readonly resolve?: Resolve | undefined;
  /** For the life of tokens and for dates in `Retry-After`. Default the system's clock. */
  readonly clock?: Clock | undefined;
}

/** The options with their defaults. */
export interface CompleteOptions extends ConnectionOptions {
  readonly timeout: number;
  readonly clock: Clock;
}

const known = ['timeout', 'connectTimeout', 'ca', 'resolve', 'clock'];

/** @throws TypeError that lists every fault */
export function completeOptions(options: WebhookNotifierOptions): CompleteOptions {
  checkIsObject('webhookNotifier: options', options);
  const { timeout = 15_000, connectTimeout = 5_000, ca, resolve = systemResolve, clock = systemClock } = options;
  const faults = [
    ...unknownOptions(options, known),
    ...Object.entries({ timeout, connectTimeout })
      .filter(([, value]) => !Number.isSafeInteger(value) || value < 1 || value > 600_000)
      .map(([name]) => `${name}: must be whole milliseconds from 1 to 600000`),
    ...(ca === undefined || areCertificates(ca) ? [] : ['ca: must be certificates in PEM form']),
    ...(typeof resolve === 'function' ? [] : ['resolve: must be a function']),
    ...(typeof (Object(clock) as Clock).now === 'function' ? [] : ['clock: must have now']),
  ];
  if (faults.length > 0) throw new TypeError(`webhookNotifier: ${faults.map((fault) => `\n  - ${fault}`).join('')}`);
  return { timeout, connectTimeout, ca, resolve, clock };
}

/** Node takes any string for `ca`, or a list of none, and then trusts nobody. */
function areCertificates(ca: unknown): boolean {
  const all = [ca].flat();
  return all.length > 0 && all.every(isCertificate);
}

function isCertificate(text: unknown): boolean {
  try {
    return new X509Certificate(text as string | Buffer).raw.byteLength > 0;
  } catch {
    return false;
  }
}
