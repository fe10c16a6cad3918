import type { AppointmentState, InteractionState, Role } from '@calends/model';
import type { Actor, Caller } from '../src/domain/calls/caller.js';
import type {
  AbortedAppointment,
  ActivatedAppointment,
  Appointment,
  AppointmentFields,
  CancelledAppointment,
  Participant,
  ScheduledAppointment,
} from '../src/domain/appointments/appointment.js';
import type { Interaction } from '../src/domain/appointments/interaction.js';

/** The moment at which most tests begin: no zone is near a change of its clocks. */
export const now = Date.UTC(2030, 4, 6, 8);
/** Start and end of the sample appointment: three hours from then, for half an hour. */
export const start = Date.UTC(2030, 4, 6, 11);
export const end = Date.UTC(2030, 4, 6, 11, 30);

export const customer: Participant = { id: 'customer-1', type: 'CUSTOMER', identity: 'identity-1' };
export const agent = (id: string): Participant => ({ id, type: 'AGENT' });
export const agentActor: Actor = { id: 'agent-1', type: 'AGENT', role: 'ROLE_AGENT' };

/** A caller of the sample organization. */
export function caller(role: Role | readonly Role[], more: Partial<Caller> = {}): Caller {
  const roles = typeof role === 'string' ? [role] : role;
  return { id: 'agent-1', organizationId: 'org-1', roles, ...more };
}

export function interaction(state: InteractionState, more: Partial<Interaction> = {}): Interaction {
  return { state, acceptedBy: [], customFields: {}, properties: {}, ...more };
}

const fields: AppointmentFields = {
  id: '019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a01',
  organizationId: 'org-1',
  applicationId: 'app-1',
  version: 3,
  scheduleVersion: 1,
  title: 'Consultation',
  notes: '',
  metadata: {},
  locale: 'en',
  schedule: { start, end, timezone: 'Europe/Athens' },
  notificationHeaders: {},
  notificationsActive: false,
  organizer: agent('agent-1'),
  participants: [agent('agent-2'), customer],
  targetAssignment: agent('agent-2'),
  interaction: interaction('PENDING'),
  customerReschedules: 0,
  createdAt: now,
  updatedAt: now,
};

export const access = { conferenceId: 'conference-1', roomUrl: 'https://rooms.example.org/1' };

export const scheduled = (more: Partial<AppointmentFields> = {}): ScheduledAppointment => ({
  ...fields,
  ...more,
  state: 'SCHEDULED',
});

export const activated = (more: Partial<AppointmentFields> = {}): ActivatedAppointment => ({
  ...fields,
  ...more,
  state: 'ACTIVATED',
  activatedAt: now,
  access,
});

export const cancelled = (more: Partial<AppointmentFields> = {}): CancelledAppointment => ({
  ...fields,
  interaction: interaction('CANCELLED'),
  ...more,
  state: 'CANCELLED',
  cancellation: { at: now, by: 'agent-9', reason: 'first reason' },
});

export const aborted = (more: Partial<AppointmentFields> = {}): AbortedAppointment => ({
  ...fields,
  interaction: interaction('CANCELLED'),
  ...more,
  state: 'ABORTED',
  abortedAt: now,
  abortReason: 'no room',
});

const makers = { SCHEDULED: scheduled, ACTIVATED: activated, CANCELLED: cancelled, ABORTED: aborted };

/** The sample appointment in a state. */
export function inState(state: AppointmentState, more: Partial<AppointmentFields> = {}): Appointment {
  return makers[state](more);
}
