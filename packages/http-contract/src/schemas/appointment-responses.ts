import * as z from 'zod';
import { interactionStates, partyTypes } from '@calends/model';
import { response, responseObject } from '../wire-documentation.js';
import {
  flag,
  instant,
  instantOrNull,
  integer,
  oneOf,
  optionalText,
  pageOf,
  text,
  textMap,
  textOrNull,
} from './answers.js';

const actor = responseObject('Actor', 'Who acted, and when.', {
  id: text('Id of the actor.'),
  timestamp: instant('When it acted.'),
  type: oneOf(partyTypes, 'Kind of actor.'),
});

const errorDetail = responseObject('InteractionErrorData', 'Why the interaction failed.', {
  systemMessage: text('For operators.'),
  userMessage: text('For the user.'),
});

const routing = responseObject('Routing', 'Routing of the customer through a channel of a provider.', {
  type: text('Routing provider, such as `PROVIDERA_CLOUD_FLOW` or `PROVIDERB_DIGITAL_CONNECT`.'),
  properties: textMap('Keys of the provider: `deploymentId` or `touchpointId`, and `chatMode`.'),
});

/** Fields of an interaction in both families. */
export const interactionFields = {
  customFields: textMap('Map of string to string, from the create request.'),
  properties: textMap('What the routing provider reported.'),
  routing: routing.nullable(),
  state: oneOf(interactionStates, '`PENDING` on a new appointment.'),
};

const interaction = responseObject('Interaction', 'Routing of the customer through a chat or messaging channel.', {
  acceptedBy: response(z.array(actor), 'Agents who accepted, first one first.'),
  initiatedBy: actor.nullable(),
  errorData: errorDetail.nullable(),
  ...interactionFields,
});

/** One participant, v1 and v2. */
export const participantSchema = responseObject('Participant', 'Someone who takes part.', {
  id: text('Participant id; for an agent the agent’s user id.'),
  type: oneOf(partyTypes, 'Kind.'),
});

const organizer = responseObject('Organizer', 'Who organizes the appointment.', {
  id: text('Id of the organizer.'),
  type: oneOf(partyTypes, 'Kind.'),
});

const targetAssignment = responseObject('TargetAssignment', 'Who the appointment is meant for.', {
  id: text('Id of the assigned party.'),
  type: oneOf(partyTypes, 'Its type.'),
});

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
    serviceId: optionalText('Service that was booked; absent where none was.'),
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
export const appointmentCountResponseSchema = responseObject(
  'AppointmentCountResponse',
  'Appointments counted in one window.',
  {
    count: integer('Distinct appointments in the window.'),
    duration: text('ISO 8601 duration of the window: the `timeFrame`.'),
    end: instant('End of the window, exclusive, UTC.'),
    start: instant('Start of the window, inclusive, UTC.'),
    timezone: text('`UTC`.'),
  },
);
/** One counted window. */
export type AppointmentCountResponse = z.infer<typeof appointmentCountResponseSchema>;
