import { PublisherUnavailableError } from '@calends/core/publisher';
import { type JetStreamManager, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokerUrl } from '../../../scripts/brokers.mjs';
import { sampleEvent } from '../../../scripts/sample-event.js';
import { natsPublisher, type NatsPublisherOptions } from '../src/index.js';

const url = brokerUrl('CALENDS_TEST_NATS_URL');
const faultOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => 'done',
    (fault: unknown) => fault,
  );

describe('Options of natsPublisher', () => {
  it.each([
    [{}, /either url or connection must be given/],
    [null, /^natsPublisher: options: must be an object\.$/],
    ['nats://user:hidden@host', /^natsPublisher: options: must be an object\.$/],
    [{ url: 'amqp://user:hidden@host' }, /url: must begin with nats:\/\/ or tls:\/\//],
    [{ connection: {} }, /connection: must be a connection to NATS/],
    [{ connection: null }, /connection: must be a connection to NATS/],
    [{ url: 'nats://user:%hidden@host' }, /url: must be percent-encoded/],
    [{ url: 'nats://host', subject: 'a.>' }, /subject: must be words/],
    [{ url: 'nats://host', subject: null }, /subject: must be words/],
    [{ url: 'nats://host', subject: Symbol('a') }, /subject: must be words/],
    [{ url: 'nats://host', subjct: 'a' }, /unknown option subjct; did you mean subject\?$/],
  ])('Options of natsPublisher that are unusable are told without their values: %j', (options, fault) => {
    expect(() => natsPublisher(options as NatsPublisherOptions)).toThrow(fault);
    expect(() => natsPublisher(options as NatsPublisherOptions)).not.toThrow(/hidden/);
  });
});

describe('natsPublisher without a broker', () => {
  it('natsPublisher without a broker is unavailable', async () => {
    const publisher = natsPublisher({ url: 'nats://127.0.0.1:1' });
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(sampleEvent())))).toBe(true);
    await publisher.close();
  });

  it('natsPublisher without an answer is unavailable after its time-out', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const publisher = natsPublisher({ url: `nats://127.0.0.1:${String(port)}`, timeout: 50 });
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(sampleEvent())))).toBe(true);
    await publisher.close();
    silent.close();
  });
});

describe('A server that closes connections of natsPublisher', () => {
  it('A server that closes connections of natsPublisher makes it unavailable at once', async () => {
    const closing = createServer((client) => client.end()).listen(0, '127.0.0.1');
    await once(closing, 'listening');
    const { port } = closing.address() as AddressInfo;
    const publisher = natsPublisher({ url: `nats://127.0.0.1:${String(port)}`, timeout: 600_000 });
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(sampleEvent())))).toBe(true);
    await publisher.close();
    closing.close();
  });
});

describe('A server that takes connections of natsPublisher and says nothing', () => {
  it('A server that takes connections of natsPublisher and says nothing is left with none of them', async () => {
    const silent = createServer((client) => void client.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const publisher = natsPublisher({ url: `nats://127.0.0.1:${String(port)}`, timeout: 50 });
    for (const version of [1, 2]) await faultOf(publisher.publish(sampleEvent(version)));
    await publisher.close();
    // It ends once no connection is left.
    await once(silent.close(), 'close');
  });
});

describe.skipIf(url === undefined)('natsPublisher', () => {
  const subject = `calends-test-${randomUUID()}`;
  let connection: NatsConnection;
  let jsm: JetStreamManager;
  beforeEach(async () => {
    connection = await connect({ servers: url ?? '' });
    jsm = await jetstreamManager(connection);
    await jsm.streams.add({ name: subject, subjects: [`${subject}.>`], max_msg_size: 4096 });
  });
  afterEach(async () => {
    await jsm.streams.delete(subject);
    await connection.close();
  });

  it('natsPublisher publishes a CloudEvent under the id of the event, on the subject of its appointment', async () => {
    const publisher = natsPublisher({ url: url ?? '', subject, source: '/here' });
    const event = sampleEvent();
    await publisher.publish(event);
    await publisher.close();
    const message = await jsm.streams.getMessage(subject, { seq: 1 });
    expect(message?.subject).toBe(`${subject}.org-1.app-1.appointment-1`);
    expect(message?.header.get('Nats-Msg-Id')).toBe(event.id);
    expect(message?.header.get('Content-Type')).toBe('application/cloudevents+json; charset=utf-8');
    expect(message?.json()).toMatchObject({ specversion: '1.0', id: event.id, source: '/here', data: event });
  });

  it('natsPublisher publishes again under the same id, and the stream keeps it once', async () => {
    const publisher = natsPublisher({ connection, subject });
    await publisher.publish(sampleEvent());
    await publisher.publish(sampleEvent());
    await publisher.close();
    expect(connection.isClosed()).toBe(false);
    expect((await jsm.streams.info(subject)).state.messages).toBe(1);
  });

  it('natsPublisher is unavailable where no stream takes the subject', async () => {
    const publisher = natsPublisher({ connection, subject: `${subject}-other` });
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(sampleEvent())))).toBe(true);
  });

  it('natsPublisher is unavailable where the stream is sealed, whatever the event', async () => {
    const sealed: Partial<StreamConfig> = { sealed: true };
    await jsm.streams.update(subject, sealed);
    const publisher = natsPublisher({ connection, subject });
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(sampleEvent())))).toBe(true);
  });

  it('natsPublisher tells what the stream refuses from what it cannot take now', async () => {
    const publisher = natsPublisher({ connection, subject });
    const { data, ...event } = sampleEvent();
    const fault = await faultOf(publisher.publish({ ...event, data: { ...data, reason: 'a'.repeat(4096) } }));
    expect(fault).toBeInstanceOf(Error);
    expect(PublisherUnavailableError.is(fault)).toBe(false);
    await publisher.publish(sampleEvent());
  });

  it('natsPublisher tells what is larger than the server takes from what it cannot take now', async () => {
    const publisher = natsPublisher({ url: url ?? '', subject });
    const { data, ...event } = sampleEvent();
    const reason = 'a'.repeat(connection.info?.max_payload ?? 0);
    const fault = await faultOf(publisher.publish({ ...event, data: { ...data, reason } }));
    expect(fault).toMatchObject({ message: 'natsPublisher: the broker refuses the event' });
    expect(PublisherUnavailableError.is(fault)).toBe(false);
    await publisher.publish(sampleEvent());
    await publisher.close();
  });
});
