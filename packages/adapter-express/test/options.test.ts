import { createScheduling } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
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
