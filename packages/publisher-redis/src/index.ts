/**
 * Publishes the events of Calends to a stream of Redis, as CloudEvents.
 *
 * @packageDocumentation
 */
export { redisPublisher, type RedisPublisherOptions, type RedisStreams } from './redis-publisher.js';
