import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { AddressRefused, CheckedConnector, systemResolve } from './checked-connector.js';

/** Connects, ends the connection, and answers the port that it led to, or why there was none. */
async function connected(connector: CheckedConnector, hostname: string, port: number): Promise<unknown> {
  const outcome = await new Promise((resolve) => {
    connector.connect({ hostname, protocol: 'http:', port: String(port) }, (error, socket) =>
      resolve(error ?? socket.remotePort),
    );
  });
  connector.close();
  return outcome;
}

describe('CheckedConnector', () => {
  const options = { resolve: systemResolve, connectTimeout: 5_000 };

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.1', '0x7f000001', '2130706433', 'localhost'])(
    'CheckedConnector itself refuses %s, which undici would connect to',
    async (hostname) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      let connections = 0;
      server.on('connection', () => (connections += 1));
      const { port } = server.address() as AddressInfo;
      const connector = new CheckedConnector({ ...options, allowPrivateNetwork: false });
      expect(await connected(connector, hostname, port)).toBeInstanceOf(AddressRefused);
      expect(connections).toBe(0);
      server.close();
    },
  );

  it('CheckedConnector reaches them where that is allowed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connector = new CheckedConnector({ ...options, allowPrivateNetwork: true });
    expect(await connected(connector, 'localhost', port)).toBe(port);
    server.close();
  });
});
