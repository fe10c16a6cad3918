import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeHandler } from '../src/index.js';
import { agent, base, bearer, creation, services } from './support/services.js';

const open: { close(): unknown }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** How an exchange ended for its client. */
async function endOf(address: string, method = 'GET'): Promise<string> {
  const body = method === 'POST' ? JSON.stringify(creation) : null;
  const headers = { ...bearer, 'content-type': 'application/json' };
  try {
    return await (await fetch(address, { method, headers, body, signal: AbortSignal.timeout(5000) })).text();
  } catch (fault) {
    return (fault as Error).name === 'TimeoutError' ? 'never' : 'hung up';
  }
}

const beginnings: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['flushHeaders', (response) => response.flushHeaders()],
  ['writeHead', (response) => void response.writeHead(200)],
  ['write', (response) => void response.write('x')],
];

describe('A request whose answer the host has begun', () => {
  it.each(beginnings)(
    'a request whose answer the host has begun is hung up on, told once, and not carried out: by %s',
    async (_how, begin) => {
      const faults: unknown[] = [];
      const begun: string[] = [];
      const onFault = (fault: unknown): void => void faults.push(fault);
      const handle = nodeHandler(services({ onRoute: (route) => begun.push(route), onFault }));
      const address = await serve((message, response) => {
        begin(response);
        handle(message, response);
      });
      expect(await endOf(address + base, 'POST')).toBe('hung up');
      expect(faults.map(String)).toEqual([expect.stringMatching(/^Error: The host began an answer of its own/)]);
      expect(begun).toEqual([]);
    },
  );

  it.each(beginnings)(
    'a request whose answer the host has begun while it was carried out is hung up on, and told once: by %s',
    async (_how, begin) => {
      const faults: unknown[] = [];
      let late: ServerResponse | undefined;
      const verify = async () => {
        if (late !== undefined) begin(late);
        return agent;
      };
      const handle = nodeHandler(services({ authentication: { verify }, onFault: (fault) => void faults.push(fault) }));
      const address = await serve((message, response) => {
        late = response;
        handle(message, response);
      });
      expect(await endOf(`${address}${base}?applicationId=app-1`)).toBe('hung up');
      expect(faults).toHaveLength(1);
    },
  );

  it('a request whose answer the host has begun and ended keeps that answer, and is not carried out', async () => {
    const faults: unknown[] = [];
    const begun: string[] = [];
    const handle = nodeHandler(
      services({ onRoute: (route) => begun.push(route), onFault: (fault) => void faults.push(fault) }),
    );
    const address = await serve((message, response) => {
      response.end('mine');
      handle(message, response);
    });
    expect(await endOf(address + base, 'POST')).toBe('mine');
    expect([begun, faults]).toEqual([[], []]);
  });

  it('a request whose answer the host has begun throws nothing at the process where its path is nobody’s', async () => {
    const handle = nodeHandler(services());
    const thrown: unknown[] = [];
    const address = await serve((message, response) => {
      response.flushHeaders();
      try {
        handle(message, response);
      } catch (fault) {
        thrown.push(fault);
        response.destroy();
      }
    });
    expect(await endOf(`${address}/health`)).toBe('hung up');
    expect(thrown).toEqual([]);
  });
});
