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
import { checkIsObject } from '@calends/core/store';
import { type ChannelModel, type ConfirmChannel, connect, credentials } from 'amqplib';

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
  /** Why RabbitMQ ended the channel, where it did: what is under way is only told that it has ended. */
  fault: Error | undefined;
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
  checkIsObject('rabbitmqPublisher: options', options);
  const { url, connection, exchange = 'calends', mandatory = true } = options;
  const { timeout, source, place } = readPublisherOptions('rabbitmqPublisher', options, {
    url,
    given: connection,
    protocols: ['amqp:', 'amqps:'],
    others: ['connection', 'exchange', 'mandatory'],
    faults: [
      ...(connection === undefined || typeof (Object(connection) as ChannelModel).createConfirmChannel === 'function'
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
    send: (link, event) =>
      new Promise((resolve, reject) => {
        const { channel, returned } = link;
        const body = Buffer.from(JSON.stringify(cloudEvent(event, source)));
        const properties = { messageId: event.id, contentType: cloudEventMediaType, persistent: true, mandatory };
        channel.publish(exchange, eventSubject(event), body, properties, (fault: unknown) => {
          const wasReturned = returned.delete(event.id);
          if (fault instanceof Error) reject(tooLarge(link.fault, body) ?? link.fault ?? fault);
          else if (wasReturned) reject(new Error('no queue takes the event'));
          else resolve();
        });
      }),
    isRefusal: (fault) => fault instanceof RangeError,
  });
}

/** Ends of a channel for a message that is larger than RabbitMQ takes; it does not say which one of those under way. */
const sizeFault = /message size \d+ is larger than (?:configured )?max size (\d+)/;

function tooLarge(cause: Error | undefined, { length }: Buffer): RangeError | undefined {
  const [, most] = sizeFault.exec(cause?.message ?? '') ?? [];
  const isTooLarge = most !== undefined && length > Number(most);
  return isTooLarge ? new RangeError('the event is larger than RabbitMQ takes', { cause }) : undefined;
}

type Place = { readonly url: string } | NonNullable<RabbitmqPublisherOptions['connection']>;

function doorTo(place: Place, timeout: number): Pick<BrokerDoor<Link>, 'open' | 'close'> {
  return {
    async open(lost) {
      if (!('url' in place)) return linkOn(await place.createConfirmChannel(), lost);
      const cut = new AbortController();
      // A name of their own: the types of amqplib do not know that the signal goes to the socket as well.
      const socketOptions = { timeout, noDelay: true, signal: cut.signal, ...credentialsOf(place.url) };
      const connection = await connect(withHeartbeat(place.url), socketOptions);
      // What goes wrong is told to the events that it goes wrong for; an event nobody hears would end the process.
      connection.on('error', () => undefined);
      // A broker that blocks reads neither the good-bye nor the end, and goes on with its heartbeats: the connection would stay.
      const close = async (): Promise<void> => {
        const patience = setTimeout(() => cut.abort(), timeout);
        await connection.close().catch(() => undefined);
        clearTimeout(patience);
        cut.abort();
      };
      try {
        const channel = await connection.createConfirmChannel();
        // RabbitMQ ends the channel alone where the exchange is not there. To close a dead connection may take for ever.
        const ended = (): void => {
          lost();
          void close();
        };
        return Object.assign(linkOn(channel, ended), { close });
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
  const close = (): Promise<void> => channel.close().catch(() => undefined);
  const link: Link = { channel, returned, fault: undefined, close };
  channel.on('error', (fault) => (link.fault = fault));
  channel.on('close', lost);
  channel.on('return', ({ properties }) => void returned.add(String(properties.messageId)));
  return link;
}

/** amqplib decodes what it takes from an address as if it were Latin-1. */
function credentialsOf(url: string): { readonly credentials?: ReturnType<typeof credentials.plain> } {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return {};
  return { credentials: credentials.plain(decodeURIComponent(username), decodeURIComponent(password)) };
}

/** Two of them without an answer end a connection whose other side is gone without a word. */
function withHeartbeat(url: string): string {
  const target = new URL(url);
  if (!target.searchParams.has('heartbeat')) target.searchParams.set('heartbeat', '5');
  return target.href;
}
