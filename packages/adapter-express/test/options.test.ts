import { createScheduling } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { schedulingRouter, type SchedulingRouterOptions } from '../src/index.js';

const scheduling = createScheduling({ store: memoryStore(), secret: 'a secret of at least thirty-two bytes' });

it('the router refuses at start to ask the host who calls where the host says nothing', () => {
  const routerWith = (options: SchedulingRouterOptions) => () => schedulingRouter(scheduling, options);
  expect(routerWith({ authentication: 'host' })).toThrow(/^options\.caller: is required with authentication: 'host'; /);
  expect(routerWith({ authentication: 'host', caller: () => undefined })).not.toThrow();
  expect(routerWith({ authentication: { verify: () => undefined } })).not.toThrow();
});

it.each([[undefined], [null], [{}]])('the router refuses the options %j and says what is missing', (options) => {
  expect(() => schedulingRouter(scheduling, options as SchedulingRouterOptions)).toThrow(
    new TypeError('options.authentication: is required.'),
  );
});

/** The answer to a count through a router with these options. */
const countOf = async (options: SchedulingRouterOptions): Promise<Response> => {
  const app = express().use(schedulingRouter(scheduling, options));
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const query = 'applicationId=a&organizationId=o&start=2030-01-01T00:00:00Z&timeFrame=P1D';
    return await fetch(`http://127.0.0.1:${String(port)}/api/v2/appointments/count?${query}`);
  } finally {
    server.close();
  }
};

const verifier = { verify: () => undefined };

it.each<[string, object]>([
  ['of its own', { authentication: { verify: () => undefined }, countAuht: 'none' }],
  ['that it inherits', Object.create({ authentication: { verify: () => undefined }, countAuht: 'none' }) as object],
])('the router refuses a misspelt option %s', (_what, options) => {
  expect(() => schedulingRouter(scheduling, options as SchedulingRouterOptions)).toThrow(
    new TypeError('options: unknown option countAuht; did you mean countAuth?'),
  );
});

class OptionsOfHost {
  get authentication() {
    return verifier;
  }

  get countAuth() {
    return 'none' as const;
  }

  get requestIdHeader() {
    return 'x-host';
  }
}

const defaults = { authentication: verifier, countAuth: 'none', requestIdHeader: 'x-host' } as const;

it.each<[string, SchedulingRouterOptions]>([
  ['their own', { ...defaults }],
  ['inherited', Object.create(defaults) as SchedulingRouterOptions],
  ['getters of a class', new OptionsOfHost()],
])('the router takes options that are %s', async (_how, options) => {
  const { status, headers } = await countOf(options);
  expect([status, headers.has('x-host')]).toEqual([200, true]);
});

it('the router names an option that is misspelt', () => {
  const options = { authentication: verifier, countAut: 'none' };
  expect(() => schedulingRouter(scheduling, options)).toThrow('unknown option countAut; did you mean countAuth?');
});
