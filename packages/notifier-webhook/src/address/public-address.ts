import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

const azurePlatform = '168.63.129.16';
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Tells whether an IP address leads out to the public internet.
 *
 * Takes the plain spelling only, as a name server or a parsed URL has it: whatever else is not public. So is every range
 * of the special-purpose registries (RFC 6890), each that carries an IPv4 address inside an IPv6 one (mapped, 6to4,
 * NAT64, Teredo, ISATAP), and what clouds answer their metadata on.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return address !== azurePlatform;
  // What ipaddr.js takes for ordinary outside of the space given out so far: `::127.0.0.1` among others (RFC 4291, 2.4).
  return parsed.match(globalUnicast) && !isIsatap(parsed);
}

/** An interface identifier with an IPv4 address in it, below any prefix (RFC 5214, section 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
}
