import { activateAppointment } from './activate-appointment.js';
import { cancelAppointment, softDeleteAppointment } from './cancel-appointment.js';
import { confirmParticipant } from './confirm-participant.js';
import { addParticipant, removeParticipant } from './change-participants.js';
import { countAppointments, countOverlapping } from './count-appointments.js';
import { getAppointment } from './get-appointment.js';
import { abortAppointment, moveAppointmentInteraction } from './interaction-operations.js';
import { listAppointments } from './list-appointments.js';
import { listEligible } from './list-eligible.js';
import { reassignAppointment } from './reassign-appointment.js';
import { removeAppointment } from './remove-appointment.js';
import { rescheduleAppointment } from './reschedule-appointment.js';
import { scheduleAppointment, scheduleAsCustomer } from './schedule-appointment.js';
import { updateAppointment, updateParticipant } from './update-appointment.js';
import type { AppointmentOperations } from '../scheduling.js';
import type { UseCaseContext } from '../use-case/context.js';

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
    update: updateAppointment(context),
    activate: activateAppointment(context),
    reschedule: rescheduleAppointment(context),
    reassign: reassignAppointment(context),
    cancel: cancelAppointment(context),
    softDelete: softDeleteAppointment(context),
    remove: removeAppointment(context),
    moveInteraction: moveAppointmentInteraction(context),
    abort: abortAppointment(context),
    addParticipant: addParticipant(context),
    removeParticipant: removeParticipant(context),
    updateParticipant: updateParticipant(context),
    confirmParticipant: confirmParticipant(context),
  };
}
