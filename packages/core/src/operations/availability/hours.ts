import { exceptionSchema, type HoursException, type HoursRules, hoursSchema, limits } from '@calends/model';
import { requireRoom, requireStaff, requireSupervisor } from './access.js';
import type { Caller } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { readInput } from '../../domain/calls/input.js';
import { plainCopy } from '../../support/plain-copy.js';
import { type ActorHours, configuredHours } from '../../ports/availability-source.js';
import type { AvailabilityRecord } from '../../ports/store/availability.js';
import { compareText } from '../../support/compare-text.js';
import type { UseCaseContext } from '../context.js';
import type { ExceptionKey, ExceptionRecord, HoursRecord } from './commands.js';
import type { HoursOperations } from './operations.js';
import { readDate, readId, readRules } from './read-rules.js';
import { findRecord, inSettings, requireTables, writeRecord } from './records.js';
import type { AvailabilityRoom } from './room.js';

/** The operations on hours and exceptions. */
export function hoursOperations(context: UseCaseContext): HoursOperations {
  return {
    list: async (caller) => {
      const room = readable(context, caller);
      const { organizationId } = caller;
      const configured = configuredHours(room.options, organizationId).map(unversioned);
      const records = (await room.tables?.listRecords({ organizationId, kinds: ['hours'] })) ?? [];
      const known = new Set(configured.map(({ actorId }) => actorId));
      const stored = records.map(storedHours).filter(({ actorId }) => !known.has(actorId));
      return [...configured, ...stored].sort((one, other) => compareText(one.actorId, other.actorId));
    },
    get: async (caller, { actorId }) => {
      const room = readable(context, caller, { actorId });
      const hours = await hoursIn(room, caller.organizationId, actorId);
      if (hours === undefined) throw noHours();
      return hours;
    },
    save: async (caller, { actorId, rules: given }, options) => {
      const tables = changeable(context, caller, { actorId });
      const rules = readRules(hoursSchema, given);
      return writeRecord(context, {
        tables,
        caller,
        key: hoursKey(actorId),
        operation: 'saveHours',
        command: { actorId, rules },
        options,
        decide: () => rules,
        answer: (record) => storedHours(present(record)),
      });
    },
    remove: async (caller, { actorId }, options) => {
      const tables = changeable(context, caller, { actorId });
      await writeRecord(context, {
        tables,
        caller,
        key: hoursKey(actorId),
        operation: 'removeHours',
        command: { actorId },
        options,
        decide: (record) => (present(record), 'remove'),
        answer: () => null,
      });
    },
    listExceptions: async (caller, { actorId, from, until }) => {
      const room = readable(context, caller, { actorId, dates: { from, until } });
      const { organizationId } = caller;
      const configured = configuredHours(room.options, organizationId).find((each) => each.actorId === actorId);
      if (configured !== undefined) return exceptionsOf(configured, { from, until });
      const query = {
        organizationId,
        kinds: ['exception'],
        scopeIds: [actorId],
        fromId: from,
        untilId: until,
      } as const;
      const records = await room.tables?.listRecords(query);
      return (records ?? []).map(storedException);
    },
    saveException: async (caller, { actorId, date, exception: given }, options) => {
      const tables = changeable(context, caller, { actorId, dates: { date } });
      const exception = readRules(exceptionSchema, given);
      if ((await findRecord(tables, caller.organizationId, hoursKey(actorId))) === undefined) throw noHours();
      return writeRecord(context, {
        tables,
        caller,
        key: exceptionKey({ actorId, date }),
        operation: 'saveException',
        command: { actorId, date, exception },
        options,
        decide: () => exception,
        answer: (record) => storedException(present(record)),
      });
    },
    removeException: async (caller, { actorId, date }, options) => {
      const tables = changeable(context, caller, { actorId, dates: { date } });
      await writeRecord(context, {
        tables,
        caller,
        key: exceptionKey({ actorId, date }),
        operation: 'removeException',
        command: { actorId, date },
        options,
        decide: (record) => {
          if (record === undefined) throw new CalendsError('not_found', 'There is no such exception.');
          return 'remove';
        },
        answer: () => null,
      });
    },
  };
}

const hoursKey = (actorId: string) => ({ kind: 'hours', scopeId: actorId, id: '' }) as const;

const exceptionKey = ({ actorId, date }: ExceptionKey) => ({ kind: 'exception', scopeId: actorId, id: date }) as const;

/** What names hours and exceptions in a call. */
interface Named {
  readonly actorId?: string;
  readonly dates?: Readonly<Record<string, string | undefined>>;
}

function readable(context: UseCaseContext, caller: Caller, named: Named = {}): AvailabilityRoom {
  const room = requireRoom(context);
  requireStaff(caller);
  readInput((issues) => {
    if ('actorId' in named) readId('/actorId', named.actorId, limits.agentId, issues);
    for (const [name, date] of Object.entries(named.dates ?? {})) {
      if (date !== undefined || name === 'date') readDate(`/${name}`, date, issues);
    }
  });
  return room;
}

function changeable(context: UseCaseContext, caller: Caller, named: Named & { readonly actorId: string }) {
  requireRoom(context);
  requireSupervisor(caller);
  const room = readable(context, caller, named);
  const configured = configuredHours(room.options, caller.organizationId);
  if (configured.some(({ actorId }) => actorId === named.actorId)) throw inSettings();
  return requireTables(room);
}

async function hoursIn(
  { options, tables, source }: AvailabilityRoom,
  organizationId: string,
  actorId: string,
): Promise<HoursRecord | undefined> {
  const configured = configuredHours(options, organizationId).find((each) => each.actorId === actorId);
  if (configured !== undefined) return unversioned(configured);
  if (tables !== undefined) {
    const record = await findRecord(tables, organizationId, hoursKey(actorId));
    return record && storedHours(record);
  }
  const day = new Date(0).toISOString().slice(0, 10);
  const [hours] = await source.hoursOf({ organizationId, actorIds: [actorId], days: { from: day, until: day } });
  return hours && unversioned(hours);
}

const unversioned = ({ actorId, timezone, weekly }: ActorHours): HoursRecord => ({
  actorId,
  // What becomes of an answer must not become of the settings.
  rules: plainCopy({ timezone, weekly }),
  version: 0,
});

function storedHours({ scopeId, document, version }: AvailabilityRecord): HoursRecord {
  return { actorId: scopeId, rules: document as unknown as HoursRules, version };
}

function storedException({ scopeId, id, document, version }: AvailabilityRecord): ExceptionRecord {
  return { actorId: scopeId, date: id, exception: document as unknown as HoursException, version };
}

function exceptionsOf(
  { actorId, exceptions }: ActorHours,
  { from = '', until = '9999-12-31' }: { readonly from?: string | undefined; readonly until?: string | undefined },
): readonly ExceptionRecord[] {
  return Object.entries(exceptions)
    .filter(([date]) => date >= from && date <= until)
    .sort(([one], [other]) => compareText(one, other))
    .map(([date, exception]) => ({ actorId, date, exception: plainCopy(exception), version: 0 }));
}

function present(record: AvailabilityRecord | undefined): AvailabilityRecord {
  if (record === undefined) throw noHours();
  return record;
}

function noHours(): CalendsError {
  return new CalendsError('not_found', 'There are no such hours.');
}
