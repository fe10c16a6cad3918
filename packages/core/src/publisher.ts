/**
 * What the author of a publisher needs beside the port itself.
 *
 * @packageDocumentation
 */
export { type BrokerDoor, brokerPublisher, type ClosablePublisher } from './publishing/broker-publisher.js';
export { type CloudEvent, cloudEvent, cloudEventMediaType, eventSubject } from './publishing/cloud-event.js';
export { type FurtherOptions, type PublisherOptions, readPublisherOptions } from './publishing/publisher-options.js';
export { PublisherUnavailableError } from './ports/event-publisher.js';
