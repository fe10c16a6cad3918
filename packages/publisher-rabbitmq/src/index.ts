/**
 * Publishes the events of Calends to RabbitMQ, as CloudEvents.
 *
 * @packageDocumentation
 */
export { rabbitmqPublisher, type RabbitmqPublisherOptions } from './rabbitmq-publisher.js';
