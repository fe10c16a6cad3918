// Clients that race for the same times and cancel some of them, while what they talk to may die: what they asked for, and what they were told.
import { CalendsError, type Caller, type Scheduling } from '@calends/core';
import { StoreError } from '@calends/core/store';
import { setTimeout as pause } from 'node:timers/promises';

const caller: Caller = {
  id: 'supervisor-1',
  organizationId: 'org-1',
  roles: ['ROLE_SUPERVISOR'],
  applicationIds: ['app-1'],
};
const agents = ['agent-1', 'agent-2', 'agent-3'];
const firstStart = Date.parse('2999-05-06T00:00:00Z');
const halfHour = 1_800_000;
const halfHours = 16;
/** As the HTTP layer has it. */
const callTimeout = 10_000;
/** How long a client goes on asking again, under the same key. */
const patience = 60_000;
const betweenAttempts = 100;
/** Appointments that a client keeps before it cancels one. */
const kept = 1;

/** What became of a call, by all of its attempts. */
export type Told =
  | { readonly as: 'done'; readonly id: string; readonly at: number }
  | { readonly as: 'refused'; readonly code: string }
  | { readonly as: 'unknown' };

/** A booking that a client asked for. Times are of the monotonic clock of the process. */
export interface Booking {
  /** Also the title of the appointment. */
  readonly key: string;
  readonly agentId: string;
  readonly start: string;
  told: Told;
  cancelBegan?: number;
  cancelled?: Told;
}

/** What the clients saw. */
export interface Seen {
  readonly bookings: Booking[];
  /** Calls that were answered for good, by the node that answered, since the start. */
  readonly answered: [number, number];
  /** Attempts that ended without an answer that tells what became of them, by what the database said. */
  readonly doubtful: Map<string, number>;
  /** Those among them that had been done, as the next attempt was told. */
  replayed: number;
  longest: number;
  /** Keys of what was done although the store had said that it was not. */
  readonly denied: string[];
  /** Errors that are no answer a caller should get, once each. */
  readonly strange: Set<string>;
}

export const nothingSeen = (): Seen => ({
  bookings: [],
  answered: [0, 0],
  doubtful: new Map(),
  replayed: 0,
  denied: [],
  longest: 0,
  strange: new Set(),
});

type Effect = (
  doors: Scheduling,
  options: { readonly signal: AbortSignal; readonly idempotency: Key },
) => Promise<string>;
interface Key {
  readonly key: string;
  readonly operation: string;
  readonly onReplay: () => void;
}

/** Asks until it is told what became of it: through its own node first, and then through each in turn, always under the same key. */
async function asked(
  doors: readonly Scheduling[],
  own: number,
  seen: Seen,
  key: string,
  effect: Effect,
): Promise<Told> {
  const giveUp = performance.now() + patience;
  /** By each attempt so far. */
  let isDenied: boolean | undefined;
  for (let node = own; performance.now() < giveUp; node = 1 - node) {
    const door = doors[node];
    if (door === undefined) break;
    const began = performance.now();
    const onReplay = (): void => {
      seen.replayed += 1;
      if (isDenied === true) seen.denied.push(key);
    };
    const options = { signal: AbortSignal.timeout(callTimeout), idempotency: { key, operation: 'trial', onReplay } };
    try {
      const id = await effect(door, options);
      seen.answered[node === 0 ? 0 : 1] += 1;
      return { as: 'done', id, at: performance.now() };
    } catch (error) {
      if (CalendsError.is(error) && !isTemporary(error)) {
        seen.answered[node === 0 ? 0 : 1] += 1;
        return { as: 'refused', code: error.code };
      }
      if (!isTemporary(error)) seen.strange.add(firstCause(error));
      isDenied = (isDenied ?? true) && error instanceof StoreError && error.outcome === 'none';
      const doubt = firstCause(error);
      seen.doubtful.set(doubt, (seen.doubtful.get(doubt) ?? 0) + 1);
    } finally {
      seen.longest = Math.max(seen.longest, performance.now() - began);
    }
    await pause(betweenAttempts);
  }
  return { as: 'unknown' };
}

/** Tells whether the same request is to be sent again: of what nobody knows, and of what others were quicker at too often. */
const isTemporary = (error: unknown): boolean =>
  CalendsError.is(error)
    ? ['unavailable', 'idempotency_in_progress'].includes(error.code)
    : error instanceof StoreError && ['unavailable', 'contention'].includes(error.code);

/** What the driver said: the last cause of an error. */
const firstCause = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? firstCause(error.cause) : String(error);

export const book = (doors: readonly Scheduling[], own: number, seen: Seen, booking: Booking): Promise<Told> =>
  asked(doors, own, seen, booking.key, async ({ appointments }, options) => {
    const { key: title, agentId, start } = booking;
    const customers = [{ contact: { primaryEmail: 'maria@example.org' } }];
    const time = { start, duration: 'PT30M', timezone: 'UTC' };
    const command = { applicationId: 'app-1', title, targetAssignment: { id: agentId }, customers, ...time };
    return (await appointments.schedule(caller, command, options)).id;
  });

export async function cancel(doors: readonly Scheduling[], own: number, seen: Seen, booking: Booking): Promise<Told> {
  const { told } = booking;
  if (told.as !== 'done') throw new Error('It was not booked.');
  return asked(doors, own, seen, `${booking.key}-end`, async ({ appointments }, options) => {
    return (await appointments.cancel(caller, { id: told.id }, options)).id;
  });
}

/**
 * Races until `isOver`: whatever a client asks for, another one asks for at the same moment, and through the other node as often as not.
 * Each cancels soon after it has booked, while the confirmation is on its way.
 */
export async function raceFor(
  doors: readonly Scheduling[],
  clientsOfNode: number,
  seen: Seen,
  isOver: () => boolean,
): Promise<void> {
  let turn = 0;
  const client = async (own: number, name: string): Promise<void> => {
    const mine: Booking[] = [];
    for (let number = 0; !isOver(); number += 1) {
      const place = Math.floor(turn++ / 2);
      const booking: Booking = {
        key: `${name}-${String(number)}`,
        agentId: agents[place % agents.length] ?? '',
        start: new Date(firstStart + (Math.floor(place / agents.length) % halfHours) * halfHour).toISOString(),
        told: { as: 'unknown' },
      };
      seen.bookings.push(booking);
      booking.told = await book(doors, own, seen, booking);
      if (booking.told.as === 'done') mine.push(booking);
      const last = mine.length > kept ? mine.splice(number % mine.length, 1)[0] : undefined;
      if (last === undefined) continue;
      last.cancelBegan = performance.now();
      last.cancelled = await cancel(doors, own, seen, last);
      if (last.cancelled.as === 'done') last.cancelled = { ...last.cancelled, at: performance.now() };
    }
  };
  await Promise.all(
    [0, 1].flatMap((node) =>
      Array.from({ length: clientsOfNode }, (_, index) => client(node, `client-${String(node)}-${String(index)}`)),
    ),
  );
}
