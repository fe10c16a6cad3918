import type { Dispatcher } from 'undici';
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
  /** The first call opens them: a process that posts nothing need not load an HTTP client. */
  #agents: Promise<{ readonly public: Dispatcher; readonly any: Dispatcher }> | undefined;

  constructor(options: ConnectionOptions) {
    this.#connectors = {
      public: new CheckedConnector({ ...options, allowPrivateNetwork: false }),
      any: new CheckedConnector({ ...options, allowPrivateNetwork: true }),
    };
  }

  /** The agent for an endpoint. */
  async agentFor({ allowPrivateNetwork }: { readonly allowPrivateNetwork?: boolean | undefined }): Promise<Dispatcher> {
    const agents = await (this.#agents ??= this.#open());
    return allowPrivateNetwork === true ? agents.any : agents.public;
  }

  async #open(): Promise<{ readonly public: Dispatcher; readonly any: Dispatcher }> {
    const { Agent } = await import('undici');
    // A connection that lies unused is soon ended: the next one is judged again.
    const agentOver = ({ connect }: CheckedConnector): Dispatcher =>
      new Agent({ connect, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 30_000 });
    return { public: agentOver(this.#connectors.public), any: agentOver(this.#connectors.any) };
  }

  /** Ends every connection; requests under way end broken. */
  async close(): Promise<void> {
    const { public: one, any: other } = this.#connectors;
    one.close();
    other.close();
    const agents = await this.#agents;
    await Promise.all([agents?.public.destroy(), agents?.any.destroy()]);
  }
}
