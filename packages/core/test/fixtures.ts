import { memoryStore } from '@calends/store-memory';
import {
  type Appointment,
  type AppointmentOperations,
  type Caller,
  type Clock,
  createScheduling,
  type DomainEvent,
  type Ids,
  type ScheduleCommand,
  type Scheduling,
  type SchedulingOptions,
  type Signal,
} from '../src/index.js';
import type { SchedulingStore } from '../src/store.js';
import { caller, now } from './sample-appointments.js';

export const secret = 'a secret of at least thirty-two bytes';

export const agentOne = caller('ROLE_AGENT', { id: 'agent-1' });
export const agentTwo = caller('ROLE_AGENT', { id: 'agent-2' });
export const supervisor = caller('ROLE_SUPERVISOR', { id: 'supervisor-1' });
export const clientService = caller('ROLE_CLIENT_SERVICE', { id: 'service-1' });
export const foreignSupervisor: Caller = { ...supervisor, organizationId: 'org-2' };

/** A clock that stands until it is moved. */
export interface StandingClock extends Clock {
  set(instant: number): void;
  advance(milliseconds: number): void;
}

export function standingClock(instant = now): StandingClock {
  let time = instant;
  return {
    now: () => time,
    set: (next) => void (time = next),
    advance: (milliseconds) => void (time += milliseconds),
  };
}

/** Ids that count up, in the form of UUIDv7. */
export function countedIds(): Ids {
  let count = 0;
  return { next: () => `019a3f5c-0000-7000-8000-${(count += 1).toString(16).padStart(12, '0')}` };
}

/** The library over a memory store, with a standing clock and counted ids, and everything that it told. */
export interface Fixture {
  readonly scheduling: Scheduling;
  readonly appointments: AppointmentOperations;
  readonly store: SchedulingStore;
  readonly clock: StandingClock;
  readonly ids: Ids;
  readonly signals: Signal[];
  /** Signals of retention, which are told with every pass. */
  readonly upkeep: Signal[];
  /** Events that were committed, in order. */
  events(): readonly DomainEvent[];
  /** Types of the events that were committed since the last call. */
  newEvents(): readonly string[];
}

export type FixtureOptions = Partial<Omit<SchedulingOptions, 'clock' | 'observer'>> & {
  readonly clock?: StandingClock;
};

export function fixture(options: FixtureOptions = {}): Fixture {
  const signals: Signal[] = [];
  const store = options.store ?? memoryStore();
  const clock = options.clock ?? standingClock();
  const ids = options.ids ?? countedIds();
  const upkeep: Signal[] = [];
  const isUpkeep = ({ type }: Signal): boolean => type === 'rowsRemoved' || type === 'retentionCaughtUp';
  const observer = { observe: (signal: Signal): void => void (isUpkeep(signal) ? upkeep : signals).push(signal) };
  const scheduling = createScheduling({ secret, ...options, store, clock, ids, observer });
  const events = (): readonly DomainEvent[] =>
    signals.flatMap((signal) => (signal.type === 'committed' ? [signal.event] : []));
  let seen = 0;
  const newEvents = (): readonly string[] => {
    const types = events()
      .slice(seen)
      .map(({ type }) => type);
    seen += types.length;
    return types;
  };
  return { scheduling, appointments: scheduling.appointments, store, clock, ids, signals, upkeep, events, newEvents };
}

export const maria = { contact: { primaryEmail: 'maria@example.org' } } as const;

/** A booking in three hours, for half an hour. */
export function booking(more: Partial<ScheduleCommand> = {}): ScheduleCommand {
  return {
    applicationId: 'app-1',
    start: '2030-05-06T11:00:00Z',
    duration: 'PT30M',
    timezone: 'Europe/Athens',
    customers: [maria],
    ...more,
  };
}

/** Schedules a booking as agent-1, and forgets its event. */
export async function booked(
  { appointments, newEvents }: Fixture,
  more: Partial<ScheduleCommand> = {},
  by: Caller = agentOne,
): Promise<Appointment> {
  const appointment = await appointments.schedule(by, booking(more));
  newEvents();
  return appointment;
}

/** The id of the appointment's first customer. */
export function customerOf(appointment: Appointment): string {
  const customer = appointment.participants.find(({ type }) => type === 'CUSTOMER');
  if (customer === undefined) throw new Error('The appointment should have a customer.');
  return customer.id;
}
