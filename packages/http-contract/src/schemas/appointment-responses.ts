import * as z from 'zod';
import { interactionStates, partyTypes } from '@calends/model';
import { response } from '../wire-documentation.js';
import { flag, instant, instantOrNull, integer, oneOf, pageOf, text, textMap, textOrNull } from './answers.js';

const actor = response(
  z.object({
    id: text('Id of the actor.'),
    timestamp: instant('When it acted.'),
    type: oneOf(partyTypes, 'Kind of actor.'),
  }),
  { id: 'Actor', description: 'Who acted, and when.' },
);

const errorDetail = response(
  z.object({
    systemMessage: text('For operators.'),
    userMessage: text('For the user.'),
  }),
  { id: 'InteractionErrorData', description: 'Why the interaction failed.' },
);

const routing = response(
  z.object({
    type: text('Routing provider, such as `PROVIDERA_CLOUD_FLOW` or `PROVIDERB_DIGITAL_CONNECT`.'),
    properties: textMap('Keys of the provider: `deploymentId` or `touchpointId`, and `chatMode`.'),
  }),
  { id: 'Routing', description: 'Routing of the customer through a channel of a provider.' },
);

/** Fields of an interaction in both families. */
export const interactionFields = {
  customFields: textMap('Map of string to string, from the create request.'),
  properties: textMap('What the routing provider reported.'),
  routing: routing.nullable(),
  state: oneOf(interactionStates, '`PENDING` on a new appointment.'),
};

const interaction = response(
  z.object({
    acceptedBy: response(z.array(actor), 'Agents who accepted, first one first.'),
    initiatedBy: actor.nullable(),
    errorData: errorDetail.nullable(),
    ...interactionFields,
  }),
  { id: 'Interaction', description: 'Routing of the customer through a chat or messaging channel.' },
);

/** One participant, v1 and v2. */
export const participantSchema = response(
  z.object({ id: text('Participant id; for an agent the agent’s user id.'), type: oneOf(partyTypes, 'Kind.') }),
  { id: 'Participant', description: 'Someone who takes part.' },
);

const organizer = response(z.object({ id: text('Id of the organizer.'), type: oneOf(partyTypes, 'Kind.') }), {
  id: 'Organizer',
  description: 'Who organizes the appointment.',
});

const targetAssignment = response(
  z.object({ id: text('Id of the assigned party.'), type: text('Its type, such as `AGENT`.') }),
  { id: 'TargetAssignment', description: 'Who the appointment is meant for.' },
);

/** Fields of an appointment in both families (spec: Appointment; v1 shape differences). */
export const appointmentFields = {
  applicationId: text('Application identifier.'),
  duration: text('ISO 8601 duration and its plain-language form: `PT1H30M (1 hour 30 minutes)`.'),
  end: instant('UTC, derived from start and duration.'),
  id: text('Appointment identifier.'),
  locale: text('Language tag in underscore form, such as `en_US`.'),
  metadata: response(z.record(z.string(), z.unknown()), 'Free-form map.'),
  notes: text('Free text.'),
  notificationHeaders: text('JSON text of a header map; `{}` when there are none.'),
  notificationsActive: flag('Whether notifications were active for the application when it was made.'),
  start: instant('UTC.'),
  timezone: text('Time zone name of the appointment.'),
  title: text('Title.'),
};

/** An appointment in v2 answers (spec: Appointment). */
export const appointmentResponseSchema = response(
  z.object({
    ...appointmentFields,
    cancellationReason: textOrNull('Filled when cancelled with a reason.'),
    cancelledAt: instantOrNull('Filled when cancelled.'),
    cancelledBy: textOrNull('Id of who cancelled.'),
    interaction,
    organizer,
    participants: response(z.array(participantSchema), 'Customers and agents.'),
    secureToken: response(
      z.string().optional(),
      'Access token for joining; absent unless the appointment is activated, and from list items.',
    ),
    targetAssignment: targetAssignment.nullable(),
  }),
  { id: 'AppointmentResponse', description: 'An appointment (v2).' },
);
/** An appointment in v2 answers. */
export type AppointmentResponse = z.infer<typeof appointmentResponseSchema>;

/** A page of appointments (spec: Paged envelope). */
export const findAppointmentsResponsePagedSchema = pageOf(
  'FindAppointmentsResponsePaged',
  appointmentResponseSchema,
  'A page of appointments (v2).',
);
/** A page of appointments (v2). */
export type FindAppointmentsResponsePaged = z.infer<typeof findAppointmentsResponsePagedSchema>;

/** One counted window, v1 and v2 (spec: Count item; D27). */
export const appointmentCountResponseSchema = response(
  z.object({
    count: integer('Distinct appointments in the window.'),
    duration: text('ISO 8601 duration of the window: the `timeFrame`.'),
    end: instant('End of the window, exclusive, UTC.'),
    start: instant('Start of the window, inclusive, UTC.'),
    timezone: text('`UTC`.'),
  }),
  { id: 'AppointmentCountResponse', description: 'Appointments counted in one window.' },
);
/** One counted window. */
export type AppointmentCountResponse = z.infer<typeof appointmentCountResponseSchema>;
