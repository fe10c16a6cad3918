/** Where the pages for the inside are (metrics, reference, readiness in detail): on the public port, nowhere, or apart. */
export type AdminPages = 'public' | 'off' | { readonly host: string; readonly port: number };

/** Whether a port of one host is one of the other as well. `::` takes IPv4 too. */
export function shareAddress(one: string, other: string): boolean {
  const hosts = [one, other].map((host) => (host.toLowerCase() === 'localhost' ? '127.0.0.1' : host.toLowerCase()));
  const isEveryIpv4 = hosts.includes('0.0.0.0') && !hosts.some((host) => host.includes(':'));
  return hosts[0] === hosts[1] || hosts.includes('::') || isEveryIpv4;
}

const address = /^(?:(?<host>\[[\da-f:]+\]|[\w.-]+):)?(?<port>\d{1,5})$/i;

/** `public`, `off`, `<port>` (on 127.0.0.1) or `<address>:<port>`; `undefined` for anything else. */
export function parseAdminPages(given: string): AdminPages | undefined {
  if (given === 'public' || given === 'off') return given;
  const { host = '127.0.0.1', port = '' } = address.exec(given)?.groups ?? {};
  return port === '' || Number(port) > 65_535 ? undefined : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
