import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
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
import { jetstream, JetStreamApiError } from '@nats-io/jetstream';
import { connect, type ConnectionOptions, headers, type NatsConnection } from '@nats-io/transport-node';

/** Where events go. Either `url` or `connection` is given. */
export interface NatsPublisherOptions extends PublisherOptions {
  /** `nats://user:password@host:4222`, `tls://…`; a user without a password is a token. Both are percent-encoded. */
  readonly url?: string | undefined;
  /** A connection of the host, which stays the host's: it reconnects it and closes it. */
  readonly connection?: NatsConnection | undefined;
  /** What subjects begin with: `{subject}.{organization}.{application}.{appointment}`. Default `calends`. */
  readonly subject?: string | undefined;
}

/** Codes of what is wrong with the message itself: it, or its headers, are larger than the stream takes. */
const refusals: ReadonlySet<number> = new Set([10054, 10097]);

/**
 * Makes a publisher that hands events to a stream of JetStream, as CloudEvents.
 *
 * An event is published when JetStream has acknowledged it. Its id is the `Nats-Msg-Id`, by which the stream drops
 * repetitions within its duplicate window. Nothing is connected before the first event. Calls may overlap.
 *
 * @throws TypeError for options that are missing, misspelt or unusable; it lists every fault and shows no value
 */
export function natsPublisher(options: NatsPublisherOptions): ClosablePublisher {
  checkIsObject('natsPublisher: options', options);
  const { url, connection, subject = 'calends' } = options;
  const { timeout, source, place } = readPublisherOptions('natsPublisher', options, {
    url,
    given: connection,
    others: ['connection', 'subject'],
    protocols: ['nats:', 'tls:'],
    faults: [
      ...(connection === undefined || typeof (Object(connection) as NatsConnection).request === 'function'
        ? []
        : ['connection: must be a connection to NATS']),
      ...(typeof subject === 'string' && /^[\w-]+(\.[\w-]+)*$/.test(subject)
        ? []
        : ['subject: must be words of letters, digits, _ and -, with dots between']),
    ],
  });
  return brokerPublisher<NatsConnection>('natsPublisher', timeout, {
    ...doorTo(place, timeout),
    async send(to, event) {
      const described = headers();
      described.set('Content-Type', cloudEventMediaType);
      const body = JSON.stringify(cloudEvent(event, source));
      const of = { msgID: event.id, headers: described, timeout };
      await jetstream(to).publish(`${subject}.${eventSubject(event)}`, body, of);
    },
    // By the code, for the status of a stream that is sealed is 400 as well.
    isRefusal: (fault) => (fault instanceof JetStreamApiError ? refusals.has(fault.code) : isTooLarge(fault)),
  });
}

/**
 * The client sends nothing that is larger than the server takes (`max_payload`). By the name, for a connection of the host
 * may come from another copy of the client.
 */
const isTooLarge = (fault: unknown): boolean => fault instanceof Error && fault.name === 'InvalidArgumentError';

type Door = Pick<BrokerDoor<NatsConnection>, 'open' | 'close'>;

function doorTo(place: { readonly url: string } | NatsConnection, timeout: number): Door {
  if (!('url' in place)) return { open: () => Promise.resolve(place), close: () => undefined };
  return {
    async open(lost) {
      await greeting(place.url, timeout);
      const opened = await connect(connectionOptions(place.url, timeout));
      void opened.closed().then(lost);
      return opened;
    },
    close: (opened) => opened.close().catch(() => undefined),
  };
}

/**
 * Resolves once the server has said something, as one of NATS does first. Where it says nothing the client gives up, and
 * leaves its connection open without an end; so it is not asked to before.
 */
async function greeting(url: string, timeout: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connectSocket({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 4222) });
  socket.on('end', () => socket.destroy(new Error('the server has closed the connection')));
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(timeout) });
  } finally {
    socket.destroy();
  }
}

/** Without reconnecting, which would keep what is published meanwhile and send it later, in whatever order. */
function connectionOptions(url: string, timeout: number): ConnectionOptions {
  const { protocol, host, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    servers: host,
    name: 'calends',
    timeout,
    reconnect: false,
    pingInterval: timeout,
    maxPingOut: 2,
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    ...(password === '' ? (username === '' ? {} : { token: user }) : { user, pass }),
  };
}
