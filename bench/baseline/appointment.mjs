// What a hand-written service does around its SQL: ids, a row from a body, an answer from a row.
import { randomUUID } from 'node:crypto';

const organization = 'org-1';

/** Values of one appointment and of the rows beside it, in the order of the statements. */
export function newAppointment(body) {
  const now = Date.now();
  const start = Date.parse(body.start);
  const end = start + 30 * 60_000;
  const id = randomUUID();
  const customerId = randomUUID();
  const agent = body.targetAssignment.id;
  const organizer = JSON.stringify({ id: agent, type: 'AGENT' });
  const participants = JSON.stringify([
    { id: agent, type: 'AGENT' },
    { id: customerId, type: 'CUSTOMER' },
  ]);
  const interaction = JSON.stringify({ state: 'PENDING', acceptedBy: [], customFields: {}, properties: {} });
  const [customer] = body.customers;
  const appointment = [
    organization,
    id,
    body.applicationId,
    body.title,
    body.notes,
    JSON.stringify(body.metadata),
    body.locale,
    start,
    end,
    end - start,
    body.timezone,
    organizer,
    participants,
    organizer,
    interaction,
    now,
    start - 30 * 60_000,
  ];
  return {
    id,
    appointment,
    actors: [
      [organization, id, agent, 3, body.applicationId, start, end],
      [organization, id, customerId, 4, body.applicationId, start, end],
    ],
    customer: [
      organization,
      id,
      customerId,
      customer.contact.primaryEmail,
      customer.contact.primaryPhone,
      customer.name.firstName,
      customer.name.lastName,
    ],
    event: newEvent(id, 1, 'APCreatedEvent', body.applicationId, { state: 'SCHEDULED', start, end }),
    answer: {
      applicationId: body.applicationId,
      duration: 'PT30M (30 minutes)',
      end: new Date(end).toISOString(),
      id,
      interaction: { state: 'PENDING', acceptedBy: [], customFields: {}, properties: {} },
      locale: body.locale,
      metadata: body.metadata,
      notes: body.notes,
      organizer: { id: agent, type: 'AGENT' },
      participants: [
        { id: agent, type: 'AGENT' },
        { id: customerId, type: 'CUSTOMER' },
      ],
      start: new Date(start).toISOString(),
      targetAssignment: { id: agent, type: 'AGENT' },
      timezone: body.timezone,
      title: body.title,
    },
  };
}

/** Values of an event. */
export function newEvent(appointmentId, version, type, applicationId, data) {
  const now = Date.now();
  return [randomUUID(), organization, applicationId, appointmentId, version, type, now, JSON.stringify(data), now];
}

/** The answer for a row. */
export function present(row) {
  return {
    applicationId: row.application_id,
    duration: 'PT30M (30 minutes)',
    end: new Date(Number(row.end_at)).toISOString(),
    id: row.id,
    interaction: JSON.parse(row.interaction),
    locale: row.locale,
    metadata: JSON.parse(row.metadata),
    notes: row.notes,
    organizer: JSON.parse(row.organizer),
    participants: JSON.parse(row.participants),
    start: new Date(Number(row.start_at)).toISOString(),
    targetAssignment: JSON.parse(row.target_assignment),
    timezone: row.timezone,
    title: row.title,
  };
}

/** The filters of a list request. */
export function listFilters(query) {
  const [from, to] = query.range.split(',').map((text) => Date.parse(text));
  return { agent: query.agentId, application: query.applicationId, from, to, size: Number(query.pageSize) };
}
