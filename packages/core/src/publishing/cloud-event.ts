import { createHash } from 'node:crypto';
import type { DomainEvent, DomainEventType } from '../domain/appointments/events.js';

/** A domain event in the envelope of CloudEvents 1.0, as all brokers get it. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** That of the event, the same for every attempt: with `source` it tells a repetition. */
  readonly id: string;
  readonly source: string;
  readonly type: `calends.${DomainEventType}`;
  /** Id of the appointment. */
  readonly subject: string;
  /** When it happened, RFC 3339 in UTC. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** What must stay in order has the same one: the {@link eventSubject} (extension *Partitioning*). */
  readonly partitionkey: string;
  /** Of the operation, where a tracer records it (extension *Distributed Tracing*). */
  readonly traceparent?: string;
  /** The event as subscribers get it. */
  readonly data: DomainEvent;
}

/** Media type of a {@link CloudEvent} as JSON: the structured mode of the bindings. */
export const cloudEventMediaType = 'application/cloudevents+json; charset=utf-8';

/** Puts an event into its envelope; `source` is a URI reference that names the system it comes from. */
export function cloudEvent(event: DomainEvent, source: string): CloudEvent {
  const { traceParent } = event.data;
  return {
    specversion: '1.0',
    id: event.id,
    source,
    type: `calends.${event.type}`,
    subject: event.appointmentId,
    time: new Date(event.occurredAt).toISOString(),
    datacontenttype: 'application/json',
    partitionkey: eventSubject(event),
    ...(traceParent === undefined ? {} : { traceparent: traceParent }),
    data: event,
  };
}

/**
 * Organization, application and appointment of an event as one word each, with dots between: a subject of NATS, a routing
 * key of AMQP.
 *
 * What is not a letter, a digit, `_` or `-` is percent-encoded. A word of more than 80 characters is replaced by its
 * SHA-256 (base64url), so that the whole has 242 bytes at most, where AMQP allows 255.
 */
export function eventSubject({ organizationId, applicationId, appointmentId }: DomainEvent): string {
  return [organizationId, applicationId, appointmentId].map(subjectWord).join('.');
}

function subjectWord(id: string): string {
  const word = encodeURIComponent(id).replaceAll(/[.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return word.length <= 80 ? word : createHash('sha256').update(id).digest('base64url');
}
