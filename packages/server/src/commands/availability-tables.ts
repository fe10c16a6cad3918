import type { Explanation, Offers } from '@calends/http-contract';
import type { TimeReasonCode } from '@calends/model';
import { textTable } from './text-table.js';

type Offer = Offers['durations'][number]['offers'][number];

/** The starts of a week by duration: a row for each time of day, a column for each day. */
export function weekTable(
  dates: readonly string[],
  timezone: string,
  found: ReadonlyMap<string, readonly Offer[]>,
): string {
  const tables = [...found].map(([duration, offers]) => {
    const title = `Starts of ${duration} in ${timezone}, and how many agents and resources are free:\n`;
    return offers.length === 0
      ? `There is no free time of ${duration} from ${dates[0] ?? ''} to ${dates.at(-1) ?? ''}; --why tells of one time why.\n`
      : `${title}${tableOf(dates, offers)}`;
  });
  return tables.join('\n');
}

function tableOf(dates: readonly string[], offers: readonly Offer[]): string {
  const cells = new Map<string, string>();
  for (const { start, actorIds = [] } of offers) {
    const key = start.slice(0, 16);
    const count = String(actorIds.length);
    // A wall-clock hour that is repeated is offered twice.
    cells.set(key, cells.has(key) ? `${cells.get(key) ?? ''}, ${count}` : count);
  }
  const times = [...new Set(offers.map(({ start }) => start.slice(11, 16)))].sort();
  const rows = times.map((time) => [time, ...dates.map((date) => cells.get(`${date}T${time}`) ?? '.')]);
  return textTable(['TIME', ...dates.map(headOf)], rows);
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

const headOf = (date: string): string => `${weekday.format(Date.parse(date)).toUpperCase()} ${date.slice(5)}`;

const reasonWords: Readonly<Record<TimeReasonCode, string>> = {
  OFF_GRID: 'no start of the service is there',
  LEAD_TIME: 'it is too soon',
  HORIZON: 'it is too far away',
  OUTSIDE_HOURS: 'the hours do not have it',
  CLOSED: 'an exception closes the hours then',
  SOURCE_STALE: 'a source of busy times does not answer',
  BUSY: 'another appointment is there',
  BUFFER: 'another appointment is too near',
  HELD: 'somebody holds it and is about to book',
  BUSY_ELSEWHERE: 'another calendar is busy then',
  LIMIT: 'so many are booked already',
  NO_ACTOR: 'the service needs more agents or resources than there are',
};

/** Why one time is free or not. */
export function reasonsTable({ free, actorIds = [], reasons = [] }: Explanation): string {
  if (free) return `Free: ${actorIds.join(', ')}\n`;
  const rows = reasons.map(({ code, actorId = '', appointmentId = '' }) => [
    ...[code, actorId, appointmentId],
    reasonWords[code],
  ]);
  return `Not free:\n${textTable(['REASON', 'WHO', 'APPOINTMENT', 'MEANING'], rows)}`;
}
