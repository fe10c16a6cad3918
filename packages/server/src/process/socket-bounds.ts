import { limitedSource } from '@calends/core/operations';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections a server holds, and what each may do. */
export interface SocketBounds {
  /** Connections at a time; further ones are closed at once. */
  readonly maxConnections: number;
  /**
   * Connections at a time from one public address, IPv6 by its first 64 bits. Absent behind proxies: there all connections
   * come from a few.
   */
  readonly maxPerAddress?: number | undefined;
  /** After so many requests a connection is closed, so that no client keeps to one process for ever. */
  readonly maxRequests: number;
  /** How long a connection may say nothing before its first request, in milliseconds. */
  readonly silence: number;
  /** How long nothing may move on it while a request is under way, as when the client does not read the answer, in milliseconds. */
  readonly stillness: number;
}

/** One address may hold one part in so many of all connections. */
const parts = 4;
const maxRequests = 1000;
const silence = 15_000;
/** Longer than a request may take to come in, and its answer to begin. */
const stillness = 60_000;

/** The bounds for a number of connections, behind so many proxies. */
export function socketBounds(maxConnections: number, trustProxy: number): SocketBounds {
  const maxPerAddress = trustProxy === 0 ? Math.max(1, Math.floor(maxConnections / parts)) : undefined;
  return { maxConnections, maxPerAddress, maxRequests, silence, stillness };
}

/** Holds a server to its bounds, from its next connection on. */
export function boundSockets(server: Server, bounds: SocketBounds): void {
  const { maxPerAddress = Infinity } = bounds;
  const open = new Map<string, number>();
  server.maxConnections = bounds.maxConnections;
  server.maxRequestsPerSocket = bounds.maxRequests;
  server.prependListener('connection', (socket: Socket) => {
    const source = limitedSource(socket.remoteAddress);
    if (source !== undefined) {
      const held = open.get(source) ?? 0;
      if (held >= maxPerAddress) {
        socket.destroy();
        return;
      }
      open.set(source, held + 1);
      socket.once('close', () => {
        const left = (open.get(source) ?? 1) - 1;
        if (left === 0) open.delete(source);
        else open.set(source, left);
      });
    }
    // Node hangs up on what sends a head too slowly, and not on what sends nothing at all.
    socket.setTimeout(bounds.silence);
  });
  server.prependListener('request', ({ socket }) => {
    socket.setTimeout(bounds.stillness);
  });
}
