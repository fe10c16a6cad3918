import { PublisherUnavailableError } from '@calends/core/publisher';
import { createClient } from '@redis/client';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokerUrl } from '../../../scripts/brokers.mjs';
import { sampleEvent } from '../../../scripts/sample-event.js';
import { redisPublisher, type RedisPublisherOptions } from '../src/index.js';

const url = brokerUrl('CALENDS_TEST_REDIS_URL');
const isUnavailable = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => false,
    (fault: unknown) => PublisherUnavailableError.is(fault),
  );

describe('Options of redisPublisher', () => {
  it.each([
    [{}, /either url or client must be given/],
    [null, /^redisPublisher: options: must be an object\.$/],
    [{ url: 'nats://user:hidden@host' }, /url: must begin with redis:\/\/ or rediss:\/\//],
    [{ client: {} }, /client: must have xAdd/],
    [{ client: null }, /client: must have xAdd/],
    [{ url: 'redis://user:%hidden@host' }, /url: must be percent-encoded/],
    [{ url: 'redis://host', stream: '' }, /stream: must be the key of a stream/],
    [{ url: 'redis://host', partitions: 0 }, /partitions: must be a whole number from 1 to 1000/],
    [{ url: 'redis://host', maxLength: 1 }, /unknown option maxLength/],
  ])('Options of redisPublisher that are unusable are told without their values: %j', (options, fault) => {
    expect(() => redisPublisher(options as RedisPublisherOptions)).toThrow(fault);
    expect(() => redisPublisher(options as RedisPublisherOptions)).not.toThrow(/hidden/);
  });
});

describe('redisPublisher without a broker', () => {
  it('redisPublisher without a broker is unavailable', async () => {
    const publisher = redisPublisher({ url: 'redis://127.0.0.1:1' });
    expect(await isUnavailable(publisher.publish(sampleEvent()))).toBe(true);
    await publisher.close();
  });

  it('redisPublisher without an answer is unavailable after its time-out', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const publisher = redisPublisher({ url: `redis://127.0.0.1:${String(port)}`, timeout: 50 });
    expect(await isUnavailable(publisher.publish(sampleEvent()))).toBe(true);
    await publisher.close();
    silent.close();
  });
});

describe.skipIf(url === undefined)('redisPublisher', () => {
  const stream = `calends-test:${randomUUID()}`;
  const client = createClient({ url: url ?? '', RESP: 2 });
  beforeEach(async () => {
    await client.connect();
  });
  afterEach(async () => {
    await client.del([stream, ...[0, 1, 2, 3].map((partition) => `${stream}:${String(partition)}`)]);
    client.destroy();
  });
  const entries = async (key = stream) => ((await client.xRange(key, '-', '+')) ?? []).map(({ message }) => message);

  it('redisPublisher adds a CloudEvent under the id of the event', async () => {
    const publisher = redisPublisher({ url: url ?? '', stream, source: '/here' });
    const event = sampleEvent();
    await publisher.publish(event);
    await publisher.close();
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(Object.keys(entry ?? {})).toEqual(['id', 'event']);
    expect(entry?.['id']).toBe(event.id);
    expect(JSON.parse(entry?.['event'] ?? '')).toMatchObject({
      specversion: '1.0',
      id: event.id,
      source: '/here',
      data: event,
    });
  });

  it('redisPublisher keeps the order of an appointment, and repeats under the same id', async () => {
    const publisher = redisPublisher({ client, stream });
    for (const version of [1, 2, 2, 3]) await publisher.publish(sampleEvent(version));
    await publisher.close();
    expect((await entries()).map(({ id }) => id)).toEqual([1, 2, 2, 3].map((version) => sampleEvent(version).id));
  });

  it('redisPublisher spreads appointments over its partitions, and keeps each in one', async () => {
    const publisher = redisPublisher({ client, stream, partitions: 4 });
    for (let index = 0; index < 40; index += 1) {
      const appointmentId = `appointment-${String(index % 20)}`;
      await publisher.publish({ ...sampleEvent(), appointmentId });
    }
    await publisher.close();
    const found = await Promise.all([0, 1, 2, 3].map((partition) => entries(`${stream}:${String(partition)}`)));
    const subjects = found.map((each) =>
      each.map(({ event }) => (JSON.parse(event ?? '') as { subject: string }).subject),
    );
    expect(subjects.flat()).toHaveLength(40);
    expect(subjects.map((each) => new Set(each).size).every((count) => count > 0)).toBe(true);
    expect(subjects.reduce((sum, each) => sum + new Set(each).size, 0)).toBe(20);
  });

  it('redisPublisher connects again after its connection was cut', async () => {
    const { hostname, port } = new URL(url ?? '');
    const sockets: Socket[] = [];
    const between = createServer((socket) => {
      const onward = connect(Number(port || 6379), hostname);
      sockets.push(socket, onward);
      socket.pipe(onward).pipe(socket);
      for (const each of [socket, onward]) each.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const publisher = redisPublisher({
      url: `redis://127.0.0.1:${String((between.address() as AddressInfo).port)}`,
      stream,
    });
    await publisher.publish(sampleEvent(1));
    const closed = sockets.slice(0, 1).map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    while (await isUnavailable(publisher.publish(sampleEvent(2)))) continue;
    await publisher.close();
    between.close();
    expect((await entries()).map(({ id }) => id)).toEqual([1, 2].map((version) => sampleEvent(version).id));
  });
});
