import {
  brokerPublisher,
  type BrokerDoor,
  type ClosablePublisher,
  cloudEvent,
  cloudEventMediaType,
  eventSubject,
  type PublisherOptions,
  readPublisherOptions,
} from '@calends/core/publisher';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';

/** Where events go. Either `url` or `connection` is given. */
export interface RabbitmqPublisherOptions extends PublisherOptions {
  /** `amqp://user:password@host:5672/vhost` or `amqps://…`; its parts are percent-encoded. */
  readonly url?: string | undefined;
  /** A connection of the host, which stays the host's: the publisher opens channels on it, and closes those. */
  readonly connection?: Pick<ChannelModel, 'createConfirmChannel'> | undefined;
  /** The exchange that events are published to, with `{organization}.{application}.{appointment}` as routing key. Default `calends`. */
  readonly exchange?: string | undefined;
  /** Whether an event that no queue takes counts as not published, and is tried again. Default true. */
  readonly mandatory?: boolean | undefined;
}

/** A channel, and what ends it; `close` never rejects. */
interface Link {
  readonly channel: ConfirmChannel;
  /** Ids of messages that came back, since no queue takes them; the confirmation follows. */
  readonly returned: Set<string>;
  close(): Promise<void>;
}

/**
 * Makes a publisher that hands events to an exchange of RabbitMQ, as CloudEvents.
 *
 * An event is published when RabbitMQ has confirmed it: it lies in every queue that takes it, and on the disk of those that
 * are durable. Its id is the `message_id`; RabbitMQ does not look for repetitions, readers do. Nothing is connected before
 * the first event. Calls may overlap.
 *
 * @throws TypeError for options that are missing, misspelt or unusable; it lists every fault and shows no value
 */
export function rabbitmqPublisher(options: RabbitmqPublisherOptions): ClosablePublisher {
  const { url, connection, exchange = 'calends', mandatory = true } = options;
  const { timeout, source, place } = readPublisherOptions('rabbitmqPublisher', options, {
    ...{ url, given: connection, protocols: ['amqp:', 'amqps:'], others: ['connection', 'exchange', 'mandatory'] },
    faults: [
      ...(connection === undefined || typeof connection.createConfirmChannel === 'function'
        ? []
        : ['connection: must be a connection of amqplib']),
      ...(typeof exchange === 'string' && /^[^\p{Cc}]{1,255}$/u.test(exchange)
        ? []
        : ['exchange: must be the name of an exchange']),
      ...(typeof mandatory === 'boolean' ? [] : ['mandatory: must be true or false']),
    ],
  });
  return brokerPublisher<Link>('rabbitmqPublisher', timeout, {
    ...doorTo(place, timeout),
    send: ({ channel, returned }, event) =>
      new Promise((resolve, reject) => {
        const body = Buffer.from(JSON.stringify(cloudEvent(event, source)));
        const properties = { messageId: event.id, contentType: cloudEventMediaType, persistent: true, mandatory };
        channel.publish(exchange, eventSubject(event), body, properties, (fault: unknown) => {
          const wasReturned = returned.delete(event.id);
          if (fault instanceof Error) reject(fault);
          else if (wasReturned) reject(new Error('no queue takes the event'));
          else resolve();
        });
      }),
  });
}

type Place = { readonly url: string } | NonNullable<RabbitmqPublisherOptions['connection']>;

function doorTo(place: Place, timeout: number): Pick<BrokerDoor<Link>, 'open' | 'close'> {
  return {
    async open(lost) {
      if (!('url' in place)) return linkOn(await place.createConfirmChannel(), lost);
      const connection = await connect(withHeartbeat(place.url), { timeout, noDelay: true });
      // What goes wrong is told to the events that it goes wrong for; an event nobody hears would end the process.
      connection.on('error', () => undefined);
      const close = (): Promise<void> => connection.close().catch(() => undefined);
      try {
        const channel = await connection.createConfirmChannel();
        // RabbitMQ ends the channel alone where the exchange is not there. To close a dead connection may take for ever.
        const ended = (): void => {
          lost();
          void close();
        };
        return { ...linkOn(channel, ended), close };
      } catch (fault) {
        await close();
        throw fault;
      }
    },
    close: (link) => link.close(),
  };
}

function linkOn(channel: ConfirmChannel, lost: () => void): Link {
  const returned = new Set<string>();
  channel.on('error', () => undefined);
  channel.on('close', lost);
  channel.on('return', ({ properties }) => void returned.add(String(properties.messageId)));
  return { channel, returned, close: () => channel.close().catch(() => undefined) };
}

/** Two of them without an answer end a connection whose other side is gone without a word. */
function withHeartbeat(url: string): string {
  const target = new URL(url);
  if (!target.searchParams.has('heartbeat')) target.searchParams.set('heartbeat', '5');
  return target.href;
}
