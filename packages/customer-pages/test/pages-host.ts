import {
  type Appointment,
  type Caller,
  type ConfiguredApplication,
  createScheduling,
  type ScheduleCommand,
  type Scheduling,
  type SchedulingOptions,
} from '@calends/core';
import type { ManageLink } from '@calends/core/operations';
import { memoryStore } from '@calends/store-memory';
import express5, { type Express, type Router } from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CustomerPagesOptions } from '../src/index.js';
import type { Installation } from './majors.js';
import { customerPages } from '../src/index.js';
import { type Reply, Visitor } from './visitor.js';

export const minute = 60_000;
export const hour = 60 * minute;
/** Monday, 6 May 2030, 08:00 UTC. */
export const now = Date.UTC(2030, 4, 6, 8);
export const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
export const supervisor: Caller = { ...agent, id: 'supervisor-1', roles: ['ROLE_SUPERVISOR'] };
export const mount = '/manage';

const applications: Readonly<Record<string, ConfiguredApplication>> = {
  'app-1': {},
  'app-limited': { customerCancelCutoff: 24 * hour, customerRescheduleCutoff: 24 * hour, customerMaxReschedules: 1 },
  'app-guarded': { overlap: { mode: 'agent', buffer: 0 } },
};

/** What a host of these tests has that others have not. */
export interface HostOptions {
  readonly options?: CustomerPagesOptions;
  readonly scheduling?: Partial<SchedulingOptions>;
  readonly at?: number;
  readonly on?: Pick<Installation, 'express' | 'pages'>;
  /** Default: mounts the pages under {@link mount} and nothing before them. */
  readonly build?: (app: Express, router: Router) => unknown;
}

/** A host of the pages on a memory store with a standing clock. */
export interface PagesHost {
  readonly scheduling: Scheduling;
  readonly port: number;
  /** Moves the clock. */
  advance(milliseconds: number): void;
  /** An appointment of one customer, 10:30 to 11:15 on 8 May in Athens, unless changed. */
  book(changes?: Partial<ScheduleCommand>): Promise<Appointment>;
  link(appointment: Appointment, expiresAt?: string): Promise<ManageLink>;
  visitor(language?: string): Visitor;
  /** A customer who has opened their link. */
  arrived(appointment: Appointment, language?: string): Promise<Visitor>;
  /** The appointment as it is kept. */
  kept(appointment: Appointment): Promise<Appointment>;
  close(): Promise<void>;
}

/** The participant id of the only customer. */
export function customerOf({ participants }: Appointment): string {
  return participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
}

export async function startHost(given: HostOptions = {}): Promise<PagesHost> {
  const { options, at = now, on = { express: express5, pages: customerPages }, build } = given;
  let time = at;
  const scheduling = createScheduling({
    store: memoryStore(),
    secret: 'a secret of at least thirty-two bytes',
    managePageUrl: 'https://clinic.example/manage/',
    roomBaseUrl: 'https://rooms.clinic.example',
    applications,
    clock: { now: () => time },
    ...given.scheduling,
  });
  const app = on.express();
  const router = on.pages(scheduling, {
    publicUrl: 'http://pages.example/manage',
    now: () => time,
    ...options,
  });
  if (build === undefined) app.use(mount, router);
  else build(app, router);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const link: PagesHost['link'] = (appointment, expiresAt) =>
    scheduling.customers.issueManageLink(agent, {
      appointmentId: appointment.id,
      participantId: customerOf(appointment),
      expiresAt,
    });
  const visitor = (language?: string): Visitor => new Visitor(port, language);
  return {
    scheduling,
    port,
    advance: (milliseconds) => void (time += milliseconds),
    book: (changes = {}) =>
      scheduling.appointments.schedule(agent, {
        applicationId: 'app-1',
        title: 'First consultation',
        start: '2030-05-08T07:30:00Z',
        duration: 'PT45M',
        timezone: 'Europe/Athens',
        customers: [{ contact: { primaryEmail: 'ada@example.org' } }],
        ...changes,
      }),
    link,
    visitor,
    arrived: async (appointment, language) => {
      const arriving = visitor(language);
      const { status } = await enter(arriving, (await link(appointment)).code);
      if (status !== 303) throw new Error(`The link was answered with ${String(status)}.`);
      return arriving;
    },
    kept: ({ id }) => scheduling.appointments.get(agent, id),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await scheduling.close();
    },
  };
}

/** Sends the form of the entry page. */
export function enter(visitor: Visitor, code: string, zone = ''): Promise<Reply> {
  return visitor.post(`${mount}/session`, { code, zone });
}
