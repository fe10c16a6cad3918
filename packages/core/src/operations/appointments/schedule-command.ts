import { type HeaderReading, limits, parseLocale, type PartyType, partyTypes, readHeaderText } from '@calends/model';
import { readCustomer } from './customer-input.js';
import { type CustomerDetails } from '../../domain/customers/profile.js';
import { InputIssues } from '../../domain/calls/input.js';
import type { Metadata, Participant, Schedule } from '../../domain/appointments/appointment.js';
import type { ScheduleCommand } from './commands.js';
import { readSchedule } from '../../domain/appointments/schedule.js';

/** A schedule command whose form is right. */
export interface ScheduleFields {
  readonly applicationId: string;
  readonly schedule: Schedule;
  readonly customers: readonly CustomerDetails[];
  readonly title: string;
  readonly notes: string;
  readonly metadata: Metadata;
  readonly locale: string | undefined;
  readonly notificationHeaders: Readonly<Record<string, string>>;
  readonly targetAssignment: Participant | undefined;
  readonly customFields: Readonly<Record<string, string>>;
}

/**
 * Reads the command (D1 to D8).
 *
 * @throws CalendsError `validation_failed` with everything that is wrong
 */
export function readScheduleCommand(command: ScheduleCommand): ScheduleFields {
  const issues = new InputIssues();
  const fields: ScheduleFields = {
    applicationId: issues.requiredText('/applicationId', command.applicationId, limits.id),
    schedule: readSchedule(command, issues),
    customers: readCustomers(command, issues),
    title: issues.text('/title', command.title, limits.title) ?? '',
    notes: issues.text('/notes', command.notes, limits.notes) ?? '',
    metadata: issues.jsonObject('/metadata', command.metadata),
    locale: readLocale(command.locale, issues),
    notificationHeaders: acceptHeaders(readHeaderText(command.notificationHeaders ?? ''), issues),
    targetAssignment: readTarget(command.targetAssignment, issues),
    customFields: issues.textMap('/interaction/customFields', command.interaction?.customFields),
  };
  issues.throwIfAny();
  return fields;
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
  too_many: 'Must have at most 32 entries.',
  too_long: 'Must have at most 8192 bytes.',
  name: 'Names must be RFC 9110 tokens, each once.',
  reserved: 'Must not have reserved names.',
  value: 'Values must not have control characters.',
} as const;

/** Takes a header map, or says what is wrong with it (D7). */
export function acceptHeaders(reading: HeaderReading, issues: InputIssues): Readonly<Record<string, string>> {
  if (reading.ok) return reading.headers;
  issues.add('/notificationHeaders', `invalid_${reading.fault}`, headerFaults[reading.fault]);
  return {};
}

function readCustomers(command: ScheduleCommand, issues: InputIssues): readonly CustomerDetails[] {
  const given: unknown = command.customers;
  if (!Array.isArray(given) || given.length === 0) {
    issues.add('/customers', 'required', 'Must have at least one customer.');
    return [];
  }
  if (given.length > limits.customers) {
    const most = String(limits.customers);
    issues.add('/customers', 'too_many', `Must have at most ${most} customers.`);
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
