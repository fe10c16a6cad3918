import { once } from 'node:events';
import { Server } from 'node:net';
import { format } from 'node:util';
import { vi } from 'vitest';

/**
 * Runs a module as a reader would, and answers what it printed.
 *
 * Whatever address it listens on becomes a free port of 127.0.0.1, requests to the port that it named go there, and
 * every server is ended afterwards.
 */
export async function runExample(path: string): Promise<readonly string[]> {
  const printed: string[] = [];
  const servers = new Map<number, Server>();
  const { listen } = Server.prototype;
  const { fetch } = globalThis;
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => void printed.push(format(...values)));
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...given: unknown[]) {
    servers.set(typeof given[0] === 'number' ? given[0] : 0, this);
    const listening = given.find((each) => typeof each === 'function') as (() => void) | undefined;
    return listen.call(this, { port: 0, host: '127.0.0.1' }, listening);
  });
  vi.stubGlobal('fetch', async (address: string | URL, init?: RequestInit) => {
    const url = new URL(address);
    const server = servers.get(Number(url.port));
    if (server?.listening === false) await once(server, 'listening');
    const bound = server?.address();
    if (typeof bound === 'object' && bound !== null) url.port = String(bound.port);
    return fetch(url, init);
  });
  try {
    await import(path);
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    await Promise.all(Array.from(servers.values(), ended));
  }
  return printed;
}

function ended(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) (server as Server & { closeAllConnections(): void }).closeAllConnections();
  });
}
