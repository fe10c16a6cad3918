import {
  faultWords,
  type HeaderReading,
  limits,
  parseLocale,
  type PartyType,
  partyTypes,
  readHeaderText,
} from '@calends/model';
import { readCustomer } from './booked-customers.js';
import type { CustomerDetails } from '../../domain/customers/profile.js';
import { type InputIssues, readInput } from '../../domain/calls/input.js';
import type { AppointmentFields, Participant, Schedule } from '../../domain/appointments/appointment.js';
import type { ScheduleCommand, UpdateCommand, WrittenFields } from './commands.js';
import { readServiceFields, type ServiceRequest } from '../availability/service-request.js';
import type { UseCaseContext } from '../context.js';
import { readSchedule } from '../../domain/appointments/schedule.js';

/** How each field is read that anyone may write; absent and `null` are the same as empty. */
const readers: {
  readonly [Name in keyof WrittenFields]-?: (
    value: WrittenFields[Name],
    issues: InputIssues,
  ) => AppointmentFields[Name];
} = {
  title: (value, issues) => issues.text('/title', value, limits.title) ?? '',
  notes: (value, issues) => issues.text('/notes', value, limits.notes) ?? '',
  metadata: (value, issues) => issues.jsonObject('/metadata', value),
};

/** These fields of an appointment. */
type ReadFields = Pick<AppointmentFields, keyof WrittenFields>;

function readFields(given: WrittenFields, issues: InputIssues): ReadFields {
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, read(given[name as keyof WrittenFields] as never, issues)]),
  ) as unknown as ReadFields;
}

/** Reads what an update gives: absent keeps; `""`, `{}` and `null` clear (D2). */
export function readUpdate(command: UpdateCommand, issues: InputIssues): Partial<ReadFields> {
  const read = readFields(command, issues);
  const given = Object.entries(read).filter(([name]) => command[name as keyof WrittenFields] !== undefined);
  return Object.fromEntries(given);
}

/** A schedule command whose form is right. */
export interface ScheduleFields extends ReadFields {
  readonly applicationId: string;
  readonly schedule: Schedule;
  readonly customers: readonly CustomerDetails[];
  readonly locale: string | undefined;
  readonly notificationHeaders: Readonly<Record<string, string>>;
  readonly targetAssignment: Participant | undefined;
  readonly customFields: Readonly<Record<string, string>>;
  /** Absent = without a service. */
  readonly request: ServiceRequest | undefined;
}

/**
 * Reads the command (D1 to D8).
 *
 * @throws CalendsError `validation_failed` with everything that is wrong
 */
export function readScheduleCommand(
  command: ScheduleCommand,
  context: Pick<UseCaseContext, 'availability'>,
): ScheduleFields {
  return readInput((issues) => {
    // First, so that its faults are told first.
    const beginning = {
      applicationId: issues.requiredText('/applicationId', command.applicationId, limits.id),
      schedule: readSchedule(command, issues),
      customers: readCustomers(command, issues),
      ...readFields(command, issues),
    };
    return {
      locale: readLocale(command.locale, issues),
      notificationHeaders: readHeaders(command.notificationHeaders ?? '', issues),
      targetAssignment: readTarget(command.targetAssignment, issues),
      customFields: readCustomFields(command.interaction, issues),
      request: readNamedService(command, context, issues),
      ...beginning,
    };
  });
}

/** A booking with a hold, or over rules, names the service of them. */
function readNamedService(
  command: ScheduleCommand,
  context: Pick<UseCaseContext, 'availability'>,
  issues: InputIssues,
): ServiceRequest | undefined {
  const { serviceId, holdToken, overrideRules } = command;
  if ([serviceId, holdToken, overrideRules].every((field) => field === undefined || field === null)) return undefined;
  const request = readServiceFields(command, context, issues);
  if (request !== undefined && request.serviceId === undefined && !issues.has('/serviceId')) {
    issues.add('/serviceId', 'required', faultWords.required);
  }
  return request;
}

/** Reads an optional language tag (D6). */
export function readLocale(value: string | null | undefined, issues: InputIssues): string | undefined {
  const text = issues.text('/locale', value, limits.locale);
  if (text === undefined || text === '') return undefined;
  const locale = parseLocale(text);
  if (locale === undefined) {
    issues.add('/locale', 'invalid_value', 'Must be a BCP 47 language tag.');
  }
  return locale;
}

const headerFaults = {
  not_a_string_map: 'Must be a flat JSON map of texts.',
  too_many: faultWords.tooMany(limits.headerEntries),
  too_long: `Must have at most ${String(limits.headerBytes)} bytes.`,
  name: 'Names must be RFC 9110 tokens, each once.',
  reserved: 'Must not have reserved names.',
  value: 'Values must be Latin 1 without control characters.',
} as const;

/** Takes a header map, or says what is wrong with it (D7). */
export function acceptHeaders(reading: HeaderReading, issues: InputIssues): Readonly<Record<string, string>> {
  if (reading.ok) return reading.headers;
  issues.add('/notificationHeaders', `invalid_${reading.fault}`, headerFaults[reading.fault]);
  return {};
}

const readHeaders = (text: string, issues: InputIssues): Readonly<Record<string, string>> =>
  text === '' ? {} : acceptHeaders(readHeaderText(text), issues);

function readCustomers(command: ScheduleCommand, issues: InputIssues): readonly CustomerDetails[] {
  const given: unknown = command.customers;
  if (!Array.isArray(given) || given.length === 0) {
    issues.add('/customers', 'required', 'Must have at least one customer.');
    return [];
  }
  if (given.length > limits.customers) {
    issues.add('/customers', 'too_many', `Must have at most ${String(limits.customers)} customers.`);
    return [];
  }
  return command.customers.map((customer, index) => readCustomer(`/customers/${String(index)}`, customer, issues));
}

function readTarget(target: ScheduleCommand['targetAssignment'], issues: InputIssues): Participant | undefined {
  if (target === undefined || target === null) return undefined;
  const type = target.type ?? 'AGENT';
  if (!partyTypes.some((known) => known === type)) {
    issues.add('/targetAssignment/type', 'invalid_value', 'Must be AGENT, CUSTOMER or SYSTEM.');
  }
  const id = issues.requiredText('/targetAssignment/id', target.id, limits.agentId);
  return { id, type: type as PartyType };
}

function readCustomFields(
  interaction: ScheduleCommand['interaction'],
  issues: InputIssues,
): Readonly<Record<string, string>> {
  if (interaction === undefined || interaction === null || !issues.isObject('/interaction', interaction)) return {};
  return issues.textMap('/interaction/customFields', interaction.customFields);
}
