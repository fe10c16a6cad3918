import { createScheduling } from '@calends/core';
import { createApplication, createLog } from '@calends/server';
import { memoryStore } from '@calends/store-memory';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signToken } from '../../packages/server/src/secrets/sign-token.js';
import { readAssignments, readCurl } from './curl.js';
import { codeBlocks, read } from './documents.js';

const secret = 'a secret of at least thirty-two bytes';
const blocks = codeBlocks(read('docs/guides/getting-started.md')).filter(({ language }) => language === 'sh');
const commands = blocks.filter(({ code }) => code.startsWith('curl'));

/** The variables that the reader sets on the way. */
const variables: Record<string, string> = Object.assign({}, ...blocks.map(({ code }) => readAssignments(code)));

let server: Server;

beforeAll(async () => {
  const scheduling = createScheduling({ store: memoryStore(), secret });
  const log = createLog('silent');
  const application = createApplication({
    scheduling,
    authentication: { secret },
    publicUrl: undefined,
    log,
    isStopping: () => false,
  });
  await new Promise<void>((resolve) => (server = createServer(application).listen(0, '127.0.0.1', () => resolve())));
  const signing = { secret, expected: {}, validFor: 60_000 };
  for (const [name, sub, role] of [
    ['AGENT', 'agent-1', 'ROLE_AGENT'],
    ['SUPERVISOR', 'supervisor-1', 'ROLE_SUPERVISOR'],
  ] as const) {
    variables[name] = await signToken({ sub, roles: [role], organizationId: 'org-1' }, signing);
  }
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe('the commands of "Getting started" work one after the other', () => {
  it('the commands of "Getting started" work one after the other tells the reader to set every variable that a command uses', () => {
    const used = commands.flatMap(({ code }) => Array.from(code.matchAll(/\$(\w+)/g), ([, name = '']) => name));
    expect(new Set(used)).toEqual(new Set(Object.keys(variables)));
  });

  it.each(commands)('the command in line $line of "Getting started" works after those before it', async ({ code }) => {
    const { url, status, ...request } = readCurl(code, variables);
    const { port } = server.address() as AddressInfo;
    const { method, headers, body } = request;
    const answer = await fetch(url.replace('127.0.0.1:3000', `127.0.0.1:${String(port)}`), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const content = await answer.text();
    expect(answer.status === (status ?? answer.status) && answer.ok === (status === undefined), content).toBe(true);
    const made: unknown = content === '' ? undefined : JSON.parse(content);
    if (method === 'POST' && typeof made === 'object' && made !== null && 'id' in made) {
      variables['ID'] = String(made.id);
    }
  });
});
