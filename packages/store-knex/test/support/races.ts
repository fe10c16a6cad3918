import {
  type Caller,
  CalendsError,
  createScheduling,
  type ScheduleCommand,
  type Scheduling,
  type SchedulingOptions,
} from '@calends/core';
import type { HoursRules, ServiceRules } from '@calends/core/operations';
import type { SchedulingStore } from '@calends/core/store';
import { expect } from 'vitest';

const day = 86_400_000;
const secret = 'a secret of at least thirty-two bytes';

const caller = (role: Caller['roles'][number], { id }: Pick<Caller, 'id'>): Caller => ({
  id,
  organizationId: 'org-1',
  roles: [role],
});

const booking = (more: Partial<ScheduleCommand> = {}): ScheduleCommand => ({
  applicationId: 'app-1',
  start: '2030-05-06T11:00:00Z',
  duration: 'PT30M',
  timezone: 'UTC',
  customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
  ...more,
});

/** How one caller goes for the time: at once, through a hold of their own, or with the token of a hold that several have. */
type Way = 'direct' | 'hold' | 'shared';

/** What became of one caller. */
interface Outcome {
  readonly way: Way;
  readonly agentIds?: readonly string[];
  readonly error?: unknown;
}

/** One race: who is there to be won, and who runs. */
interface Race {
  readonly number: number;
  readonly agents: number;
  /** Bookings of the service on one day. */
  readonly max: number;
  readonly ways: readonly Way[];
}

/** What the races saw. */
export interface RaceFigures {
  readonly races: number;
  readonly callers: number;
  readonly winners: number;
  readonly refusals: Readonly<Record<string, number>>;
}

const maxAgents = 4;
const maxCallers = 16;
const unlimited = 5;
const applicationId = 'app-1';
const firstDay = Date.parse('2030-01-01T10:00:00Z');
const reader = caller('ROLE_SUPERVISOR', { id: 'reader' });

const nameOf = ({ agents, max }: Pick<Race, 'agents' | 'max'>): string => `of-${String(agents)}-max-${String(max)}`;

const agentsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `agent-${String(index + 1)}`);

function serviceFor(agents: number, max: number): ServiceRules {
  return {
    title: 'Race',
    timezone: 'UTC',
    durations: ['PT30M'],
    grid: { step: 'PT30M' },
    requirements: [{ kind: 'agent', anyOf: [...agentsOf(agents)] }],
    ...(max === unlimited ? {} : { limits: [{ per: 'service', window: 'day', max }] }),
  };
}

/** What a race calls. */
export interface Racer {
  readonly availability: Pick<Scheduling['availability'], 'hold' | 'explain'>;
  readonly appointments: Pick<Scheduling['appointments'], 'schedule'>;
}

/** A service for every number of agents and every limit. */
export function racingOptions(): Omit<SchedulingOptions, 'store'> {
  const services: Record<string, ServiceRules> = {};
  for (let agents = 1; agents <= maxAgents; agents += 1)
    for (let max = 1; max <= unlimited; max += 1) services[nameOf({ agents, max })] = serviceFor(agents, max);
  const hours: HoursRules = {
    timezone: 'UTC',
    weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], from: '00:00', until: '24:00' }],
  };
  return {
    secret,
    availability: {
      services: { [applicationId]: services },
      hours: Object.fromEntries(agentsOf(maxAgents).map((id) => [id, hours])),
    },
  };
}

/** The library over a store. */
export const racing = (store: SchedulingStore): Racer => createScheduling({ ...racingOptions(), store });

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function raceOf(number: number, next: () => number): Race {
  const upTo = (count: number): number => 1 + Math.floor(next() * count);
  const kinds: readonly (readonly Way[])[] = [['direct'], ['hold'], ['direct', 'hold'], ['direct', 'hold', 'shared']];
  const kind = kinds[upTo(kinds.length) - 1] ?? [];
  const agents = upTo(maxAgents);
  const max = next() < 0.7 ? unlimited : upTo(agents);
  const callers = 1 + upTo(maxCallers - 1);
  return { number, agents, max, ways: Array.from({ length: callers }, () => kind[upTo(kind.length) - 1] ?? 'direct') };
}

/** Races for one time after another, each on a day of its own, by turns through the given libraries. */
export async function runRaces(libraries: readonly Racer[], count: number, seed = 1): Promise<RaceFigures> {
  const next = numbersFrom(seed);
  const refusals: Record<string, number> = {};
  let callers = 0;
  let winners = 0;
  for (let number = 0; number < count; number += 1) {
    const race = raceOf(number, next);
    const outcomes = await run(libraries, race);
    await judge(libraries, race, outcomes);
    callers += outcomes.length;
    for (const { error } of outcomes) {
      if (error === undefined) winners += 1;
      else if (CalendsError.is(error)) refusals[error.code] = (refusals[error.code] ?? 0) + 1;
    }
  }
  return { races: count, callers, winners, refusals };
}

const timeOf = (race: Race) => ({
  applicationId,
  serviceId: nameOf(race),
  start: new Date(firstDay + race.number * day).toISOString(),
  duration: 'PT30M',
});

async function run(libraries: readonly Racer[], race: Race): Promise<readonly Outcome[]> {
  const time = timeOf(race);
  const of = (index: number): Racer => libraries[index % libraries.length] as Racer;
  const shared = race.ways.includes('shared') ? await of(0).availability.hold(reader, time) : undefined;
  return Promise.all(
    race.ways.map(async (way, index): Promise<Outcome> => {
      const by: Caller = caller('ROLE_SUPERVISOR', { id: `supervisor-${String(index)}` });
      try {
        // The hold is booked through another library than the one that made it.
        const held = way === 'hold' ? await of(index).availability.hold(by, time) : undefined;
        const holdToken = way === 'shared' ? shared?.token : held?.token;
        const command = booking({
          ...time,
          customers: booking().customers,
          ...(holdToken === undefined ? {} : { holdToken }),
        });
        const { participants } = await of(index + 1).appointments.schedule(by, command);
        return { way, agentIds: participants.flatMap(({ id, type }) => (type === 'AGENT' ? [id] : [])) };
      } catch (error) {
        return { way, error };
      }
    }),
  );
}

/** As many winners as the actors and the limit allow, each with another agent; and every refusal says what is true. */
async function judge(libraries: readonly Racer[], race: Race, outcomes: readonly Outcome[]): Promise<void> {
  const what = JSON.stringify(race);
  const won = outcomes.filter(({ error }) => error === undefined);
  const sharers = race.ways.filter((way) => way === 'shared').length;
  const fromShared = Math.min(sharers, 1);
  const capacity = Math.min(race.agents, race.max);
  const allowed = fromShared + Math.min(race.ways.length - sharers, capacity - fromShared);
  const faults = outcomes.flatMap(({ error }) =>
    error === undefined || isTrue(race, error, won.length) ? [] : [error],
  );
  expect(faults, what).toEqual([]);
  expect(won.length, what).toBe(allowed);
  expect(won.filter(({ way }) => way === 'shared').length, what).toBe(fromShared);
  for (const { way, error } of outcomes) {
    if (CalendsError.is(error)) expect(error.code === 'hold_lost', what).toBe(way === 'shared');
  }
  const taken = won.flatMap(({ agentIds }) => agentIds ?? []);
  expect(new Set(taken).size, what).toBe(won.length);
  const free = agentsOf(race.agents).filter((id) => !taken.includes(id));
  for (const { availability } of libraries) {
    const explained = await availability.explain(reader, timeOf(race));
    if (won.length === capacity) expect(explained.free, what).toBe(false);
    else expect(explained, what).toEqual({ free: true, actorIds: free });
  }
}

/** Nobody is refused for another reason than what others booked or held. */
function isTrue({ agents, max, ways }: Race, error: unknown, winners: number): boolean {
  if (!CalendsError.is(error)) return false;
  const { code, reasons } = error;
  if (code === 'hold_lost') return true;
  if (code !== 'slot_conflict' && code !== 'limit_reached') return false;
  const isLimited = max !== unlimited && winners >= max;
  const someHold = ways.some((way) => way !== 'direct');
  return (
    reasons.length > 0 &&
    reasons.every(({ code: reason, actorId }) => {
      if (reason === 'LIMIT') return isLimited;
      const isKnown = actorId !== undefined && agentsOf(agents).includes(actorId);
      return isKnown && (reason === 'BUSY' || (reason === 'HELD' && someHold));
    }) &&
    (code === 'slot_conflict' || reasons.every(({ code: reason }) => reason === 'LIMIT'))
  );
}
