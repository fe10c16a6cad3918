import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Scheduling } from '@calends/core';
import { fetchHandler, nodeHandler, schedulingHttp } from '@calends/http';
import express5, { type Express } from 'express';
import express4 from 'express4';
import type { RequestListener } from 'node:http';
import { schedulingRouter, type SchedulingRouter, type SchedulingRouterOptions } from '../../src/index.js';

/** What every door takes; none of the tests needs more. */
export type DoorOptions = Omit<SchedulingRouterOptions, 'caller'>;

/** One of the ways in which requests reach the services. */
export type Door = (scheduling: Scheduling, options: DoorOptions) => RequestListener;

/** An application of Express, and how the router is mounted in it. */
interface ExpressHost {
  readonly express?: () => Express;
  readonly mount?: string;
  readonly build?: (app: Express, router: SchedulingRouter, mount: string) => void;
}

/** The router in an application of Express, by default of Express 5 and at its root. */
export function expressDoor({ express = express5, mount = '/', build = mountRouter }: ExpressHost = {}): Door {
  return (scheduling, options) => {
    const app = express();
    build(app, schedulingRouter(scheduling, options), mount);
    return (request, response) => {
      app(request, response);
    };
  };
}

function mountRouter(app: Express, router: SchedulingRouter, mount: string): void {
  app.use(mount, router);
}

const nodeDoor: Door = (scheduling, { trustProxy, ...options }) => {
  const handle = nodeHandler(schedulingHttp(scheduling, options), { trustProxy });
  return (request, response) => {
    handle(request, response, () => response.writeHead(404).end());
  };
};

/** Over the server that Hono has for Node. */
const fetchDoor: Door = (scheduling, { trustProxy, ...options }) => {
  const handle = fetchHandler(schedulingHttp(scheduling, options), {
    trustProxy,
    address: (_request: Request, { incoming }: HttpBindings) => incoming.socket.remoteAddress,
  });
  const listener = getRequestListener(
    async (request, bindings) =>
      (await handle(request, bindings as HttpBindings)) ?? new Response(null, { status: 404 }),
    { overrideGlobalObjects: false },
  );
  return (request, response) => void listener(request, response);
};

/** Every door by its name. */
export const doors = {
  'Express 5': expressDoor(),
  'Express 4.21': expressDoor({ express: express4 }),
  'node:http': nodeDoor,
  fetch: fetchDoor,
} as const satisfies Readonly<Record<string, Door>>;
