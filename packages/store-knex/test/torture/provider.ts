import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A send that reached the provider. */
export interface Arrival {
  readonly key: string;
  readonly type: string;
  /** When the worker began to send, epoch milliseconds; all processes share the machine's clock. */
  readonly began: number;
  readonly answer: 'accepted' | 'refused' | 'dropped';
}

/** A provider that refuses 8 of 100 sends with 503, and takes 4 of 100 and then breaks the connection. */
export interface UnreliableProvider {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  close(): Promise<void>;
}

export async function unreliableProvider(): Promise<UnreliableProvider> {
  const arrivals: Arrival[] = [];
  let count = 0;
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { key, type, began } = JSON.parse(body) as Omit<Arrival, 'answer'>;
      count += 1;
      const turn = (count * 37) % 100;
      const answer = turn < 8 ? 'refused' : turn < 12 ? 'dropped' : 'accepted';
      arrivals.push({ key, type, began, answer });
      if (answer === 'dropped') request.socket.destroy();
      else response.writeHead(answer === 'refused' ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
