import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';

/** How long requests under way may take once the server stops, in milliseconds. */
const maxDrain = 8_000;

/**
 * How long a connection without a request stays open once the server stops, in milliseconds: longer than a message
 * takes to almost any client and back.
 *
 * A client that has had its answer may have sent the next request already. Were the connection closed at once, that
 * request would meet a reset, and the client could not know whether it was done.
 */
const patience = 500;

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
        if (this.#draining) this.#letGoOf(socket);
      });
    });
  }

  /**
   * Takes no new connection, finishes every request that has been received or comes within half a second, and resolves
   * when the last one is answered; after eight seconds it hangs up on the rest, and answers on how many.
   */
  async drain(): Promise<number> {
    this.#draining = true;
    const closed = once(this.#server, 'close');
    // That of `http.Server` would hang up on idle connections at once.
    Listener.prototype.close.call(this.#server);
    for (const [socket, responses] of this.#underWay) {
      this.#letGoOf(socket);
      for (const response of responses) letGoAfter(response);
    }
    let unfinished = 0;
    const hangUp = setTimeout(() => {
      for (const [socket, responses] of this.#underWay) {
        if (responses.size > 0) unfinished += 1;
        socket.destroy();
      }
    }, maxDrain);
    await closed;
    clearTimeout(hangUp);
    return unfinished;
  }

  /** After a while, unless it carries a request by then: with the answer to that it is closed. */
  #letGoOf(socket: Socket): void {
    setTimeout(() => {
      if (this.#underWay.get(socket)?.size === 0) socket.destroySoon();
    }, patience);
  }
}

/** Tells the client not to send another request on the same connection. */
function letGoAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
