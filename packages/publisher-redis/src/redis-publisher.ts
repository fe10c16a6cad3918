import { createHash } from 'node:crypto';
import {
  brokerPublisher,
  type BrokerDoor,
  type ClosablePublisher,
  cloudEvent,
  eventSubject,
  type PublisherOptions,
  readPublisherOptions,
} from '@calends/core/publisher';
import { checkIsObject } from '@calends/core/store';
import { createClient } from '@redis/client';

/** What the publisher needs of a client: one of node-redis, of a cluster or of sentinels has it. */
export interface RedisStreams {
  /** Adds an entry to a stream; resolves with its id once Redis has answered. */
  xAdd(stream: string, id: '*', fields: Record<string, string>): Promise<unknown>;
}

/** Where events go. Either `url` or `client` is given. */
export interface RedisPublisherOptions extends PublisherOptions {
  /** `redis://user:password@host:6379/0` or `rediss://…`; user and password are percent-encoded. */
  readonly url?: string | undefined;
  /** A connected client of the host, which stays the host's: it reconnects it and closes it. */
  readonly client?: RedisStreams | undefined;
  /** The key of the stream. Default `calends:events`. */
  readonly stream?: string | undefined;
  /**
   * How many streams the events are spread over, 1 to 1 000, by their appointment; with more than one the keys are
   * `{stream}:0`, `{stream}:1` and so on. Default 1. Changing it puts later events of an appointment into another stream.
   */
  readonly partitions?: number | undefined;
}

/**
 * Makes a publisher that adds events to a stream of Redis, as CloudEvents.
 *
 * An event is published when Redis has answered, which says that it is on disk only where Redis writes before it answers
 * (`appendfsync always`). Each entry has two fields: `id`, that of the event, by which readers tell repetitions, and
 * `event`, the CloudEvent as JSON. Nothing is connected before the first event. Calls may overlap.
 *
 * @throws TypeError for options that are missing, misspelt or unusable; it lists every fault and shows no value
 */
export function redisPublisher(options: RedisPublisherOptions): ClosablePublisher {
  checkIsObject('redisPublisher: options', options);
  const { url, client, stream = 'calends:events', partitions = 1 } = options;
  const { timeout, source, place } = readPublisherOptions('redisPublisher', options, {
    url,
    given: client,
    others: ['client', 'stream', 'partitions'],
    protocols: ['redis:', 'rediss:'],
    faults: [
      ...(client === undefined || typeof (Object(client) as RedisStreams).xAdd === 'function'
        ? []
        : ['client: must have xAdd']),
      ...(typeof stream === 'string' && stream !== '' ? [] : ['stream: must be the key of a stream']),
      ...(Number.isSafeInteger(partitions) && partitions >= 1 && partitions <= 1000
        ? []
        : ['partitions: must be a whole number from 1 to 1000']),
    ],
  });
  return brokerPublisher<Link>('redisPublisher', timeout, {
    ...doorTo(place, timeout),
    async send({ streams }, event) {
      const subject = eventSubject(event);
      const key = partitions === 1 ? stream : `${stream}:${String(partitionOf(subject, partitions))}`;
      await streams.xAdd(key, '*', { id: event.id, event: JSON.stringify(cloudEvent(event, source)) });
    },
  });
}

/** The same for all events of an appointment, on every machine. */
function partitionOf(subject: string, partitions: number): number {
  return createHash('sha256').update(subject).digest().readUInt32BE() % partitions;
}

/** A client, and what ends it. */
interface Link {
  readonly streams: RedisStreams;
  end(): void;
}

function doorTo(
  place: { readonly url: string } | RedisStreams,
  timeout: number,
): Pick<BrokerDoor<Link>, 'open' | 'close'> {
  return {
    async open(lost) {
      if (!('url' in place)) return { streams: place, end: () => undefined };
      const client = createClient({
        url: place.url,
        // Streams are older than the third version of the protocol.
        RESP: 2,
        // What waits for a reconnection would be added later, in whatever order: the relay tries again.
        disableOfflineQueue: true,
        socket: { connectTimeout: timeout, reconnectStrategy: false, socketTimeout: 3 * timeout },
        pingInterval: timeout,
      });
      client.on('error', lost);
      const end = (): void => {
        if (client.isOpen) client.destroy();
      };
      await client.connect().catch((fault: unknown) => {
        end();
        throw fault;
      });
      return { streams: client, end };
    },
    close: (link) => link.end(),
  };
}
