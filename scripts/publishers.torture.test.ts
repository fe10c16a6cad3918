// Brokers killed and started again under load. `CALENDS_RESTARTS=20 npx vitest run scripts/publishers.torture.test.ts` does it that
// often and prints the figures; `CALENDS_APPOINTMENTS` sets how many change in each round.
import { createScheduling, type DomainEvent, type EventPublisher } from '@calends/core';
import type { ClosablePublisher } from '@calends/core/publisher';
import { natsPublisher } from '@calends/publisher-nats';
import { rabbitmqPublisher } from '@calends/publisher-rabbitmq';
import { redisPublisher } from '@calends/publisher-redis';
import { memoryStore } from '@calends/store-memory';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats, type NatsConnection } from '@nats-io/transport-node';
import { createClient } from '@redis/client';
import { type Channel, connect as connectRabbit } from 'amqplib';
import { afterEach, describe, expect, it } from 'vitest';
import { type BrokerKind, missingBroker, type OwnBroker, startBroker } from './brokers.mjs';

/** What the trial needs of a kind of broker beside its publisher. */
interface Trial {
  readonly kind: BrokerKind;
  /** In `npm test -- --all`. */
  readonly restarts: number;
  readonly publisher: (url: string) => ClosablePublisher;
  /** Prepares what takes events, and answers true; also asked of a broker that starts again. */
  readonly prepare: (url: string) => Promise<boolean>;
  /** All that it keeps, in its order, as CloudEvents. */
  readonly read: (url: string) => Promise<readonly string[]>;
}

const timeout = 2000;

async function overNats<Result>(url: string, work: (connection: NatsConnection) => Promise<Result>): Promise<Result> {
  const connection = await connectNats({ servers: url, reconnect: false, timeout });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function overRabbit<Result>(url: string, work: (channel: Channel) => Promise<Result>): Promise<Result> {
  const connection = await connectRabbit(url, { timeout });
  connection.on('error', () => undefined);
  try {
    return await work(await connection.createChannel());
  } finally {
    await connection.close();
  }
}

const redisClient = (url: string) => createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });

async function overRedis<Result>(
  url: string,
  work: (client: ReturnType<typeof redisClient>) => Promise<Result>,
): Promise<Result> {
  const client = redisClient(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

const trials: readonly Trial[] = [
  {
    kind: 'nats',
    restarts: 4,
    publisher: (url) => natsPublisher({ url, timeout }),
    prepare: (url) =>
      overNats(url, async (connection) => {
        const jsm = await jetstreamManager(connection, { timeout });
        await jsm.streams.add({ name: 'CALENDS', subjects: ['calends.>'] });
        return true;
      }),
    read: (url) =>
      overNats(url, async (connection) => {
        const { state } = await (await jetstreamManager(connection)).streams.info('CALENDS');
        const consumer = await jetstream(connection).consumers.get('CALENDS');
        const found: string[] = [];
        while (found.length < state.messages) {
          const message = await consumer.next();
          if (message === null) break;
          found.push(message.string());
        }
        return found;
      }),
  },
  {
    kind: 'rabbitmq',
    restarts: 1,
    publisher: (url) => rabbitmqPublisher({ url, timeout }),
    prepare: (url) =>
      overRabbit(url, async (channel) => {
        await channel.assertExchange('calends', 'topic', { durable: true });
        await channel.assertQueue('events', { durable: true });
        await channel.bindQueue('events', 'calends', '#');
        return true;
      }),
    read: (url) =>
      overRabbit(url, async (channel) => {
        const found: string[] = [];
        for (let message = await channel.get('events'); message !== false; message = await channel.get('events')) {
          found.push(message.content.toString());
        }
        return found;
      }),
  },
  {
    kind: 'redis',
    restarts: 4,
    publisher: (url) => redisPublisher({ url, timeout }),
    prepare: (url) => overRedis(url, async (client) => (await client.ping()) === 'PONG'),
    read: (url) =>
      overRedis(url, async (client) =>
        ((await client.xRange('calends:events', '-', '+')) ?? []).map(({ message }) => message['event'] ?? ''),
      ),
  },
];

const asked = process.env['CALENDS_RESTARTS'];
const appointments = Number(process.env['CALENDS_APPOINTMENTS'] ?? 40);
const agent = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;

/** Changes appointments, and hands their events out, until the broker was restarted so often; answers all events in order of commit. */
async function load(broker: OwnBroker, publisher: EventPublisher, restarts: number): Promise<readonly DomainEvent[]> {
  const perRestart = 4 * appointments;
  let now = Date.parse('2030-05-06T09:00:00Z');
  let taken = 0;
  let begun = 0;
  let restart: Promise<void> = Promise.resolve();
  const store = memoryStore();
  const events: DomainEvent[] = [];
  const parked: string[] = [];
  const scheduling = createScheduling({
    store,
    secret: 'a secret of at least thirty-two bytes',
    clock: { now: () => now },
    observer: {
      observe: (signal) => {
        if (signal.type === 'committed') events.push(signal.event);
        if (signal.type === 'eventParked') parked.push(signal.eventId);
      },
    },
    eventPublisher: {
      publish: async (event) => {
        await publisher.publish(event);
        taken += 1;
        // In the middle of a batch, of which the rest is on its way.
        if (taken < perRestart * (begun + 1) || begun === restarts) return;
        begun += 1;
        restart = broker.restart();
      },
    },
  });
  const ids: string[] = [];
  for (let index = 0; index < appointments; index += 1) {
    const start = new Date(Date.parse('2990-01-01T00:00:00Z') + index * 3_600_000).toISOString();
    const customers = [{ username: `customer-${String(index)}` }];
    const command = { applicationId: 'app-1', start, duration: 'PT30M', timezone: 'UTC', customers };
    ids.push((await scheduling.appointments.schedule(agent, command)).id);
  }
  const wanted = perRestart * (restarts + 1);
  for (let round = 1; taken < wanted || events.length > taken; round += 1) {
    for (const id of events.length < wanted ? ids : []) {
      await scheduling.appointments.update(agent, { id, title: `round ${String(round)}` });
    }
    await scheduling.workers.runOnce();
    now += 300_000;
    // A broker that starts sees many rounds; more of them would only be the same again.
    if (round % 10 === 0) await restart;
  }
  await restart;
  await scheduling.close();
  expect({ begun, parked }).toEqual({ begun: restarts, parked: [] });
  return events;
}

const received = (text: string): DomainEvent => (JSON.parse(text) as { readonly data: DomainEvent }).data;

describe.each(trials)('a broker that is killed under load and starts again: $kind', (trial) => {
  const { kind, publisher, prepare, read } = trial;
  const restarts = asked === undefined ? trial.restarts : Number(asked);
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it.skipIf(missingBroker(kind) !== undefined)(
    'a broker that is killed under load has every event, in order for each appointment, and repetitions only under the same id',
    async () => {
      const broker = await startBroker(kind, prepare);
      closing.unshift(() => broker.end());
      const own = publisher(broker.url);
      closing.unshift(() => own.close());
      const events = await load(broker, own, restarts);
      const found = (await read(broker.url)).map(received);
      const first = new Map(found.toReversed().map((event) => [event.id, event]));
      expect(events.filter(({ id }) => !first.has(id))).toEqual([]);
      expect(first.size).toBe(events.length);
      const versions = new Map<string, number[]>();
      const seen = new Set<string>();
      for (const event of found) {
        if (seen.has(event.id)) expect(event).toEqual(first.get(event.id));
        else versions.set(event.appointmentId, [...(versions.get(event.appointmentId) ?? []), event.version]);
        seen.add(event.id);
      }
      for (const each of versions.values()) expect(each).toEqual(each.map((_, index) => index + 1));
      if (asked !== undefined) {
        process.stdout.write(
          `${kind}: ${String(restarts)} restarts, ${String(events.length)} events, ${String(found.length - first.size)} repeated\n`,
        );
      }
    },
    600_000,
  );
});
