import type {
  CallOptions,
  CustomerInput,
  ListAppointmentsQuery,
  RoutingInput,
  ScheduleCommand,
  UpdateCommand,
} from '@calends/core';
import type { NotificationListQuery } from '@calends/core/operations';
import type {
  ListAppointmentsQuery as WireListQuery,
  ListNotificationEventsQuery,
  ListNotificationsQuery,
  ScheduleAppointmentRequest,
  ScheduleAppointmentRequestV1,
  UpdateAppointmentRequestV1,
} from '@calends/http-contract';

/*
 * Requests as commands of the core, which speaks v2 (architecture, rule 3).
 */

type WireRouting = NonNullable<NonNullable<ScheduleAppointmentRequest['interaction']>['routing']>;

/** A v2 create request as a command. */
export function scheduleCommand(request: ScheduleAppointmentRequest): ScheduleCommand {
  const { interaction, ...rest } = request;
  if (interaction === undefined || interaction === null) return rest;
  const { routing, customFields } = interaction;
  return { ...rest, interaction: { customFields, routing: routing ? routingInput(routing) : undefined } };
}

/** A v1 create request as a command: its one customer is the first of a list. */
export function scheduleCommandV1({ customer, ...request }: ScheduleAppointmentRequestV1): ScheduleCommand {
  return scheduleCommand({ ...request, customers: [customer] });
}

/** A v1 update request as a command: `participantId` is the customer's `id`. */
export function updateCommandV1({ customer, ...request }: UpdateAppointmentRequestV1): UpdateCommand {
  if (customer === undefined || customer === null) return { ...request, customer };
  const { participantId, ...profile }: { readonly participantId: string } & CustomerInput = customer;
  return { ...request, customer: { ...profile, id: participantId } };
}

function routingInput({ type, properties }: WireRouting): RoutingInput {
  const given = Object.entries(properties ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { type, properties: Object.fromEntries(given) };
}

/** The filters of a list (spec: Endpoints, rule 1); those of v1 are the same without `state`. */
export function listQuery({
  agentId,
  organizerId,
  duration,
  range,
  state,
  ...rest
}: WireListQuery): ListAppointmentsQuery {
  return { ...rest, agentIds: agentId, organizerIds: organizerId, durations: duration, ranges: range, states: state };
}

/** The filters of both notification lists (notification document: Query parameters). */
export function notificationListQuery<Query extends ListNotificationsQuery | ListNotificationEventsQuery>(
  query: Query,
): NotificationListQuery<NonNullable<Query['sortField']>> {
  const { type, channel, status, ...rest } = query;
  return { ...rest, types: type, channels: channel, statuses: status };
}

/** In v1, what is cancelled or aborted is unknown (D25). */
export function liveOnly(call: CallOptions): CallOptions {
  return { ...call, liveOnly: true };
}
