import { type Instant, parseDuration, remembered, type ServiceRules, type TimeWindow } from '@calends/model';
import { serviceActorId } from '../domain/appointments/participants.js';
import type { KnownService } from '../ports/availability-source.js';
import { weekOf, type ZoneClock, zoneClock } from './zone-clock.js';

/** A limit of a service as it is written. */
export type ServiceLimit = NonNullable<ServiceRules['limits']>[number];

/** A service in numbers: durations in milliseconds. */
export interface CompiledService {
  /** The id under which it stands in the actor index. */
  readonly actorId: string;
  readonly clock: ZoneClock;
  readonly grid: { readonly step: number; readonly isByOpening: boolean };
  /** Free time around its bookings. */
  readonly buffers: { readonly before: number; readonly after: number };
  /** Starts are at or after both. */
  readonly earliest: { readonly instant: Instant; readonly day: number };
  /** Starts are at or before both. */
  readonly latest: { readonly instant: Instant; readonly day: number };
  readonly limits: readonly ServiceLimit[];
  readonly requirements: ServiceRules['requirements'];
  readonly strategy: NonNullable<ServiceRules['assignment']>['strategy'];
  readonly weightOf: (actorId: string) => number;
}

/** Where a service stands, and when it is asked for. */
export interface ServicePlace {
  readonly applicationId: string;
  /** Least buffer of every booking of the application, in milliseconds. */
  readonly minBuffer: number;
  readonly now: Instant;
}

const milliseconds = remembered(1000, (duration: string): number => {
  const length = parseDuration(duration);
  if (length === undefined) throw new TypeError('A service has a duration that is none.');
  return length;
});

/** Free time around the bookings of a service, in milliseconds: its own, and at least that of the application. */
export function buffersOf(
  { bufferBefore = 'PT0S', bufferAfter = 'PT0S' }: ServiceRules,
  minBuffer: number,
): CompiledService['buffers'] {
  return {
    before: Math.max(milliseconds(bufferBefore), minBuffer),
    after: Math.max(milliseconds(bufferAfter), minBuffer),
  };
}

/** Turns the rules of a service into numbers. @throws TypeError for rules that its schema refuses */
export function compileService(
  service: KnownService,
  { applicationId, minBuffer, now }: ServicePlace,
): CompiledService {
  const clock = zoneClock(service.timezone);
  const ahead = (distance: ServiceRules['leadTime'], none: number): CompiledService['earliest'] => {
    if (distance === undefined) return { instant: none, day: none };
    return 'duration' in distance
      ? { instant: now + milliseconds(distance.duration), day: none }
      : { instant: none, day: clock.dayAt(now) + distance.days };
  };
  const earliest = ahead(service.leadTime, -Infinity);
  const { strategy = 'balanced', weights = {} } = service.assignment ?? {};
  return {
    actorId: serviceActorId(applicationId, service.id),
    clock,
    grid: { step: milliseconds(service.grid.step), isByOpening: service.grid.anchor === 'opening' },
    buffers: buffersOf(service, minBuffer),
    earliest: { ...earliest, instant: Math.max(earliest.instant, now) },
    latest: ahead(service.horizon, Infinity),
    limits: service.limits ?? [],
    requirements: service.requirements,
    strategy,
    weightOf: (actorId) => (Object.hasOwn(weights, actorId) ? weights[actorId] : undefined) ?? 1,
  };
}

/** The number of the day or week of an instant, as a limit counts. */
export function windowNumber({ window }: ServiceLimit, instant: Instant, clock: ZoneClock): number {
  const day = clock.dayAt(instant);
  return window === 'day' ? day : weekOf(day);
}

/** The day or week of an instant, in which a limit counts starts. */
export function limitWindow({ window }: ServiceLimit, instant: Instant, clock: ZoneClock): TimeWindow {
  const day = clock.dayAt(instant);
  const [first, length] = window === 'day' ? [day, 1] : [weekOf(day) * 7 - 3, 7];
  return { from: clock.instantOn(first, 0), to: clock.instantOn(first + length, 0) };
}
