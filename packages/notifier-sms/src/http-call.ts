import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { readRetryAfter } from './retry-after.js';

/** A request to the provider. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Milliseconds for all of it; half of that, and at most 5 s, for the connection. */
  readonly timeout: number;
}

/** How a request ended. `reason` holds a word of Node or of ours, never anything of the message. */
export type HttpAnswer =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      /** Milliseconds. */
      readonly retryAfter: number | undefined;
      /** The JSON of the answer; `undefined` if it was none, was cut off or had more than 64 KB. */
      readonly body: unknown;
    }
  /** No connection was made: nothing of the request has left. */
  | { readonly outcome: 'unsent'; readonly reason: string }
  /** The request left, in part or whole, and no answer came. */
  | { readonly outcome: 'unanswered'; readonly reason: string };

const maxAnswer = 64 * 1024;
const maxConnecting = 5_000;

/**
 * Makes one request over a connection of its own, and never throws.
 *
 * `node:http` rather than `fetch`, which does not tell whether an aborted request had a connection yet: the difference
 * between "try again" and "it may have been sent". No connection is kept: one that the provider closes at the moment of
 * reuse would look like a lost answer. Redirects are not followed.
 */
export function callHttp(call: ProviderRequest, signal: AbortSignal): Promise<HttpAnswer> {
  if (signal.aborted) return Promise.resolve({ outcome: 'unsent', reason: 'aborted' });
  const { method, url, headers, timeout } = call;
  const isSecure = url.protocol === 'https:';
  const request = (isSecure ? httpsRequest : httpRequest)(url, { method, headers, agent: false });
  return new Promise((resolve) => {
    let hasLeft = false;
    let answer: Answer | undefined;

    const end = (reason: string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(answer?.asAnswer() ?? { outcome: hasLeft ? 'unanswered' : 'unsent', reason });
      request.destroy();
    };
    const abort = (): void => end('aborted');
    let timer = setTimeout(end, Math.min(maxConnecting, timeout / 2), 'time-out');
    const started = performance.now();
    signal.addEventListener('abort', abort);

    onConnected(request, isSecure, () => {
      hasLeft = true;
      clearTimeout(timer);
      timer = setTimeout(end, timeout - (performance.now() - started), 'time-out');
    });
    request.on('response', (response) => {
      answer = new Answer(response, () => end('answered'));
    });
    // Stays for good: a request that was ended may still fail.
    request.on('error', (fault) => end(codeOf(fault)));
    request.on('close', () => end('closed'));
    request.end(call.body);
  });
}

/** Calls back when the first byte of the request can leave: what is written before waits in memory. */
function onConnected(request: ClientRequest, isSecure: boolean, connected: () => void): void {
  request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', connected));
}

function codeOf(fault: Error): string {
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : '';
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'connection failed';
}

/** Gathers an answer, up to the limit; its status counts even if the rest of it never comes. */
class Answer {
  readonly #response: IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(response: IncomingMessage, ended: () => void) {
    this.#response = response;
    response.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      if (this.#length > maxAnswer) ended();
    });
    response.on('end', ended);
    // A connection that breaks: what has come so far is the answer.
    response.on('error', ended);
  }

  asAnswer(): HttpAnswer {
    const { statusCode = 0, headers } = this.#response;
    return {
      outcome: 'answered',
      status: statusCode,
      retryAfter: readRetryAfter(headers['retry-after'], Date.now()),
      body:
        this.#response.complete && this.#length <= maxAnswer
          ? parsed(Buffer.concat(this.#chunks).toString('utf8'))
          : undefined,
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
