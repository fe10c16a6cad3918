import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the client has just done. */
export type Step = 'CONNECT' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'BODY' | 'END';

/** A reply, without its line end; or the connection is dropped; or nothing is ever said; or a reply and then the end. */
export type Answer = string | { readonly then: 'drop' | 'silence' } | { readonly last: string };

export const drop: Answer = { then: 'drop' };
export const silence: Answer = { then: 'silence' };

/** A server of which every answer is chosen: for what no real one can be made to do. */
export interface ScriptedServer {
  readonly url: string;
  /** Commands as they came. */
  readonly commands: readonly string[];
  /** Resolves when the client has got as far. */
  reached(step: Step): Promise<void>;
  /** Resolves when no connection is left. */
  hungUp(): Promise<void>;
}

const usual: Readonly<Partial<Record<Step, Answer>>> = {
  CONNECT: '220 scripted ESMTP',
  EHLO: '250 scripted',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 Go on',
  END: '250 2.0.0 Ok: queued for zoe@customer.example',
};

/** Starts the server; it ends with the test. */
export async function startScriptedServer(script: Partial<Record<Step, Answer>>): Promise<ScriptedServer> {
  const answers = { ...usual, ...script };
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      server.emit('hung up');
    });
    serve(socket);
  });

  const serve = (socket: Socket): void => {
    let pending = '';
    let inMail = false;
    const answer = (step: Step): void => {
      server.emit(`step ${step}`);
      const said = answers[step];
      if (said === drop) socket.resetAndDestroy();
      else if (typeof said === 'string') socket.write(`${said}\r\n`);
      else if (said !== undefined && 'last' in said) socket.end(`${said.last}\r\n`);
      if (step === 'DATA' && typeof said === 'string' && said.startsWith('3')) inMail = true;
    };
    const take = (): boolean => {
      const end = inMail ? '\r\n.\r\n' : '\r\n';
      const at = pending.indexOf(end);
      if (at === -1) return false;
      const line = pending.slice(0, at);
      pending = pending.slice(at + end.length);
      if (inMail) {
        inMail = false;
        answer('END');
        return true;
      }
      commands.push(line);
      const [step = ''] = line.split(/[ :]/);
      answer(step as Step);
      return true;
    };
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      if (inMail && answers.BODY !== undefined) answer('BODY');
      while (take());
    });
    answer('CONNECT');
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `smtp://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    commands,
    reached: async (step) => {
      await once(server, `step ${step}`);
    },
    hungUp: async () => {
      while (sockets.size > 0) await once(server, 'hung up');
    },
  };
}
