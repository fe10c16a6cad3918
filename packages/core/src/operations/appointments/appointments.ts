import type { AppointmentSortField } from '@calends/model';
import type { Appointment } from '../../domain/appointments/appointment.js';
import type { Caller } from '../../domain/calls/caller.js';
import type { Page } from '../page.js';
import type { CallOptions, ScheduleOptions } from '../call-options.js';
import { changing } from '../change-appointment.js';
import type { UseCaseContext } from '../context.js';
import {
  aborting,
  activateAppointment,
  cancelling,
  movingInteraction,
  reassigning,
  removeAppointment,
  rescheduling,
  softDeleting,
} from './changes.js';
import type {
  AbortCommand,
  AddParticipantCommand,
  CancelCommand,
  ConfirmParticipantCommand,
  CountQuery,
  ListAppointmentsQuery,
  MoveInteractionCommand,
  ReassignCommand,
  RemoveParticipantCommand,
  RescheduleCommand,
  ScheduleCommand,
  UpdateCommand,
  UpdateParticipantCommand,
  WindowCount,
} from './commands.js';
import { countAppointments, countOverlapping } from './count-appointments.js';
import { adding, confirming, removing } from './participant-changes.js';
import { getAppointment, listAppointments, listEligible } from './read-appointments.js';
import { type CustomerCredentials, scheduleAppointment, scheduleAsCustomer } from './schedule-appointment.js';
import { updating, updatingParticipant } from './update-appointment.js';

/**
 * Every operation on appointments.
 *
 * All reject with a `CalendsError`: `validation_failed` and the like for bad input, `not_found` for what is
 * unknown or of another organization, `forbidden` or `not_assigned` where the access policy says no; faults
 * of the store are `StoreError`. Concurrent calls on one appointment are decided one after the other; an
 * operation that changes nothing answers the appointment as it is and emits no event.
 */
export interface AppointmentOperations {
  /** Schedules an appointment (spec: Endpoints, rule 2). */
  schedule(caller: Caller, command: ScheduleCommand, options?: ScheduleOptions): Promise<Appointment>;
  /**
   * Schedules an appointment for a customer who proves to be one of its customers (spec: Endpoints, rule 5).
   *
   * Rejects with `forbidden` when the user name is not that of the first customer, `unauthenticated` when the
   * code is wrong, expired or used (D44).
   */
  scheduleAsCustomer(
    credentials: CustomerCredentials,
    command: ScheduleCommand,
    options?: ScheduleOptions,
  ): Promise<Appointment>;
  /** The appointment; a customer with manage claims sees only their own participant (D42, D43). */
  get(caller: Caller, id: string, options?: CallOptions): Promise<Appointment>;
  /** A page of appointments; total 0 is an empty page here, the HTTP adapter makes it 404 (D30). */
  list(caller: Caller, query: ListAppointmentsQuery): Promise<Page<Appointment, AppointmentSortField>>;
  /**
   * All scheduled appointments that are not activated, by id, as they are read; `timeFrame` does not narrow (D24). An agent gets
   * those that `get` would answer.
   *
   * Reads a page when it is asked for more, and holds no connection between two pages. What changes meanwhile may be
   * there or not, never twice (D69). Faults, `validation_failed` too, come when the first or the next one is asked for.
   *
   * @example
   * ```ts
   * import { createScheduling } from '@calends/core';
   * import { memoryStore } from '@calends/store-memory';
   *
   * const scheduling = createScheduling({
   *   store: memoryStore(),
   *   secret: 'at least thirty-two bytes, the same everywhere',
   * });
   * const caller = { id: 'service-1', organizationId: 'org-1', roles: ['ROLE_CLIENT_SERVICE'] } as const;
   * for await (const { id } of scheduling.appointments.listEligible(caller)) console.log(id);
   * ```
   */
  listEligible(caller: Caller, query?: { readonly timeFrame?: string | undefined }): AsyncIterable<Appointment>;
  /** Live appointments that start in each window (D27). */
  count(caller: Caller, query: CountQuery): Promise<readonly WindowCount[]>;
  /** Live appointments that intersect each window (D29). */
  countOverlapping(caller: Caller, query: CountQuery): Promise<readonly WindowCount[]>;
  /** Changes title, notes, metadata, headers, or a customer's profile (spec: Endpoints, rule 3). */
  update(caller: Caller, command: UpdateCommand, options?: CallOptions): Promise<Appointment>;
  /** Opens the appointment for joining (spec: States; D18). */
  activate(caller: Caller, id: string, options?: CallOptions): Promise<Appointment>;
  /** Moves the appointment (spec: Endpoints, rule 7; D20). */
  reschedule(caller: Caller, command: RescheduleCommand, options?: CallOptions): Promise<Appointment>;
  /** Gives the appointment to another agent (spec: Endpoints, rule 6; D22). */
  reassign(caller: Caller, command: ReassignCommand, options?: CallOptions): Promise<Appointment>;
  /** Cancels and emits APCancelledEvent (spec: Endpoints, rule 10; D16). */
  cancel(caller: Caller, command: CancelCommand, options?: CallOptions): Promise<Appointment>;
  /** Cancels and emits APDeletedEvent: the deprecated v2 DELETE (spec: Endpoints, rule 8). */
  softDelete(caller: Caller, id: string, options?: CallOptions): Promise<Appointment>;
  /** Removes the record for good, from any state: v1 DELETE (spec: States; D25). */
  remove(caller: Caller, id: string, options?: CallOptions): Promise<void>;
  /** Moves the interaction (D14). No HTTP route. */
  moveInteraction(caller: Caller, command: MoveInteractionCommand, options?: CallOptions): Promise<Appointment>;
  /** Ends the appointment as failed (D15). No HTTP route. */
  abort(caller: Caller, command: AbortCommand, options?: CallOptions): Promise<Appointment>;
  /** Adds an agent or a customer. No HTTP route. */
  addParticipant(caller: Caller, command: AddParticipantCommand, options?: CallOptions): Promise<Appointment>;
  /** Removes an agent or a customer; the last customer stays. No HTTP route. */
  removeParticipant(caller: Caller, command: RemoveParticipantCommand, options?: CallOptions): Promise<Appointment>;
  /** Changes a customer's profile. No HTTP route. */
  updateParticipant(caller: Caller, command: UpdateParticipantCommand, options?: CallOptions): Promise<Appointment>;
  /**
   * Confirms a customer of a customer-create: from then on messages go over every address of theirs, and the address
   * recognises them in the overlap guard (D62, D64). One APParticipantUpdatedEvent, none for who is confirmed.
   *
   * Rejects with `not_found` for anyone who is no customer of the appointment, `invalid_state` when it was cancelled or
   * aborted. No HTTP route of its own: an update with that `customer.id` does the same.
   */
  confirmParticipant(caller: Caller, command: ConfirmParticipantCommand, options?: CallOptions): Promise<Appointment>;
}

/** The operations on appointments. */
export function appointmentOperations(context: UseCaseContext): AppointmentOperations {
  return { ...operationsWithoutCodes(context), scheduleAsCustomer: scheduleAsCustomer(context) };
}

/** Those that take no one-time password. */
export function operationsWithoutCodes(context: UseCaseContext): Omit<AppointmentOperations, 'scheduleAsCustomer'> {
  return {
    schedule: scheduleAppointment(context),
    get: getAppointment(context),
    list: listAppointments(context),
    listEligible: listEligible(context),
    count: countAppointments(context),
    countOverlapping: countOverlapping(context),
    update: changing(context, 'update', updating),
    activate: activateAppointment(context),
    reschedule: changing(context, 'reschedule', rescheduling),
    reassign: changing(context, 'reassign', reassigning),
    cancel: changing(context, 'cancel', cancelling),
    softDelete: changing(context, 'softDelete', softDeleting),
    remove: removeAppointment(context),
    moveInteraction: changing(context, 'moveInteraction', movingInteraction),
    abort: changing(context, 'abort', aborting),
    addParticipant: changing(context, 'addParticipant', adding),
    removeParticipant: changing(context, 'removeParticipant', removing),
    updateParticipant: changing(context, 'updateParticipant', updatingParticipant),
    confirmParticipant: changing(context, 'confirmParticipant', confirming),
  };
}
