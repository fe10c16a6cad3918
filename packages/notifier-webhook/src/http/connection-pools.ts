import { Agent, type Dispatcher } from 'undici';
import { CheckedConnector, type Resolve } from '../address/checked-connector.js';

/** What every connection has in common. */
export interface ConnectionOptions {
  readonly resolve: Resolve;
  readonly connectTimeout: number;
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
}

/**
 * The ways out: one pool of connections to public addresses, one for endpoints that may reach any.
 *
 * They share nothing, so a connection into a private network never serves an endpoint that may not go there. An agent of
 * our own also knows no proxy from the environment.
 */
export class ConnectionPools {
  readonly #connectors: { readonly public: CheckedConnector; readonly any: CheckedConnector };
  readonly #agents: { readonly public: Dispatcher; readonly any: Dispatcher };

  constructor(options: ConnectionOptions) {
    this.#connectors = {
      public: new CheckedConnector({ ...options, allowPrivateNetwork: false }),
      any: new CheckedConnector({ ...options, allowPrivateNetwork: true }),
    };
    this.#agents = { public: agentOver(this.#connectors.public), any: agentOver(this.#connectors.any) };
  }

  /** The agent for an endpoint. */
  agentFor({ allowPrivateNetwork }: { readonly allowPrivateNetwork?: boolean | undefined }): Dispatcher {
    return allowPrivateNetwork === true ? this.#agents.any : this.#agents.public;
  }

  /** Ends every connection; requests under way end broken. */
  async close(): Promise<void> {
    const { public: one, any: other } = this.#connectors;
    one.close();
    other.close();
    await Promise.all([this.#agents.public.destroy(), this.#agents.any.destroy()]);
  }
}

function agentOver(connector: CheckedConnector): Agent {
  // A connection that lies unused is soon ended: the next one is judged again.
  return new Agent({ connect: connector.connect, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 30_000 });
}
