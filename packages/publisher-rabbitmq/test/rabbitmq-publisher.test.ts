import { PublisherUnavailableError } from '@calends/core/publisher';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
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

const faultOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => 'done',
    (fault: unknown) => fault,
  );

describe('Options of rabbitmqPublisher', () => {
  it.each([
    [{}, /either url or connection must be given/],
    [null, /^rabbitmqPublisher: options: must be an object\.$/],
    [{ url: 'nats://user:hidden@host' }, /url: must begin with amqp:\/\/ or amqps:\/\//],
    [{ connection: {} }, /connection: must be a connection of amqplib/],
    [{ connection: null }, /connection: must be a connection of amqplib/],
    [{ url: 'amqp://user:%hidden@host' }, /url: must be percent-encoded/],
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
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const publisher = rabbitmqPublisher({ url: `amqp://127.0.0.1:${String(port)}`, timeout: 50 });
    expect(await isUnavailable(publisher.publish(sampleEvent()))).toBe(true);
    await publisher.close();
    silent.close();
  });
});

/** Hands on what a client and the broker say to each other, and keeps what the client says. */
async function standBetween() {
  const through = new URL(url ?? '');
  const { hostname, port } = through;
  const clients: Socket[] = [];
  const said: string[] = [];
  const between = createServer({ allowHalfOpen: true }, (client) => {
    const onward = connectSocket(Number(port || 5672), hostname);
    for (const each of [client, onward]) each.on('error', () => undefined);
    client.on('close', () => onward.destroy());
    onward.on('close', () => client.destroy());
    client.on('data', (bytes) => void said.push(bytes.toString()));
    onward.pipe(client).pipe(onward);
    clients.push(client);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  through.port = String((between.address() as AddressInfo).port);
  return { between, through, clients, said };
}

/** The method of AMQP 0-9-1 by which a broker ends the first channel for a message, with 406. */
function channelClose(text: string): Buffer {
  const method = Buffer.concat([
    Buffer.from('001400280196', 'hex'),
    Buffer.of(text.length),
    Buffer.from(text),
    Buffer.from('003c0028', 'hex'),
  ]);
  return Buffer.concat([Buffer.from('010001000000', 'hex'), Buffer.of(method.length), method, Buffer.of(0xce)]);
}

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

  it.each([
    ['says so', Buffer.from('01000000000005000a003c00ce', 'hex')],
    ['does not say so', Buffer.of()],
  ])(
    'rabbitmqPublisher lets go of a connection on which the broker takes nothing more, not even its end, and %s',
    async (_what, blocked) => {
      const { between, through, clients } = await standBetween();
      const opened: Socket[] = [];
      const hear = (told: unknown): void => void opened.push((told as { readonly socket: Socket }).socket);
      subscribe('net.client.socket', hear);
      const publisher = rabbitmqPublisher({ url: through.href, exchange, timeout: 300 });
      await publisher.publish(sampleEvent(1));
      const own = opened.find(({ remotePort }) => String(remotePort) === through.port);
      const ended = new Promise((resolve) => own?.on('close', resolve));
      // What the broker says still comes through, heartbeats too: so is one that blocks for lack of memory.
      for (const client of clients) client.unpipe().resume().write(blocked);
      expect(await isUnavailable(publisher.publish(sampleEvent(2)))).toBe(true);
      await publisher.close();
      await ended;
      unsubscribe('net.client.socket', hear);
      for (const client of clients) client.destroy();
      between.close();
    },
  );

  it.each([
    ['a configured limit', 'message size 4711 is larger than configured max size 2000'],
    ['the limit of its own', 'message size 4711 is larger than max size 2000'],
  ])(
    'rabbitmqPublisher refuses what is larger than RabbitMQ takes, by %s, and what it was taking beside that waits',
    async (_what, text) => {
      const { between, through, clients } = await standBetween();
      const publisher = rabbitmqPublisher({ url: through.href, exchange });
      await publisher.publish(sampleEvent(1));
      const { data, ...event } = sampleEvent(2);
      const large = { ...event, data: { ...data, reason: 'a'.repeat(2000) } };
      const published = [large, sampleEvent(3)].map((each) => faultOf(publisher.publish(each)));
      // What RabbitMQ 3.10 and 4 say then: they end the channel, without a word on the events that it had.
      for (const client of clients)
        client
          .unpipe()
          .resume()
          .write(channelClose(`PRECONDITION_FAILED - ${text}`));
      const [refused, waiting] = await Promise.all(published);
      expect(refused).toMatchObject({ message: 'rabbitmqPublisher: the broker refuses the event' });
      expect(PublisherUnavailableError.is(refused)).toBe(false);
      expect(PublisherUnavailableError.is(waiting)).toBe(true);
      for (const client of clients) client.destroy();
      await publisher.publish(sampleEvent(3));
      await publisher.close();
      between.close();
    },
  );

  it('rabbitmqPublisher takes a user and a password that are percent-encoded, beyond ASCII too', async () => {
    const { between, through, said } = await standBetween();
    through.username = encodeURIComponent('nobody-é');
    through.password = encodeURIComponent('pä:/@');
    const publisher = rabbitmqPublisher({ url: through.href, exchange });
    expect(await isUnavailable(publisher.publish(sampleEvent()))).toBe(true);
    await publisher.close();
    between.close();
    expect(said.join('')).toContain('\0nobody-é\0pä:/@');
  });

  it.each(['url', 'connection'] as const)(
    'rabbitmqPublisher over a %s tells in the cause why RabbitMQ ended its channel',
    async (place) => {
      const name = `${exchange}-nowhere`;
      const publisher = rabbitmqPublisher({ ...(place === 'url' ? { url } : { connection }), exchange: name });
      const faults = await Promise.all([1, 2].map((version) => faultOf(publisher.publish(sampleEvent(version)))));
      await publisher.close();
      for (const fault of faults) expect(String((fault as Error).cause)).toContain(`no exchange '${name}'`);
    },
  );

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
