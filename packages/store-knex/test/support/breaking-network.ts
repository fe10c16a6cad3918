import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between a store and its database server, which the test breaks. */
export interface BreakingNetwork {
  /** Address of the database through this network. */
  readonly url: string;
  /** From here on a connection that has sent this gets no answer any more, though the server does what it was asked. */
  loseAnswersTo(sent: RegExp): void;
  /** Breaks every connection. */
  cut(): void;
  /** Breaks every connection and lets none through until `comeBack`, as a server does that restarts. */
  goDown(): void;
  comeBack(): void;
  /** Ends it. */
  close(): Promise<void>;
}

/** Opens a network to the server of a database. */
export async function breakingNetwork(databaseUrl: string): Promise<BreakingNetwork> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let lost: RegExp | undefined;
  let isDown = false;

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

  const server = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far: Socket = connect(target);
    keep(near, () => far);
    keep(far, () => near);
    let sent = '';
    let answers = true;
    near.on('data', (part) => {
      sent += part.toString('latin1');
      if (lost?.test(sent) === true) answers = false;
      far.write(part);
    });
    far.on('data', (part) => {
      if (answers) near.write(part);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseAnswersTo: (pattern) => void (lost = pattern),
    cut,
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
