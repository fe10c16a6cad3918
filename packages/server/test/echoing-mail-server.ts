import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server that takes one mail, and refuses every further one by repeating the address and what it was told. */
export interface EchoingMailServer {
  readonly url: string;
  /** The mail that it took, once it is whole; nothing before. */
  taken(): string;
  /** How many recipients it has refused. */
  refused(): number;
  close(): void;
}

export async function echoingMailServer(): Promise<EchoingMailServer> {
  let mail = '';
  let lines: string[] = [];
  let refusals = 0;
  const server = createServer((socket) => {
    let isData = false;
    let isRefusing = false;
    socket.on('error', () => undefined);
    socket.write('220 mail.test\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (isData) {
        if (line === '.') {
          isData = false;
          mail = lines.join('\n');
          socket.write('250 taken\r\n');
        } else lines.push(line);
      } else if (/^(EHLO|HELO)/i.test(line)) socket.write('250 mail.test\r\n');
      else if (/^MAIL/i.test(line)) socket.write('250 go on\r\n');
      else if (/^RCPT/i.test(line)) {
        isRefusing = mail !== '';
        if (isRefusing) refusals += 1;
        socket.write(isRefusing ? `550 5.1.1 ${line.slice(8)} is unknown here (${line})\r\n` : '250 go on\r\n');
      } else if (/^DATA/i.test(line)) {
        isData = !isRefusing;
        lines = [];
        socket.write(isRefusing ? '503 no recipient\r\n' : '354 go on\r\n');
      } else if (/^RSET/i.test(line)) socket.write('250 go on\r\n');
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    taken: () => mail,
    refused: () => refusals,
    close: () => void server.close(),
  };
}
