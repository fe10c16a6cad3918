import { lookup as askSystem } from 'node:dns/promises';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.js';

/** When a name has several addresses, how long one may be silent before the next is tried; milliseconds. */
const nextAddressAfter = 1000;

/** Answers every address of a host name; rejects when there is none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The system's own way: hosts file, then name servers. */
export const systemResolve: Resolve = async (hostname) =>
  (await askSystem(hostname, { all: true })).map(({ address }) => address);

/** No connection was made, since it would have led to an address that is not public. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** A fault of a connection that has a word of its own, as Node's own faults do. */
class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
  constructor(readonly code: string) {
    super(code);
  }
}

/** How connections are made. */
export interface ConnectorOptions {
  readonly resolve: Resolve;
  /** Whether any address will do, or public ones only. */
  readonly allowPrivateNetwork: boolean;
  /** Longest time until a connection stands, names and TLS included; milliseconds. */
  readonly connectTimeout: number;
  /** Certificates that are trusted, and no others; absent = those that Node trusts. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
}

/**
 * Makes connections for an undici agent, each to an address that was judged just before.
 *
 * A name is resolved once per connection and the very addresses that were judged are connected to: a name server that
 * answers otherwise a moment later changes nothing. Node asks no `lookup` for a literal, hence the check apart.
 */
export class CheckedConnector {
  readonly #options: ConnectorOptions;
  readonly #sockets = new Set<Socket>();
  readonly #lookup: LookupFunction;
  readonly #secureContext: SecureContext;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    // Made once, for it reads every certificate.
    this.#secureContext = createSecureContext(options.ca === undefined ? {} : { ca: [options.ca].flat() });
    this.#lookup = (hostname, { all }, callback) => {
      void this.#judged(hostname).then(
        ([first, ...others]) => {
          if (first === undefined) callback(new ConnectionFault('ENOTFOUND'), '');
          else if (all === true) callback(null, [first, ...others]);
          else callback(null, first.address, first.family);
        },
        (error: unknown) => callback(error instanceof Error ? error : new ConnectionFault('ENOTFOUND'), ''),
      );
    };
  }

  /** The function that undici wants. */
  readonly connect: buildConnector.connector = ({ hostname, protocol, port }, callback) => {
    if (isIP(hostname) !== 0 && !this.#mayReach(hostname)) {
      queueMicrotask(() => callback(new AddressRefused(), null));
      return;
    }
    const socket = this.#open(hostname, protocol, Number(port));
    this.#sockets.add(socket);
    const tooLong = setTimeout(
      () => void socket.destroy(new ConnectionFault('ETIMEDOUT')),
      this.#options.connectTimeout,
    );
    let told = false;
    const tell = (...outcome: Parameters<typeof callback>) => {
      clearTimeout(tooLong);
      if (told) return;
      told = true;
      callback(...outcome);
    };
    socket
      // Stays: a socket that fails once more must find a listener.
      .on('error', (error) => tell(error, null))
      .once('close', () => this.#sockets.delete(socket))
      .once(protocol === 'https:' ? 'secureConnect' : 'connect', () => tell(null, socket));
  };

  /** Ends every connection at once, those included that do not stand yet. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy(new ConnectionFault('ECANCELED'));
  }

  #open(host: string, protocol: string, port: number): Socket {
    const address = { host, lookup: this.#lookup, autoSelectFamilyAttemptTimeout: nextAddressAfter };
    if (protocol !== 'https:') return connectTcp({ ...address, port: port || 80, noDelay: true });
    const socket = connectTls({
      ...address,
      port: port || 443,
      secureContext: this.#secureContext,
      ALPNProtocols: ['http/1.1'],
      // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED would turn the default round.
      rejectUnauthorized: true,
      // Never an address (RFC 6066, section 3) and never with a dot at its end.
      ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
    });
    return socket.setNoDelay(true);
  }

  /** Every address of a name; rejects when a single one of them may not be reached. */
  async #judged(hostname: string): Promise<readonly { readonly address: string; readonly family: number }[]> {
    const addresses = await this.#options.resolve(hostname);
    if (!addresses.every((address) => this.#mayReach(address))) throw new AddressRefused();
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  #mayReach(address: string): boolean {
    return this.#options.allowPrivateNetwork ? isIP(address) !== 0 : isPublicAddress(address);
  }
}
