import { unknownOptions } from '@calends/model';

/** What every publisher to a broker is told. */
export interface PublisherOptions {
  /**
   * Longest time for an event, from `publish` to the broker's answer, the connection included; milliseconds, 10 to 600 000.
   * Default 5 000. Shorter than the lease of the worker (30 s), so that no other worker sends the event meanwhile.
   */
  readonly timeout?: number | undefined;
  /** `source` of the CloudEvents: a URI reference that names this system. Default `calends`. */
  readonly source?: string | undefined;
}

/** What a publisher checks beyond that. */
export interface FurtherOptions<Given> {
  readonly url: string | undefined;
  /** What the host may give in the place of `url`. */
  readonly given: Given | undefined;
  /** Names of options beside `url`, `timeout` and `source`; the first is that of `given`. */
  readonly others: readonly [given: string, ...string[]];
  /** Of addresses, with their colons. */
  readonly protocols: readonly string[];
  /** Faults of the other options. */
  readonly faults: readonly string[];
}

/**
 * The common options of a publisher with their defaults, and where it connects to. `name` is that of the function that the
 * host called.
 *
 * @throws TypeError that lists every fault, and shows no value: there is a password in an address
 */
export function readPublisherOptions<Given>(
  name: string,
  options: PublisherOptions,
  { url, given, others, protocols, faults }: FurtherOptions<Given>,
): { readonly timeout: number; readonly source: string; readonly place: { readonly url: string } | Given } {
  const { timeout = 5000, source = 'calends' } = options;
  const known = ['url', ...others, 'timeout', 'source'];
  const all = [
    ...unknownOptions(options, known),
    ...((url === undefined) === (given === undefined) ? [`either url or ${others[0]} must be given`] : []),
    ...(url === undefined || hasProtocol(url, protocols)
      ? []
      : [`url: must begin with ${protocols.map((each) => `${each}//`).join(' or ')} and name a host`]),
    ...(typeof url !== 'string' || isPercentEncoded(url) ? [] : ['url: must be percent-encoded']),
    ...(Number.isSafeInteger(timeout) && timeout >= 10 && timeout <= 600_000
      ? []
      : ['timeout: must be whole milliseconds from 10 to 600000']),
    ...(typeof source === 'string' && /^[\w.~:/?#@!$&'()*+,;=%-]+$/.test(source)
      ? []
      : ['source: must be a URI reference']),
    ...faults,
  ];
  if (all.length > 0) throw new TypeError(`${name}: ${all.map((fault) => `\n  - ${fault}`).join('')}`);
  return { timeout, source, place: given ?? { url: url ?? '' } };
}

function hasProtocol(url: unknown, protocols: readonly string[]): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocols.includes(protocol) && hostname !== '';
}

/** Clients decode the parts of an address; at one that cannot be decoded each connection would fail. */
function isPercentEncoded(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
