import type { Clock } from '@calends/core';
import {
  readNotificationHeaders,
  type SendAttempt,
  type SendResult,
  type WebhookEndpoint,
  type WebhookMessage,
  type WebhookNotifier,
} from '@calends/core/notifier';
import { endpointFault } from './endpoint-fault.js';
import { callHttp, type HttpAnswer, within } from './http/http-call.js';
import { ConnectionPools } from './http/connection-pools.js';
import type { AccessToken } from './oauth/token-cache.js';
import { TokenMissing, TokenSource } from './oauth/token-source.js';
import { completeOptions, type WebhookNotifierOptions } from './options.js';
import { outcomeOf, refusal, unusable } from './outcome.js';
import { basicCredentials, webhookRequest } from './request/webhook-request.js';

/** Sends web hooks over connections of its own. */
export interface ClosableWebhookNotifier extends WebhookNotifier {
  endpointFault: NonNullable<WebhookNotifier['endpointFault']>;
  /** Waits for what is being sent, at most `timeout`, then ends every connection. Further sends fail. */
  close(): Promise<void>;
}

/**
 * Sends notifications to web hooks: a POST of `{id, type, timestamp, payload}`, signed after Standard Webhooks (D59).
 *
 * `send` never rejects for what an endpoint does, and may be called by many workers at once. Receivers tell repeated
 * deliveries by `webhook-id`, so an attempt without an answer is `unknown` and may be made again. Its addresses are checked
 * at every connection, not only by `endpointFault`; the package's README has the rules and the outcomes.
 *
 * @throws TypeError for options that are misspelt or unusable
 *
 * @example
 * ```ts
 * import type { Notifiers } from '@calends/core/notifier';
 * import { webhookNotifier } from '@calends/notifier-webhook';
 *
 * const webhooks = webhookNotifier({ timeout: 10_000 });
 * const notifiers: Notifiers = { webhooks };
 * console.log(Object.keys(notifiers)); // [ 'webhooks' ]
 * await webhooks.close();
 * ```
 */
export function webhookNotifier(options: WebhookNotifierOptions = {}): ClosableWebhookNotifier {
  return new HttpWebhookNotifier(options);
}

class HttpWebhookNotifier implements ClosableWebhookNotifier {
  readonly capability = 'idempotent';
  readonly timeout: number;
  readonly endpointFault = endpointFault;
  readonly #clock: Clock;
  readonly #pools: ConnectionPools;
  readonly #tokens: TokenSource;
  readonly #underWay = new Set<Promise<SendResult>>();
  #closed: Promise<void> | undefined;

  constructor(options: WebhookNotifierOptions) {
    const complete = completeOptions(options);
    const { timeout, clock } = complete;
    this.timeout = timeout;
    this.#clock = clock;
    this.#pools = new ConnectionPools(complete);
    this.#tokens = new TokenSource(this.#pools, clock, timeout);
  }

  async send(message: WebhookMessage, attempt: SendAttempt): Promise<SendResult> {
    if (this.#closed !== undefined) return { status: 'failed', permanent: false, error: 'The notifier is closed.' };
    const sending = within(this.timeout, attempt.signal, (signal) => this.#send(message, signal));
    this.#underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.#underWay.delete(sending);
    }
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#underWay).then(() => this.#pools.close());
    return this.#closed;
  }

  async #send(message: WebhookMessage, signal: AbortSignal): Promise<SendResult> {
    const { endpoint } = message;
    const fault = endpointFault(endpoint);
    if (fault !== undefined) return refusal(unusable(fault));
    const reading = readNotificationHeaders(message.headers);
    if (!reading.ok) return refusal(`The appointment's notificationHeaders break a rule: ${reading.fault}.`);
    const agent = await this.#pools.agentFor(endpoint);
    const post = (authorization?: string) =>
      callHttp(agent, webhookRequest(message, { headers: reading.headers, authorization }), signal);
    try {
      return outcomeOf(await this.#answerOf(post, endpoint, signal), this.#clock.now());
    } catch (error) {
      if (error instanceof TokenMissing) return error.outcome;
      throw error;
    }
  }

  /** The answer to a call that proves itself as the endpoint wants it. */
  async #answerOf(
    post: (authorization?: string) => Promise<HttpAnswer>,
    endpoint: WebhookEndpoint,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { authentication } = endpoint;
    if (authentication === undefined) return post();
    if (authentication.type === 'basic') {
      return post(basicCredentials(authentication.username, authentication.password));
    }
    const token = await this.#tokens.tokenFor(endpoint, authentication, signal);
    const answer = await post(bearer(token));
    if (answer.kind !== 'answered' || answer.status !== 401) return answer;
    // It may have been withdrawn before its time: once more with another.
    return post(bearer(await this.#tokens.tokenFor(endpoint, authentication, signal, token)));
  }
}

function bearer({ value }: AccessToken): string {
  return `Bearer ${value}`;
}
