import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Which way a packet goes. */
export type Way = 'to the server' | 'from the server';

/** A network between a store and its database server, which the test breaks. */
export interface BreakingNetwork {
  /** Address of the database through this network. */
  readonly url: string;
  /** From here on a connection that has sent this gets no answer any more, though the server does what it was asked. */
  loseAnswersTo(sent: RegExp): void;
  /**
   * From here on nothing passes, and nobody is told: connections stay open, new ones are taken, as by a firewall that
   * forgot what it let through. What was open then never passes anything again, also after `passAgain`.
   */
  fallSilent(): void;
  passAgain(): void;
  /** From here on new connections lead to the server at this port of the same host; those that are open stay. */
  turnTo(port: number): void;
  /** Connections to the network that are open. */
  open(): number;
  /** Breaks every connection. */
  cut(): void;
  /** Breaks every connection in the place of passing on the n-th packet from here on that goes this way. */
  cutAt(way: Way, packet: number): void;
  /** Passes on every packet again; tells whether one was met by `cutAt`. */
  wasCut(): boolean;
  /** Breaks every connection and lets none through until `comeBack`, as a server does that restarts. */
  goDown(): void;
  comeBack(): void;
  /** Ends it. */
  close(): Promise<void>;
}

/** Opens a network to the server of a database. */
export async function breakingNetwork(databaseUrl: string): Promise<BreakingNetwork> {
  const url = new URL(databaseUrl);
  let target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const nears = new Set<Socket>();
  let lost: RegExp | undefined;
  let isDown = false;
  let isSilent = false;
  let awaited: { readonly way: Way; packetsLeft: number } | undefined;
  /** Sockets that were open while nothing passed. */
  const forgotten = new WeakSet<Socket>();

  const keep = (socket: Socket, other: () => Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other().destroy();
    });
  };
  const cut = (): void => {
    lost = undefined;
    for (const socket of sockets) socket.destroy();
  };

  /** Tells whether a packet is the one at which everything breaks; then it has. */
  const breaksAt = (way: Way): boolean => {
    if (awaited?.way !== way || awaited.packetsLeft === 0) return false;
    awaited.packetsLeft -= 1;
    if (awaited.packetsLeft > 0) return false;
    cut();
    return true;
  };

  const server = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far: Socket = connect(target);
    if (isSilent) forgotten.add(near);
    keep(near, () => far);
    keep(far, () => near);
    let sent = '';
    let answers = true;
    nears.add(near);
    near.on('close', () => nears.delete(near));
    near.on('data', (part) => {
      if (forgotten.has(near) || breaksAt('to the server')) return;
      sent += part.toString('latin1');
      if (lost?.test(sent) === true) answers = false;
      far.write(part);
    });
    far.on('data', (part) => {
      if (answers && !forgotten.has(near) && !breaksAt('from the server')) near.write(part);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseAnswersTo: (pattern) => void (lost = pattern),
    fallSilent: () => {
      isSilent = true;
      for (const near of nears) forgotten.add(near);
    },
    passAgain: () => void (isSilent = false),
    turnTo: (port) => void (target = { ...target, port }),
    open: () => nears.size,
    cut,
    cutAt: (way, packet) => void (awaited = { way, packetsLeft: packet }),
    wasCut: () => {
      const met = awaited?.packetsLeft === 0;
      awaited = undefined;
      return met;
    },
    goDown: () => {
      isDown = true;
      cut();
    },
    comeBack: () => void (isDown = false),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        cut();
      }),
  };
}
