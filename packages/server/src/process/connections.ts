import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests under way may take once the server stops, in milliseconds. */
const maxDrain = 8_000;

/**
 * Knows which connections of a server carry a request that is under way, so that the others can be let go.
 *
 * `server.closeIdleConnections()` is not enough: to Node a connection that has not sent anything yet is not idle, and
 * browsers keep such ones in reserve.
 */
export class Connections {
  readonly #server: Server;
  readonly #underWay = new Map<Socket, Set<ServerResponse>>();
  #draining = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#underWay.set(socket, new Set());
      socket.once('close', () => this.#underWay.delete(socket));
    });
    // Before the application, which may answer at once.
    server.prependListener('request', ({ socket }, response) => {
      const responses = this.#underWay.get(socket);
      if (this.#draining) letGoAfter(response);
      responses?.add(response);
      response.once('close', () => {
        responses?.delete(response);
        if (this.#draining && responses?.size === 0) socket.destroySoon();
      });
    });
  }

  /**
   * Takes no new connection, finishes every request that has been received, and resolves when the last one is answered;
   * after eight seconds it hangs up on the rest, and answers on how many.
   */
  async drain(): Promise<number> {
    this.#draining = true;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const [socket, responses] of this.#underWay) {
      if (responses.size === 0) socket.destroySoon();
      for (const response of responses) letGoAfter(response);
    }
    let unfinished = 0;
    const hangUp = setTimeout(() => {
      unfinished = this.#underWay.size;
      for (const socket of this.#underWay.keys()) socket.destroy();
    }, maxDrain);
    await closed;
    clearTimeout(hangUp);
    return unfinished;
  }
}

/** Tells the client not to send another request on the same connection. */
function letGoAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
