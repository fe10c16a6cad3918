import {
  CalendsError,
  type ConfiguredApplication,
  createScheduling,
  type DomainEvent,
  type Role,
  type Scheduling,
  type SchedulingOptions,
} from '@calends/core';
import type { SchedulingStore } from '@calends/core/store';
import type { WebhookEndpoint } from '@calends/core/notifier';
import type { SecurityEvent } from '@calends/core/operations';
import { jwtVerifier } from '@calends/http';
import { memoryStore } from '@calends/store-memory';
import type { Express } from 'express';
import { SignJWT } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SchedulingRouter, SchedulingRouterOptions } from '../../src/index.js';
import { type Call, exchange, type Reply } from './client.js';
import { checkAnswer } from './contract-check.js';
import { controlledStore, type ControlledStore } from './controlled-store.js';
import { type Door, expressDoor } from './doors.js';

/** An empty store of its own, for one suite. */
export interface OpenedStore {
  readonly store: SchedulingStore;
  /** How requests reach the services over this store. Default: the router in Express 5. */
  readonly door?: Door;
  close(): Promise<void>;
}

/** Opens a store that nobody has written to. */
export type OpenStore = () => Promise<OpenedStore>;

export const openMemoryStore: OpenStore = () =>
  Promise.resolve({ store: memoryStore(), close: () => Promise.resolve() });

/** 1 January 2030, 08:00 UTC. */
export const start = Date.UTC(2030, 0, 1, 8);
export const secret = 'a secret of the tests that has more than 32 bytes';

/** Claims of a token. */
export interface Person {
  readonly sub: string;
  readonly roles: readonly Role[];
  readonly organizationId: string;
  readonly [claim: string]: unknown;
}

const inOrganization = (sub: string, role: Role): Person => ({ sub, roles: [role], organizationId: 'org-1' });

type PersonName = 'agent' | 'otherAgent' | 'supervisor' | 'service' | 'customer' | 'admin' | 'foreign' | 'foreignAgent';

const everyStaffRole: readonly Role[] = ['ROLE_AGENT', 'ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE'];

/** Who sends requests; `foreign` is the namesake of an agent in another organization. */
export const people: Readonly<Record<PersonName, Person>> = {
  agent: inOrganization('agent-1', 'ROLE_AGENT'),
  otherAgent: inOrganization('agent-2', 'ROLE_AGENT'),
  supervisor: inOrganization('supervisor-1', 'ROLE_SUPERVISOR'),
  service: inOrganization('service-1', 'ROLE_CLIENT_SERVICE'),
  customer: inOrganization('customer-1', 'ROLE_CUSTOMER'),
  admin: inOrganization('admin-1', 'ROLE_ADMIN'),
  foreign: { sub: 'agent-1', roles: everyStaffRole, organizationId: 'org-2' },
  foreignAgent: { sub: 'agent-9', roles: ['ROLE_AGENT'], organizationId: 'org-2' },
};

const provider = { type: 'PROVIDERA_CLOUD_FLOW', deploymentId: 'd-1' } as const;

const hookEndpoint = (id: string): WebhookEndpoint => ({
  id,
  label: id.toUpperCase(),
  url: `https://${id}.example/`,
  secret: `whsec_${'A'.repeat(32)}`,
});

/** `app-1` has the defaults with known agents; the others differ in what their names say. */
export const applications: Readonly<Record<string, ConfiguredApplication>> = {
  'app-1': { organizationId: 'org-1', agents: ['agent-1', 'agent-2', 'agent-3'], defaultAgent: 'agent-3' },
  'app-open': {
    organizationId: 'org-1',
    agentsSeeOnlyOwnAppointments: false,
    agentReassignmentEnabled: true,
    agents: ['agent-1', 'agent-2'],
  },
  'app-guarded': { organizationId: 'org-1', overlap: { mode: 'agent', buffer: 0 } },
  'app-routed': { organizationId: 'org-1', routing: provider },
  'app-foreign': { organizationId: 'org-2' },
  'app-notified': {
    organizationId: 'org-1',
    notifications: {
      active: true,
      email: { from: 'no-reply@clinic.example' },
      webhooks: [hookEndpoint('crm')],
    },
  },
  'app-hooked': { organizationId: 'org-1', notifications: { webhooks: [hookEndpoint('crm'), hookEndpoint('erp')] } },
};

/** Codes that the verifier of the tests knows besides `123456`, which may be used once per user name. */
export const otpCodes = { right: '123456', fault: '500500', busy: '503503' } as const;

/** Tokens that make the verifier fail instead of refusing. */
export const faultyTokens = { fault: 'fault', busy: 'busy' } as const;

/** How a host differs from the usual one. */
export interface HostOptions {
  readonly open?: OpenStore;
  readonly http?: Partial<SchedulingRouterOptions>;
  /** How requests reach the services. Default: that of the store. */
  readonly door?: Door;
  readonly mount?: string;
  /** Sets the application up, with the router to mount. Default: `app.use(mount, router)`. */
  readonly build?: (app: Express, router: SchedulingRouter, mount: string) => void;
  /** Makes the application. Default: Express 5. */
  readonly express?: () => Express;
  /** Where its ids begin to count, so that two hosts over one store make different ones. Default 0. */
  readonly firstId?: number;
  /** Applications, notifiers and the like in place of the usual ones. */
  readonly scheduling?: Partial<SchedulingOptions>;
}

/** A server with the router in it, and everything that a test may look at. */
export interface Host {
  readonly port: number;
  readonly scheduling: Scheduling;
  readonly store: ControlledStore;
  readonly events: DomainEvent[];
  readonly faults: unknown[];
  readonly security: SecurityEvent[];
  readonly clock: { time: number };
  /** Sends a request and checks the answer against the contract. */
  call(method: string, path: string, call?: Call & { readonly as?: Person | string }): Promise<Reply>;
  close(): Promise<void>;
}

export async function startHost(options: HostOptions = {}): Promise<Host> {
  const opened = await (options.open ?? openMemoryStore)();
  const store = controlledStore(opened.store);
  const clock = { time: start };
  const events: DomainEvent[] = [];
  const faults: unknown[] = [];
  const security: SecurityEvent[] = [];
  const scheduling = createScheduling({
    store: store.store,
    secret,
    applications,
    roomBaseUrl: 'https://rooms.example/r',
    clock: { now: () => clock.time },
    ids: { next: countingIds(options.firstId) },
    observer: {
      observe: (signal) => {
        if (signal.type === 'committed') events.push(signal.event);
        if (signal.type === 'security') security.push(signal);
      },
    },
    otpVerifier: { verify: oneTimePasswords() },
    manageProofVerifier: {
      verify: ({ appointmentId, claims }) =>
        Promise.resolve(claims.ticketId === `ticket-of-${appointmentId}` ? { participantId: claims.token } : undefined),
    },
    ...options.scheduling,
  });
  const verifier = jwtVerifier({ secret, now: () => clock.time });
  const mount = options.mount ?? '/';
  const door = options.door ?? opened.door ?? expressDoor(options);
  const listener = door(scheduling, {
    authentication: {
      verify: (token) => {
        failOn(token);
        return verifier.verify(token);
      },
    },
    onFault: (fault) => faults.push(fault),
    ...options.http,
  });
  const server = createServer(listener);
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const prefix = mount === '/' ? '' : mount;

  return {
    port,
    scheduling,
    store,
    events,
    faults,
    security,
    clock,
    async call(method, path, { as, ...call } = {}) {
      const authorization = as === undefined ? {} : { authorization: `Bearer ${await tokenOf(as)}` };
      const reply = await exchange(port, method, prefix + path, {
        ...call,
        headers: { ...authorization, ...call.headers },
      });
      checkAnswer(method, path, reply);
      return reply;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await scheduling.close();
      await opened.close();
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}

/** UUIDs of version 7 that count, so that their order is that of their making. */
function countingIds(first = 0): () => string {
  let made = first;
  return () => {
    made += 1;
    return `0194222d-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
  };
}

function oneTimePasswords() {
  const used = new Set<string>();
  return ({ username, code }: { readonly username: string; readonly code: string }): Promise<boolean> => {
    if (code === otpCodes.fault) return Promise.reject(new Error('the OTP service is broken'));
    if (code === otpCodes.busy) return Promise.reject(new CalendsError('unavailable', 'x'));
    if (code !== otpCodes.right || used.has(username)) return Promise.resolve(false);
    used.add(username);
    return Promise.resolve(true);
  };
}

function failOn(token: string): void {
  if (token === faultyTokens.fault) throw new Error('the verifier is broken');
  if (token === faultyTokens.busy) throw new CalendsError('unavailable', 'x');
}

const signed = new Map<string, Promise<string>>();

/** A signed token for a person; a text is a token already. */
export function tokenOf(person: Person | string): Promise<string> {
  if (typeof person === 'string') return Promise.resolve(person);
  const key = JSON.stringify(person);
  const token =
    signed.get(key) ??
    new SignJWT({ exp: start / 1000 + 30 * 86_400, ...person })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(secret));
  signed.set(key, token);
  return token;
}
