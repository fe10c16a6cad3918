import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A mail as the server took it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** A real SMTP server on this machine that keeps what it takes. */
export interface MailServer {
  readonly port: number;
  readonly url: string;
  readonly mails: readonly TakenMail[];
  /** Connections that were ever made. */
  readonly connections: number;
  /** Resolves when the clients have closed every connection. */
  empty(): Promise<void>;
  /** Ends the server, so that its port is nobody's. */
  end(): Promise<void>;
}

/** Starts the server; it ends with the test. Offers no STARTTLS and no login unless told to. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: TakenMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) });
        done();
      });
    },
    ...options,
  });
  // A client that hangs up is what some tests are about.
  server.on('error', () => undefined);
  const open = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      server.server.emit('hung up');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  onTestFinished(end);
  return {
    port,
    url: `smtp://127.0.0.1:${String(port)}`,
    mails,
    get connections() {
      return connections;
    },
    empty: async () => {
      while (open.size > 0) await once(server.server, 'hung up');
    },
    end,
  };
}

/** An error that the server answers with this code. */
export function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
