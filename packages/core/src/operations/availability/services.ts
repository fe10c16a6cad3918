import { limits, type ServiceRules, serviceSchema } from '@calends/model';
import { mayBeOwnApplication, requireRoom, requireStaff, requireSupervisor } from './access.js';
import type { Caller } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { InputIssues, readInput } from '../../domain/calls/input.js';
import { configuredServices, type KnownService, serviceIn } from '../../ports/availability-source.js';
import type { AvailabilityRecord } from '../../ports/store/availability.js';
import { compareText } from '../../support/compare-text.js';
import { isAgent } from '../../ports/agent-directory.js';
import { plainCopy } from '../../support/plain-copy.js';
import type { UseCaseContext } from '../context.js';
import type { ServiceKey, ServiceRecord } from './commands.js';
import type { ServiceOperations } from './operations.js';
import { readId, readRules } from './read-rules.js';
import { inSettings, requireTables, writeRecord } from './records.js';
import type { AvailabilityRoom } from './room.js';

/** The operations on services. */
export function serviceOperations(context: UseCaseContext): ServiceOperations {
  return {
    list: async (caller, { applicationId }) => {
      const room = await readable(context, caller, applicationId);
      return room === undefined ? [] : servicesIn(room, caller.organizationId, applicationId);
    },
    get: async (caller, { applicationId, serviceId }) => {
      const room = await readableService(context, caller, { applicationId, serviceId });
      const services = room && (await servicesIn(room, caller.organizationId, applicationId, serviceId));
      const service = services?.find(({ id }) => id === serviceId);
      if (service === undefined) throw noService();
      return service;
    },
    save: async (caller, { rules: given, ...key }, options) => {
      const tables = await changeable(context, caller, key, foreignApplication);
      const rules = readRules(serviceSchema, given);
      await requireKnownAgents(context, caller.organizationId, key.applicationId, rules);
      return writeRecord(context, {
        tables,
        caller,
        key: recordKey(key),
        operation: 'saveService',
        command: { ...key, rules },
        options,
        decide: () => rules,
        answer: (record) => storedService(record),
      });
    },
    archive: async (caller, key, options) => {
      const tables = await changeable(context, caller, key, noService);
      await writeRecord(context, {
        tables,
        caller,
        key: recordKey(key),
        operation: 'archiveService',
        command: key,
        options,
        decide: (present) => {
          if (present === undefined) throw noService();
          return present.document['archived'] === true ? undefined : { ...present.document, archived: true };
        },
        answer: () => null,
      });
    },
  };
}

const recordKey = ({ applicationId, serviceId }: ServiceKey) =>
  ({ kind: 'service', scopeId: applicationId, id: serviceId }) as const;

/** A service of the caller's organization could not be found by others in an application of another one. */
const foreignApplication = (): CalendsError =>
  new CalendsError('forbidden', 'The credentials do not cover this application.');

/** `undefined` for an application of another organization. */
async function readable(
  context: UseCaseContext,
  caller: Caller,
  applicationId: string,
  readMore: (issues: InputIssues) => void = () => undefined,
): Promise<AvailabilityRoom | undefined> {
  const room = requireRoom(context);
  requireStaff(caller);
  readInput((issues) => {
    readId('/applicationId', applicationId, limits.id, issues);
    readMore(issues);
  });
  return (await mayBeOwnApplication(context, caller, applicationId)) ? room : undefined;
}

function readableService(context: UseCaseContext, caller: Caller, { applicationId, serviceId }: ServiceKey) {
  return readable(context, caller, applicationId, (issues) => {
    readId('/serviceId', serviceId, limits.id, issues);
  });
}

async function changeable(context: UseCaseContext, caller: Caller, key: ServiceKey, refusal: () => CalendsError) {
  requireRoom(context);
  requireSupervisor(caller);
  const room = await readableService(context, caller, key);
  if (room === undefined) throw refusal();
  const configured = configuredServices(room.options, key.applicationId);
  if (configured.some(({ id }) => id === key.serviceId)) throw inSettings();
  return requireTables(room);
}

/** All services, archived ones too, by id; those of settings and of a host's own source have the version 0. */
async function servicesIn(
  { tables, source, options }: AvailabilityRoom,
  organizationId: string,
  applicationId: string,
  serviceId?: string,
): Promise<readonly ServiceRecord[]> {
  const unversioned = ({ id, archived = false, ...rules }: KnownService): ServiceRecord => ({
    applicationId,
    id,
    // What becomes of an answer must not become of the settings.
    rules: plainCopy(rules),
    archived,
    version: 0,
  });
  if (tables === undefined) {
    const query = { organizationId, applicationId };
    if (serviceId === undefined) return (await source.servicesOf(query)).map(unversioned);
    const service = await source.serviceOf({ ...query, serviceId });
    return service === undefined ? [] : [unversioned(service)];
  }
  const configured = configuredServices(options, applicationId).map(unversioned);
  const scope = { organizationId, kinds: ['service'], scopeIds: [applicationId] } as const;
  const records = await tables.listRecords({ ...scope, fromId: serviceId, untilId: serviceId });
  const ids = new Set(configured.map(({ id }) => id));
  const stored = records.map(storedService).filter(({ id }) => !ids.has(id));
  return [...configured, ...stored].sort((one, other) => compareText(one.id, other.id));
}

function storedService(record: AvailabilityRecord | undefined): ServiceRecord {
  if (record === undefined) throw noService();
  const { id, archived = false, ...rules } = serviceIn(record);
  return { applicationId: record.scopeId, id, rules, archived, version: record.version };
}

/** @throws CalendsError `validation_failed` with the place of every agent whom the directory does not know (D22) */
async function requireKnownAgents(
  context: UseCaseContext,
  organizationId: string,
  applicationId: string,
  { requirements }: ServiceRules,
): Promise<void> {
  const issues = new InputIssues();
  for (const [at, { kind, anyOf }] of requirements.entries()) {
    if (kind !== 'agent') continue;
    for (const [place, agentId] of anyOf.entries()) {
      if (await isAgent(context.agentDirectory, { organizationId, applicationId, agentId })) continue;
      const pointer = `/requirements/${String(at)}/anyOf/${String(place)}`;
      issues.add(pointer, 'invalid_value', "Must be the id of one of the organization's agents.");
    }
  }
  issues.throwIfAny();
}

/** An unknown service, and one of an application that the caller may not know, are the same. */
export function noService(): CalendsError {
  return new CalendsError('not_found', 'There is no such service.');
}
