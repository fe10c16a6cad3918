import { PublisherUnavailableError } from '@calends/core/publisher';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokerUrl } from '../../../scripts/brokers.mjs';
import { sampleEvent } from '../../../scripts/sample-event.js';
import { rabbitmqPublisher, type RabbitmqPublisherOptions } from '../src/index.js';

const url = brokerUrl('CALENDS_TEST_RABBITMQ_URL');
const isUnavailable = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => false,
    (fault: unknown) => PublisherUnavailableError.is(fault),
  );

describe('Options of rabbitmqPublisher', () => {
  it.each([
    [{}, /either url or connection must be given/],
    [{ url: 'nats://user:hidden@host' }, /url: must begin with amqp:\/\/ or amqps:\/\//],
    [{ connection: {} }, /connection: must be a connection of amqplib/],
    [{ url: 'amqp://host', exchange: '' }, /exchange: must be the name of an exchange/],
    [{ url: 'amqp://host', mandatory: 'no' }, /mandatory: must be true or false/],
    [{ url: 'amqp://host', queue: 'a' }, /unknown option queue/],
  ])('Options of rabbitmqPublisher that are unusable are told without their values: %j', (options, fault) => {
    expect(() => rabbitmqPublisher(options as RabbitmqPublisherOptions)).toThrow(fault);
    expect(() => rabbitmqPublisher(options as RabbitmqPublisherOptions)).not.toThrow(/hidden/);
  });
});

describe('rabbitmqPublisher without a broker', () => {
  it('rabbitmqPublisher without a broker is unavailable', async () => {
    const publisher = rabbitmqPublisher({ url: 'amqp://127.0.0.1:1' });
    expect(await isUnavailable(publisher.publish(sampleEvent()))).toBe(true);
    await publisher.close();
  });

  it('rabbitmqPublisher without an answer is unavailable after its time-out', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const publisher = rabbitmqPublisher({ url: `amqp://127.0.0.1:${String(port)}`, timeout: 50 });
    expect(await isUnavailable(publisher.publish(sampleEvent()))).toBe(true);
    await publisher.close();
    silent.close();
  });
});

describe.skipIf(url === undefined)('rabbitmqPublisher', () => {
  const exchange = `calends-test-${randomUUID()}`;
  let connection: ChannelModel;
  let channel: Channel;
  beforeEach(async () => {
    connection = await connect(url ?? '');
    channel = await connection.createChannel();
    await channel.assertExchange(exchange, 'topic', { durable: true, autoDelete: true });
    await channel.assertQueue(exchange, { durable: true });
    await channel.bindQueue(exchange, exchange, 'org-1.app-1.*');
  });
  afterEach(async () => {
    await channel.deleteQueue(exchange);
    await connection.close();
  });
  const next = async () => {
    const message = await channel.get(exchange, { noAck: true });
    return message === false ? undefined : message;
  };

  it('rabbitmqPublisher publishes a CloudEvent under the id of the event, lasting, with the appointment as routing key', async () => {
    const publisher = rabbitmqPublisher({ url: url ?? '', exchange, source: '/here' });
    const event = sampleEvent();
    await publisher.publish(event);
    await publisher.close();
    const message = await next();
    expect(message?.fields.routingKey).toBe('org-1.app-1.appointment-1');
    expect(message?.properties).toMatchObject({
      messageId: event.id,
      contentType: 'application/cloudevents+json; charset=utf-8',
      deliveryMode: 2,
    });
    expect(JSON.parse(String(message?.content))).toMatchObject({
      specversion: '1.0',
      id: event.id,
      source: '/here',
      data: event,
    });
  });

  it('rabbitmqPublisher keeps the order of an appointment, and repeats under the same id', async () => {
    const publisher = rabbitmqPublisher({ connection, exchange });
    for (const version of [1, 2, 2, 3]) await publisher.publish(sampleEvent(version));
    const ids = [];
    for (let message = await next(); message !== undefined; message = await next())
      ids.push(message.properties.messageId);
    expect(ids).toEqual([1, 2, 2, 3].map((version) => sampleEvent(version).id));
    await publisher.close();
    await channel.checkQueue(exchange);
  });

  it('rabbitmqPublisher is unavailable where no queue takes the event, unless it need not be taken', async () => {
    const event = { ...sampleEvent(), applicationId: 'app-2' };
    const publisher = rabbitmqPublisher({ connection, exchange });
    expect(await isUnavailable(publisher.publish(event))).toBe(true);
    await publisher.publish(sampleEvent());
    await publisher.close();
    const relaxed = rabbitmqPublisher({ connection, exchange, mandatory: false });
    await relaxed.publish(event);
    await relaxed.close();
  });

  it.each(['url', 'connection'] as const)(
    'rabbitmqPublisher over a %s goes on once the exchange is there',
    async (place) => {
      const name = `${exchange}-later`;
      const publisher = rabbitmqPublisher({ ...(place === 'url' ? { url } : { connection }), exchange: name });
      expect(await isUnavailable(publisher.publish(sampleEvent()))).toBe(true);
      await channel.assertExchange(name, 'fanout', { autoDelete: true });
      await channel.bindQueue(exchange, name, '');
      await publisher.publish(sampleEvent());
      expect((await next())?.properties.messageId).toBe(sampleEvent().id);
      await publisher.close();
    },
  );
});
