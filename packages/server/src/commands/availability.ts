import type { Explanation, Offers, Service } from '@calends/http-contract';
import { days, formatInstant, instantOfWallClock, parseInstant, wallClockAt } from '@calends/model';
import { readEnvironment } from '../configuration/environment.js';
import { exampleService } from '../configuration/example-availability.js';
import { RefusedError } from '../exit-codes.js';
import type { OpenInterface } from './ask.js';
import { withAvailability } from './availability-interface.js';
import { reasonsTable, weekTable } from './availability-tables.js';

/** What `calends availability` was asked for. */
export interface AvailabilityRequest {
  readonly organizationId?: string | undefined;
  readonly serviceId: string;
  /** Default: the first of the configuration. */
  readonly applicationId?: string | undefined;
  /** Default: all that the service names. */
  readonly agentIds?: readonly string[] | undefined;
  /** Default: each of the service; for the reasons its first. */
  readonly duration?: string | undefined;
  /** `YYYY-MM-DD` in the zone of the service. Default: today. */
  readonly from?: string | undefined;
  /** The start whose reasons are asked for: ISO 8601, without an offset in the zone of the service. */
  readonly why?: string | undefined;
}

/**
 * `calends availability`: prints the free times of a week as a table, or why one time is free or not.
 *
 * @throws RefusedError when the interface answers a problem
 */
export async function availability(request: AvailabilityRequest): Promise<void> {
  const applicationId = request.applicationId ?? usualApplication();
  const text = await withAvailability(request.organizationId, async (open) => {
    const path = `/api/v2/services/${encodeURIComponent(request.serviceId)}`;
    const query = new URLSearchParams({ applicationId }).toString();
    const { rules } = JSON.parse(await open.ask({ method: 'GET', path, query })) as Service;
    const asked = { ...request, applicationId };
    return request.why === undefined ? weekOf(open, asked, rules) : reasonsOf(open, asked, rules, request.why);
  });
  process.stdout.write(text);
}

function usualApplication(): string {
  const [first = exampleService.applicationId] = Object.keys(readEnvironment(process.env).applications);
  return first;
}

type Asked = AvailabilityRequest & { readonly applicationId: string };

async function weekOf(open: OpenInterface, asked: Asked, { timezone }: Service['rules']): Promise<string> {
  const first = asked.from ?? dateAt(Date.now(), timezone);
  const dates = Array.from({ length: 8 }, (_, index) => dateAfter(first, index));
  const [from = 0, to = 0] = [dates[0], dates[7]].map((date) => instantOn(`${date}T00:00`, timezone));
  const found = new Map<string, Offers['durations'][number]['offers'][number][]>();
  let next: string | undefined = formatInstant(from);
  while (next !== undefined) {
    const query = questionOf(asked, { from: next, to: formatInstant(to), timezone });
    for (const duration of asked.duration === undefined ? [] : [asked.duration]) query.append('duration', duration);
    const answer = await open.ask({ method: 'GET', path: '/api/v2/availability', query: query.toString() });
    const page = JSON.parse(answer) as Offers;
    for (const { duration, offers } of page.durations) {
      found.set(duration, [...(found.get(duration) ?? []), ...offers]);
    }
    ({ next } = page);
  }
  return weekTable(dates.slice(0, 7), timezone, found);
}

async function reasonsOf(
  open: OpenInterface,
  asked: Asked,
  { timezone, durations: [usual = ''] }: Service['rules'],
  why: string,
): Promise<string> {
  const start = formatInstant(parseInstant(why) ?? shownInstantOn(why, timezone));
  const query = questionOf(asked, { start, duration: asked.duration ?? usual }).toString();
  return reasonsTable(
    JSON.parse(await open.ask({ method: 'GET', path: '/api/v2/availability/explain', query })) as Explanation,
  );
}

function questionOf(
  { applicationId, serviceId, agentIds = [] }: Asked,
  more: Readonly<Record<string, string>>,
): URLSearchParams {
  const query = new URLSearchParams({ applicationId, serviceId, ...more });
  for (const agentId of agentIds) query.append('agentId', agentId);
  return query;
}

/**
 * As {@link instantOn}, of a time that the clocks show.
 *
 * @throws RefusedError for one that they skip: what is said of the time behind the gap is not true of it
 */
function shownInstantOn(wall: string, timezone: string): number {
  const instant = instantOn(wall, timezone);
  const clocks = [wallClockAt(instant, timezone), wallClockAt(parseInstant(`${wall}Z`) ?? 0, 'UTC')];
  const [shown, asked] = clocks.map((clock) => JSON.stringify(clock));
  if (shown !== asked) throw new RefusedError(`--why: the clocks of ${timezone} skip that time.`);
  return instant;
}

/** The instant of a wall-clock time, ISO 8601 without an offset. */
function instantOn(wall: string, timezone: string): number {
  return instantOfWallClock(wallClockAt(parseInstant(`${wall}Z`) ?? 0, 'UTC'), timezone, 'compatible');
}

function dateAt(instant: number, timezone: string): string {
  const { year, month, day } = wallClockAt(instant, timezone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

function dateAfter(date: string, count: number): string {
  return new Date(Date.parse(date) + count * days(1)).toISOString().slice(0, 10);
}
