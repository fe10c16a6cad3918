import { defaultOrganization, type Instant } from '@calends/model';
import { proofOf } from '../../domain/audit/audit-entry.js';
import { type Actor, actorOf, type Caller, hasRole, isStaff, mayUseApplication } from '../../domain/calls/caller.js';
import { bookedCustomers, type ContactProof, isNamed } from './booked-customers.js';
import type { OtpConsumption } from '../../domain/customers/proofs.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { readInput } from '../../domain/calls/input.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import { withoutIdentities } from '../../domain/appointments/participants.js';
import { isActivationDue } from '../../domain/appointments/due-steps.js';
import { activated } from '../room.js';
import type { UseCaseContext } from '../context.js';
import { fieldsOf } from '../../support/host-answers.js';
import { noteRefusedCode } from '../noted-refusals.js';
import { proofIn } from '../proofs/otp/read-proof.js';
import { type Completion, once } from '../once.js';
import { insist, write } from '../unit-of-work.js';
import { requireRoom } from '../availability/access.js';
import {
  chooseBooking,
  type ChosenBooking,
  serviceOf,
  withActors,
  withoutDurationBounds,
} from '../availability/booking.js';
import { requireNoOverrides, serviceRequired } from '../availability/service-request.js';
import { Tries } from '../availability/tries.js';
import { overlapGuard } from '../overlap.js';
import type { Appointment, Participant, ScheduledAppointment } from '../../domain/appointments/appointment.js';
import { requireAgent } from '../../ports/agent-directory.js';
import type { ScheduleCommand } from './commands.js';
import type { ScheduleOptions } from '../call-options.js';
import { readScheduleCommand, type ScheduleFields } from './schedule-command.js';
import { requireAcceptable } from '../../domain/appointments/schedule.js';

/** Basic credentials of a customer who books with a one-time password (D44). */
export interface CustomerCredentials {
  readonly username: string;
  readonly code: string;
}

/** Who schedules: a caller with a token, or a customer who proved to be one. */
interface Scheduler {
  readonly organizationId: string;
  readonly caller: Caller | undefined;
  /** What the code of a customer proved; absent for a caller. */
  readonly proof?: ContactProof | undefined;
  /** Used up in the commit. */
  readonly otp?: OtpConsumption | undefined;
}

/** Schedules for a caller with a token (spec: Endpoints, rule 2). */
export function scheduleAppointment(context: UseCaseContext) {
  return (caller: Caller, command: ScheduleCommand, options?: ScheduleOptions): Promise<Appointment> => {
    const run = async (complete?: Completion<Appointment>): Promise<Appointment> => {
      if (!isStaff(caller)) requireNoOverrides(command);
      const fields = readScheduleCommand(command, context);
      const settings = await context.applications.settingsOf(fields.applicationId);
      const foreign = settings.organizationId !== undefined && settings.organizationId !== caller.organizationId;
      if (foreign || !mayUseApplication(caller, fields.applicationId)) {
        throw new CalendsError('forbidden', 'The credentials do not cover this application.');
      }
      const scheduler = { organizationId: caller.organizationId, caller };
      return create(context, { scheduler, command, fields, settings, options, complete });
    };
    return options?.idempotency === undefined ? run() : once(context, { caller, command, options }, run);
  };
}

/** Schedules for a customer with a one-time password (spec: Endpoints, rule 5; D44). */
export function scheduleAsCustomer(context: UseCaseContext) {
  return async (
    credentials: CustomerCredentials,
    command: ScheduleCommand,
    options?: ScheduleOptions,
  ): Promise<Appointment> => {
    if (typeof fieldsOf(credentials)['username'] !== 'string' || typeof credentials.code !== 'string') {
      throw unauthenticated();
    }
    requireNoOverrides(command);
    const fields = readScheduleCommand(command, context);
    const [first] = fields.customers;
    if (first === undefined || !isNamed(credentials.username, first)) {
      throw new CalendsError('forbidden', 'The credentials are not those of the customer.');
    }
    const settings = await context.applications.settingsOf(fields.applicationId);
    const organizationId = settings.organizationId ?? defaultOrganization;
    const run = async (complete?: Completion<Appointment>): Promise<Appointment> => {
      const { username, code } = credentials;
      const { primaryEmail: email, primaryPhone: phone } = first;
      const attempt = {
        organizationId,
        applicationId: fields.applicationId,
        username,
        code,
        contact: { email, phone },
      };
      const verdict = await context.otpVerifier.verify(attempt);
      if (verdict === false || verdict === 'spent') {
        const { applicationId } = fields;
        await noteRefusedCode(context, { organizationId, applicationId, spent: verdict === 'spent', options });
        throw unauthenticated();
      }
      const { consumption, sentTo } = proofIn(verdict);
      const scheduler = { organizationId, caller: undefined, proof: { username, sentTo }, otp: consumption };
      return create(context, { scheduler, command, fields, settings, options, complete });
    };
    if (options?.idempotency === undefined) return run();
    const { applicationId } = fields;
    const ids = context.requestHashes.callerIdsOf({ organizationId, applicationId, ...credentials });
    const [id = '', ...formerIds] = ids;
    return once(context, { caller: { organizationId, id }, formerIds, command, options }, run);
  };
}

function unauthenticated(): CalendsError {
  return new CalendsError('unauthenticated', 'The credentials are not valid.');
}

interface Creation {
  readonly scheduler: Scheduler;
  readonly command: ScheduleCommand;
  readonly fields: ScheduleFields;
  readonly settings: ApplicationSettings;
  readonly options: ScheduleOptions | undefined;
  /** Absent = the answer is not kept. */
  readonly complete?: Completion<Appointment> | undefined;
}

async function create(context: UseCaseContext, creation: Creation): Promise<Appointment> {
  const { scheduler, fields, settings } = creation;
  const { organizationId, caller } = scheduler;
  const now = context.clock.now();
  const { targetAssignment, request } = fields;
  requireAcceptable(fields.schedule, request === undefined ? settings : withoutDurationBounds(settings), now);
  if (request === undefined && caller === undefined) await requireServiceWhereNeeded(context, creation);
  if (targetAssignment?.type === 'AGENT') {
    const query = {
      organizationId,
      applicationId: fields.applicationId,
      agentId: targetAssignment.id,
    };
    await requireAgent(context.agentDirectory, query, '/targetAssignment/id', 'invalid_agent');
  }
  if (request?.serviceId === undefined) return createOnce(context, creation, { now });
  const room = requireRoom(context);
  const { applicationId, schedule } = fields;
  const place = { organizationId, applicationId };
  const service = await serviceOf(room, { ...place, serviceId: request.serviceId });
  const agentId = targetAssignment?.type === 'AGENT' ? targetAssignment.id : undefined;
  const booking = {
    room,
    ...place,
    settings,
    service,
    schedule,
    request,
    agentId,
    staff: caller && isStaff(caller) ? caller : undefined,
  };
  const tries = new Tries();
  return insist('time', async () => {
    const chosen = await chooseBooking(context, booking);
    tries.begin(chosen);
    try {
      return await createOnce(context, creation, { now, chosen });
    } catch (error) {
      if (tries.again(error)) return undefined;
      throw error;
    }
  });
}

/** Makes the appointment, with whom the service gave it, and writes it. */
async function createOnce(
  context: UseCaseContext,
  creation: Creation,
  { now, chosen }: { readonly now: Instant; readonly chosen?: ChosenBooking },
): Promise<Appointment> {
  const { scheduler, fields, settings, options, complete } = creation;
  const { organizationId, caller } = scheduler;
  const customers = bookedCustomers(context, fields.customers, { settings, ...scheduler });
  const made = newAppointment(
    context,
    creation,
    customers.map((each) => each.participant),
    now,
  );
  const scheduled = chosen === undefined ? made : { ...made, ...withActors(made, chosen) };
  const isDue = isActivationDue(scheduled, settings, now);
  const appointment = isDue ? await activated(context, scheduled, settings, now) : scheduled;
  const answer = complete === undefined ? appointment : withoutIdentities(appointment);
  const actor: Actor =
    caller === undefined
      ? { id: customers[0]?.participant.id ?? '', type: 'CUSTOMER', role: 'ROLE_CUSTOMER' }
      : actorOf(caller);
  const profiles = customers.map(({ details, participant }) => ({
    organizationId,
    appointmentId: appointment.id,
    participantId: participant.id,
    ...details,
  }));
  const written = await write(context, {
    organizationId,
    decision: {
      next: appointment,
      event: { type: 'APCreatedEvent' },
      customers: profiles,
      guard: overlapGuard(context, appointment, settings),
      limits: chosen?.limits,
      holds: chosen?.holds,
      auditedAs: (fields.request?.overrides.length ?? 0) > 0 ? 'scheduleByOverride' : undefined,
    },
    settings,
    now,
    operation: caller === undefined ? 'scheduleAsCustomer' : 'schedule',
    caller,
    actor,
    auditProof: caller === undefined ? 'otp' : proofOf(caller),
    otp: scheduler.otp,
    request: complete?.(answer),
    options,
  });
  if (!written) throw new CalendsError('internal', 'The id of the new appointment is taken.');
  return answer;
}

/** @throws CalendsError `validation_failed` where a customer must name a service, and did not */
async function requireServiceWhereNeeded(
  { availability }: UseCaseContext,
  { scheduler: { organizationId }, fields: { applicationId }, settings }: Creation,
): Promise<void> {
  const { service } = settings.customerCreate;
  if (availability === undefined || service === 'optional') return;
  const isRequired =
    service === 'required' || (await availability.source.servicesOf({ organizationId, applicationId })).length > 0;
  if (isRequired) throw serviceRequired();
}

function newAppointment(
  context: UseCaseContext,
  { scheduler, command, fields, settings, options }: Creation,
  customers: readonly Participant[],
  now: number,
): ScheduledAppointment {
  const { targetAssignment, customFields, customers: _, request: __, ...said } = fields;
  const asked = command.interaction?.routing;
  const defaults = { application: settings.routing, chatModes: options?.chatModes };
  const routing = readInput((issues) => context.routing.resolve(asked, defaults, issues));
  const agents = targetAssignment?.type === 'AGENT' ? [targetAssignment] : [];
  return {
    id: context.ids.next(),
    organizationId: scheduler.organizationId,
    state: 'SCHEDULED',
    version: 1,
    scheduleVersion: 0,
    notificationHeadersBy: scheduler.caller === undefined ? 'CUSTOMER' : undefined,
    notificationsActive: settings.notifications.active,
    organizer: organizerOf(scheduler, agents[0], settings),
    participants: [...agents, ...customers],
    targetAssignment,
    interaction: { state: 'PENDING', acceptedBy: [], customFields, properties: {}, routing },
    customerReschedules: 0,
    createdAt: now,
    updatedAt: now,
    ...said,
    locale: said.locale ?? settings.locale,
  };
}

/** The creating agent; else the target agent, the application's default agent, or the system (D10). */
function organizerOf(
  { caller }: Scheduler,
  target: Participant | undefined,
  { defaultAgent }: ApplicationSettings,
): Participant {
  if (caller !== undefined && hasRole(caller, 'ROLE_AGENT')) return { id: caller.id, type: 'AGENT' };
  if (target !== undefined) return target;
  if (defaultAgent !== undefined) return { id: defaultAgent, type: 'AGENT' };
  return { id: caller?.id ?? 'system', type: 'SYSTEM' };
}
