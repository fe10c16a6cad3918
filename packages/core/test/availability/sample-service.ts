import { memoryStore } from '@calends/store-memory';
import type { AvailabilityOptions } from '../../src/index.js';
import type { ServiceRules } from '../../src/operations.js';
import { type Fixture, fixture, type FixtureOptions, type StandingClock, standingClock } from '../fixtures.js';

/** Half an hour with one of two agents, every half an hour, in Athens (UTC+3 in May). */
export function service(more: Partial<ServiceRules> = {}): ServiceRules {
  return {
    title: 'Consultation',
    timezone: 'Europe/Athens',
    durations: ['PT30M'],
    grid: { step: 'PT30M' },
    requirements: [{ kind: 'agent', anyOf: ['agent-1', 'agent-2'] }],
    assignment: { strategy: 'priority' },
    ...more,
  };
}

/** From nine to twelve in Athens, every day. */
export const mornings = {
  timezone: 'Europe/Athens',
  weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], from: '09:00', until: '12:00' }],
} as const;

/** The library with the service `talk` and the hours of agent-1 and agent-2 in settings. */
export function available(
  rules: Partial<ServiceRules> = {},
  { availability, ...options }: FixtureOptions & { readonly availability?: AvailabilityOptions | undefined } = {},
): Fixture {
  const clock: StandingClock = options.clock ?? standingClock();
  const hours = {
    timezone: mornings.timezone,
    weekly: [{ ...mornings.weekly[0], days: [...mornings.weekly[0].days] }],
  };
  return fixture({
    store: memoryStore(),
    ...options,
    clock,
    availability: {
      services: { 'app-1': { talk: service(rules) } },
      hours: { 'agent-1': hours, 'agent-2': hours },
      ...availability,
    },
  });
}

/** The service in a question. */
export const talk = { applicationId: 'app-1', serviceId: 'talk' } as const;

/** A morning in May 2030: half past nine in Athens and so on. */
export const at = (wall: string): string => new Date(Date.parse(`2030-05-07T${wall}:00+03:00`)).toISOString();
