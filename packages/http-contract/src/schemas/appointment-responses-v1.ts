import * as z from 'zod';
import { partyTypes } from '@calends/model';
import { response } from '../wire-documentation.js';
import { instant, oneOf, pageOf, text } from './answers.js';
import { appointmentFields, interactionFields, participantSchema } from './appointment-responses.js';

const interaction = response(z.object(interactionFields), {
  id: 'InteractionV1',
  description: 'Routing of the customer through a chat or messaging channel (v1).',
});

const organizer = response(
  z.object({
    id: text('Id of the organizer.'),
    type: oneOf(partyTypes, 'Kind.'),
    state: text('`ACTIVE`.'),
  }),
  { id: 'OrganizerV1', description: 'Who organizes the appointment (v1).' },
);

const access = { expires: instant('Until when the address works.'), url: text('Address of the room.') };

const roomAccess = response(z.object(access), {
  id: 'RoomAccess',
  description: 'Access details of an activated appointment.',
});

/** Answer of v1 activation (spec: v1 shape differences). */
export const appointmentActivationResponseSchema = response(z.object(access), {
  id: 'AppointmentActivationResponse',
  description: 'Access details of the activated appointment (v1).',
});
/** Answer of v1 activation. */
export type AppointmentActivationResponse = z.infer<typeof appointmentActivationResponseSchema>;

/** An appointment in v1 answers (spec: v1 shape differences). */
export const appointmentResponseV1Schema = response(
  z.object({
    ...appointmentFields,
    interaction,
    organizer,
    participantIds: response(z.array(participantSchema), 'Customers and agents.'),
    roomAccess: response(roomAccess.optional(), 'Absent unless the appointment is activated, and from list items.'),
  }),
  { id: 'AppointmentResponseV1', description: 'An appointment (v1).' },
);
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
