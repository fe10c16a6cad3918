/**
 * Publishes the events of Calends to NATS JetStream, as CloudEvents.
 *
 * @packageDocumentation
 */
export { natsPublisher, type NatsPublisherOptions } from './nats-publisher.js';
