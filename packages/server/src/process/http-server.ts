import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnavailableError } from '../exit-codes.js';

/** How long a client may take; a slow one holds a connection, and nothing else, until then. Milliseconds. */
const patience = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /** Longer than the usual minute of load balancers: they should be the ones that hang up. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

/**
 * An HTTP server with limits against slow clients; does not listen yet.
 *
 * @param application may be made once the server listens; what is asked before waits for it
 */
export function httpServer(application: RequestListener | Promise<RequestListener>): Server {
  let answer: RequestListener = (request, response) => {
    void Promise.resolve(application).then((made) => {
      made(request, response);
    });
  };
  void Promise.resolve(application).then((made) => (answer = made));
  return createServer(patience, (request, response) => {
    request.url = originForm(request.url ?? '*');
    answer(request, response);
  });
}

/**
 * The target of a request as a path (RFC 9112, section 3.2.2): clients of proxies send whole addresses. Express would
 * answer one that it cannot read, such as `http://[`, with a page of HTML and past the log; `*` is no path of anything.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const address = URL.canParse(target) ? new URL(target) : undefined;
  const isHttp = address !== undefined && ['http:', 'https:'].includes(address.protocol);
  return isHttp ? `${address.pathname}${address.search}` : '*';
}

const refusals: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is in use by another process'],
  ['EACCES', 'may not be used by this user'],
  ['EADDRNOTAVAIL', 'is not an address of this machine'],
  ['ENOTFOUND', 'is not an address of this machine'],
]);

/**
 * Listens, and answers the port that it got.
 *
 * @throws UnavailableError when the address is taken or is none of this machine
 */
export function listen(server: Server, port: number, host: string, variables = 'PORT, HOST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (fault: NodeJS.ErrnoException): void => {
      const refusal = refusals.get(fault.code);
      reject(refusal === undefined ? fault : new UnavailableError(`port ${port} on ${host} ${refusal} (${variables})`));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * A port that is free now.
 *
 * @throws UnavailableError when the host is no address of this machine
 */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0, host);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The address of a listening server, as a client on the same machine writes it. The zone of an address has no place in it. */
export function localAddress(host: string, port: number): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const name = everywhere[host] ?? (host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host);
  return `http://${name}:${port}`;
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
