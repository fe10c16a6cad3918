import { defaultOrganization, isWellFormedId, limits, parseDuration } from '@calends/model';
import { requireRoom } from './access.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { authorize } from '../../domain/appointments/access-policy.js';
import { type Caller, isStaff, requireApplication, widestRole } from '../../domain/calls/caller.js';
import { CalendsError, invalidField } from '../../domain/calls/errors.js';
import { type InputIssues, parsedText, readInput } from '../../domain/calls/input.js';
import { type KnownService, serviceIn, type ServiceQuery } from '../../ports/availability-source.js';
import type { AvailabilityRecord } from '../../ports/store/availability.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { CallOptions } from '../call-options.js';
import { notFound, presentAppointment } from '../change-appointment.js';
import type { UseCaseContext } from '../context.js';
import { type CustomerProof, customerProof } from '../customer-proof.js';
import type { FindQuery, Visitor } from './commands.js';
import { readId } from './read-rules.js';
import type { AvailabilityRoom } from './room.js';
import { noService } from './services.js';

/** What every question names. */
export type Named = Pick<FindQuery, 'applicationId' | 'serviceId' | 'agentIds' | 'appointmentId'>;

/** Who asks about a service, as far as it decides what they are told. */
export interface Asker {
  readonly room: AvailabilityRoom;
  readonly organizationId: string;
  readonly settings: ApplicationSettings;
  readonly service: KnownService;
  /** The record that the service was remembered by: whether it still stands, the statement of the search says. */
  readonly remembered: AvailabilityRecord | undefined;
  /** Absent for a visitor. */
  readonly caller: Caller | undefined;
  readonly proof: CustomerProof | undefined;
  /** Staff is told who is free, and who and what is in the way. */
  readonly isStaff: boolean;
  /** The appointment that is to be moved. */
  readonly appointment: Appointment | undefined;
  /** Of the service, in its order; of a customer who moves an appointment, that of the appointment only. */
  readonly durations: readonly number[];
}

/** What a visitor may do where the host opened it. */
type Opened = (room: AvailabilityRoom) => boolean | undefined;

function readNames({ applicationId, serviceId, agentIds }: Named, issues: InputIssues): void {
  readId('/applicationId', applicationId, limits.id, issues);
  readId('/serviceId', serviceId, limits.id, issues);
  if (issues.list('/agentIds', agentIds).length > limits.actors) {
    issues.add('/agentIds', 'too_many', `Must have at most ${String(limits.actors)} values.`);
  }
}

/** What is asked. */
interface Asked<Read> {
  readonly named: Named;
  readonly opened: Opened;
  /** Reads what else the question says. */
  readonly read: (issues: InputIssues) => Read;
  readonly options: CallOptions | undefined;
  /** Whether a service that is remembered can be asked so; absent = it is read again. */
  readonly mayRemember?: ((service: KnownService) => boolean) | undefined;
}

/**
 * Lets those ask who may: staff of the application, a customer about the appointment that they have a manage proof for, and
 * anybody where the host opened it. The form of the question is checked after who asks, and before anything is looked up
 * (D39).
 *
 * @throws CalendsError `unauthenticated` and `forbidden` for others, `validation_failed` for what the question says wrong,
 * `not_found` for an unknown service, agent or appointment
 */
export async function askerOf<Read>(
  context: UseCaseContext,
  by: Caller | Visitor,
  { named, read, opened, options, mayRemember }: Asked<Read>,
): Promise<{ readonly asker: Asker; readonly asked: Read }> {
  const room = requireRoom(context);
  const caller = knownCaller(by, named);
  if (caller === undefined) requireOpened(room, by, opened);
  const asked = readInput((issues) => {
    readNames(named, issues);
    return read(issues);
  });
  const { applicationId, serviceId, appointmentId } = named;
  const isStaffed = caller !== undefined && isStaff(caller);
  const proof =
    caller === undefined || appointmentId === undefined
      ? undefined
      : await customerProof(context, caller, appointmentId, 'reschedule', options);
  const settings = await context.applications.settingsOf(applicationId);
  const owner = settings.organizationId;
  const organizationId = caller?.organizationId ?? owner ?? defaultOrganization;
  if (isStaffed) requireApplication(caller, applicationId);
  if (owner !== undefined && owner !== organizationId) throw noService();
  const appointment =
    caller === undefined || appointmentId === undefined
      ? undefined
      : await movable(context, { caller, appointmentId, applicationId, proof, settings });
  const query = { organizationId, applicationId, serviceId };
  const remembered = mayRemember && rememberedService(room, query, mayRemember);
  const service = remembered?.service ?? (await room.source.serviceOf(query));
  const isOwn = appointment?.service?.id === serviceId;
  if (service === undefined || (!isOwn && (service.archived === true || proof !== undefined))) throw noService();
  requireCandidates(service, named.agentIds ?? []);
  const durations =
    proof === undefined || appointment === undefined
      ? distinct(service.durations.map((text) => parseDuration(text) ?? 0))
      : [appointment.schedule.end - appointment.schedule.start];
  return {
    asker: {
      room,
      organizationId,
      settings,
      service,
      remembered: remembered?.record,
      caller,
      proof,
      isStaff: isStaffed,
      appointment,
      durations,
    },
    asked,
  };
}

function rememberedService(
  { recent }: AvailabilityRoom,
  query: ServiceQuery,
  mayRemember: (service: KnownService) => boolean,
) {
  const record = recent?.of(query);
  if (record === undefined) return undefined;
  const service = serviceIn(record);
  return mayRemember(service) ? { service, record } : undefined;
}

/** Staff, and a customer who names an appointment; whoever else asks is one of the public. */
function knownCaller(by: Caller | Visitor, { appointmentId }: Named): Caller | undefined {
  if ('clientAddress' in by) return undefined;
  const moves = appointmentId !== undefined && widestRole(by) === 'ROLE_CUSTOMER';
  return isStaff(by) || moves ? by : undefined;
}

function requireOpened(room: AvailabilityRoom, by: Caller | Visitor, opened: Opened): void {
  if (opened(room) === true || ('clientAddress' in by && by.admitted === true)) return;
  if ('clientAddress' in by) throw new CalendsError('unauthenticated', 'Credentials are needed.');
  throw new CalendsError('forbidden', 'The operation is for staff, and for customers who move an appointment.');
}

/** The appointment that is to be moved, by one who may move it. */
async function movable(
  { store, clock }: UseCaseContext,
  by: {
    readonly caller: Caller;
    readonly appointmentId: string;
    readonly applicationId: string;
    readonly proof: CustomerProof | undefined;
    readonly settings: ApplicationSettings;
  },
): Promise<Appointment> {
  const { caller, appointmentId, applicationId, proof, settings } = by;
  const found = isWellFormedId(appointmentId)
    ? await store.appointments.find(caller.organizationId, appointmentId)
    : undefined;
  const appointment = presentAppointment(found, { proof });
  if (appointment.applicationId !== applicationId) throw notFound();
  authorize('get', { caller, appointment, settings, now: clock.now() });
  return appointment;
}

/** @throws CalendsError `not_found` for an agent whom the service does not name */
export function requireCandidates(service: KnownService, agentIds: readonly string[]): void {
  if (!hasCandidates(service, agentIds)) throw new CalendsError('not_found', 'There is no such agent.');
}

/** Whether a service names all these agents. */
export function hasCandidates({ requirements }: KnownService, agentIds: readonly string[]): boolean {
  const known = new Set(requirements.flatMap(({ kind, anyOf }) => (kind === 'agent' ? anyOf : [])));
  return agentIds.every((id) => known.has(id));
}

/** @throws CalendsError `invalid_schedule` for a duration that the service does not have */
export function requireDuration({ durations }: Pick<Asker, 'durations'>, duration: number): void {
  if (durations.includes(duration)) return;
  throw new CalendsError('invalid_schedule', 'The schedule is not acceptable.', {
    issues: [{ pointer: '/duration', code: 'invalid_value', detail: 'Must be one of the durations of the service.' }],
  });
}

/** The durations that are asked for, each of which the service must have. */
export function readDurations({ durations }: Pick<Asker, 'durations'>, asked: readonly string[] | undefined) {
  const read = asked?.map((text, place) => {
    const duration = parseDuration(parsedText(text));
    if (duration !== undefined && durations.includes(duration)) return duration;
    throw invalidField(`/durations/${String(place)}`, 'Must be one of the durations of the service.');
  });
  return read === undefined ? durations : distinct(read);
}

/** A host's own source may name a duration twice, and so may who asks; each is answered once. */
function distinct(durations: readonly number[]): readonly number[] {
  return [...new Set(durations)];
}
