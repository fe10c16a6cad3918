import type { HoursException, HoursOfActor } from '@calends/http-contract';
import { dateSchema, exceptionSchema, hoursSchema, limits } from '@calends/model';
import * as z from 'zod';
import { RefusedError } from '../exit-codes.js';
import type { OpenInterface } from './ask.js';
import { withAvailability } from './availability-interface.js';
import { hoursOfCalendar, isCalendar } from './hours-of-calendar.js';
import { idForm, readJson, readText, requireEachOnce, saveEach } from './read-import.js';
import { textTable } from './text-table.js';

/** What `calends hours` was asked for. */
export type HoursRequest = { readonly organizationId?: string | undefined } & (
  | { readonly action: 'list'; readonly json: boolean }
  | { readonly action: 'import'; readonly file: string; readonly actorId?: string | undefined }
);

/** As `GET /api/v2/hours` answers, each with its exceptions; of an entry that is written by hand, actor and rules. */
const hoursForm = z.strictObject({
  hours: z.array(
    z.strictObject({
      actorId: idForm(limits.agentId),
      rules: hoursSchema,
      version: z.int().optional(),
      exceptions: z
        .array(
          z.strictObject({
            date: dateSchema,
            rules: exceptionSchema,
            actorId: z.string().optional(),
            version: z.int().optional(),
          }),
        )
        .optional(),
    }),
  ),
});
type ReadHours = z.output<typeof hoursForm>['hours'][number];

/** Hours with the days on which others hold. */
interface WholeHours extends HoursOfActor {
  readonly exceptions: readonly HoursException[];
}

/**
 * `calends hours`: lists the hours of all agents and resources, or saves those of a file.
 *
 * @throws RefusedError when the file has faults or the interface answers a problem
 */
export async function hours(request: HoursRequest): Promise<void> {
  const { organizationId } = request;
  if (request.action === 'list') {
    const all = await withAvailability(organizationId, listed);
    process.stdout.write(request.json ? `${JSON.stringify({ hours: all }, undefined, 2)}\n` : shown(all));
    return;
  }
  const { file } = request;
  const entries = entriesOf(file, request.actorId);
  requireEachOnce(file, entries, ({ actorId }) => actorId);
  await withAvailability(organizationId, (open) => saveEach(file, entries, (entry) => save(open, entry)));
  const who = entries.map(({ entry }) => entry.actorId).join(', ');
  process.stdout.write(entries.length === 0 ? 'The file has no hours.\n' : `The hours of ${who} are saved.\n`);
}

function entriesOf(
  file: string,
  actorId: string | undefined,
): readonly { readonly place: string; readonly entry: ReadHours }[] {
  const text = readText(file);
  const isOne = isCalendar(text);
  const read = isOne ? [hoursOfCalendar(file, text, actorId)] : readJson(file, text, hoursForm).hours;
  const entries = read
    .map((entry, index) => ({ place: `hours.${String(index)}`, entry }))
    .filter(({ entry }) => isOne || actorId === undefined || entry.actorId === actorId);
  if (actorId !== undefined && entries.length === 0) throw new RefusedError(`${file}: has no hours of ${actorId}`);
  return entries;
}

const pathOf = (actorId: string): string => `/api/v2/hours/${encodeURIComponent(actorId)}`;

async function save(open: OpenInterface, { actorId, rules, exceptions = [] }: ReadHours): Promise<void> {
  await open.ask({ method: 'PUT', path: pathOf(actorId), body: rules });
  for (const { date, rules: body } of exceptions) {
    await open.ask({ method: 'PUT', path: `${pathOf(actorId)}/exceptions/${date}`, body });
  }
}

async function listed(open: OpenInterface): Promise<readonly WholeHours[]> {
  const answer = await open.ask({ method: 'GET', path: '/api/v2/hours' });
  const all: WholeHours[] = [];
  for (const each of (JSON.parse(answer) as { readonly hours: readonly HoursOfActor[] }).hours) {
    const own = await open.ask({ method: 'GET', path: `${pathOf(each.actorId)}/exceptions` });
    all.push({ ...each, ...(JSON.parse(own) as Pick<WholeHours, 'exceptions'>) });
  }
  return all;
}

function shown(all: readonly WholeHours[]): string {
  if (all.length === 0) return 'Nobody has hours.\n';
  const rows = all.flatMap(({ actorId, rules, exceptions }) => [
    ...rules.weekly.map((rule) => [actorId, rules.timezone, rule.days.join(' '), timesOf([rule]), boundsOf(rule)]),
    ...exceptions.map(({ date, rules: { open } }) => [actorId, rules.timezone, date, timesOf(open), '']),
  ]);
  return textTable(['ACTOR', 'ZONE', 'DAYS', 'OPEN', 'BOUNDS'], rows);
}

function timesOf(shifts: readonly { readonly from: string; readonly until: string }[]): string {
  return shifts.length === 0 ? 'closed' : shifts.map(({ from, until }) => `${from}-${until}`).join(' ');
}

function boundsOf({ everyWeeks = 1, validFrom, validUntil }: ReadHours['rules']['weekly'][number]): string {
  const words = [
    everyWeeks === 1 ? undefined : `every ${String(everyWeeks)} weeks`,
    validFrom === undefined ? undefined : `from ${validFrom}`,
    validUntil === undefined ? undefined : `until ${validUntil}`,
  ];
  return words.filter((word) => word !== undefined).join(' ');
}
