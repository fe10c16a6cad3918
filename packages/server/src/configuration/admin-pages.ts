/** Where the pages for the inside are (metrics, reference, readiness in detail): on the public port, nowhere, or apart. */
export type AdminPages = 'public' | 'off' | { readonly host: string; readonly port: number };

const address = /^(?:(?<host>\[[\da-f:]+\]|[\w.-]+):)?(?<port>\d{1,5})$/i;

/** `public`, `off`, `<port>` (on 127.0.0.1) or `<address>:<port>`; `undefined` for anything else. */
export function parseAdminPages(given: string): AdminPages | undefined {
  if (given === 'public' || given === 'off') return given;
  const { host = '127.0.0.1', port = '' } = address.exec(given)?.groups ?? {};
  return port === '' || Number(port) > 65_535 ? undefined : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
