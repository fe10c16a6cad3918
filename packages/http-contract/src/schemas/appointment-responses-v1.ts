import * as z from 'zod';
import { partyTypes } from '@calends/model';
import { response, responseObject } from '../wire-documentation.js';
import { instant, oneOf, pageOf, text } from './answers.js';
import { appointmentFields, interactionFields, participantSchema } from './appointment-responses.js';

const interaction = responseObject(
  'InteractionV1',
  'Routing of the customer through a chat or messaging channel (v1).',
  interactionFields,
);

const organizer = responseObject('OrganizerV1', 'Who organizes the appointment (v1).', {
  id: text('Id of the organizer.'),
  type: oneOf(partyTypes, 'Kind.'),
  state: text('`ACTIVE`.'),
});

const access = { expires: instant('Until when the address works.'), url: text('Address of the room.') };

const roomAccess = responseObject('RoomAccess', 'Access details of an activated appointment.', access);

/** Answer of v1 activation (spec: v1 shape differences). */
export const appointmentActivationResponseSchema = responseObject(
  'AppointmentActivationResponse',
  'Access details of the activated appointment (v1).',
  access,
);
/** Answer of v1 activation. */
export type AppointmentActivationResponse = z.infer<typeof appointmentActivationResponseSchema>;

/** An appointment in v1 answers (spec: v1 shape differences). */
export const appointmentResponseV1Schema = responseObject('AppointmentResponseV1', 'An appointment (v1).', {
  ...appointmentFields,
  interaction,
  organizer,
  participantIds: response(z.array(participantSchema), 'Customers and agents.'),
  roomAccess: response(roomAccess.optional(), 'Absent unless the appointment is activated, and from list items.'),
});
/** An appointment in v1 answers. */
export type AppointmentResponseV1 = z.infer<typeof appointmentResponseV1Schema>;

/** A page of appointments (spec: Paged envelope). */
export const findAppointmentsResponsePagedV1Schema = pageOf(
  'FindAppointmentsResponsePagedV1',
  appointmentResponseV1Schema,
  'A page of appointments (v1).',
);
/** A page of appointments (v1). */
export type FindAppointmentsResponsePagedV1 = z.infer<typeof findAppointmentsResponsePagedV1Schema>;
