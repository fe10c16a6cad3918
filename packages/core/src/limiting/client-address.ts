import ipaddr from 'ipaddr.js';

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
  if (address === undefined) return undefined;
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
