import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AddressRefused } from '../address/checked-connector.js';

/** Most bytes of an answer that are read. */
const maxAnswerBytes = 64 * 1024;

/** How long an answer that nobody wants is read after its head, so that its connection can be used again; milliseconds. */
const drainTime = 1000;

/** One POST. */
export interface HttpCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** `drop`: the status line is the answer, whatever becomes of the rest. `keep`: the whole answer is needed. */
  readonly answer: 'drop' | 'keep';
}

/** How it ended. */
export type HttpAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly body: Buffer;
    }
  /** A rule forbids the address; nothing was sent. */
  | { readonly kind: 'refused' }
  /** `written`: at least a part of the request may have left. `reason` is a word, never a text from outside. */
  | { readonly kind: 'broken'; readonly written: boolean; readonly reason: string };

/**
 * Sends one request and never rejects; follows no redirect.
 *
 * When `signal` aborts, it ends at once with what is known by then. Nothing of it goes on after the answer.
 */
export function callHttp(agent: Dispatcher, request: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const { url, headers, body } = request;
    const handler = new CallHandler(request.answer, signal, resolve);
    if (handler.over) return;
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers,
        body,
        // The deadline is the caller's.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

class CallHandler implements Dispatcher.DispatchHandler {
  readonly #answer: 'drop' | 'keep';
  readonly #signal: AbortSignal;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #chunks: Buffer[] = [];
  readonly #onAbort = () => this.#end('ETIMEDOUT');
  #bytes = 0;
  #head: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  over = false;

  constructor(answer: 'drop' | 'keep', signal: AbortSignal, resolve: (answer: HttpAnswer) => void) {
    this.#answer = answer;
    this.#signal = signal;
    this.#resolve = resolve;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Called when a connection stands, just before the request is written to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.over) controller.abort(new Error('Over'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.over || status < 200) return;
    const retryAfter = headers['retry-after'];
    this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter.trim() : undefined };
    if (this.#answer === 'drop') this.#drainTimer = setTimeout(() => this.#end('ETIMEDOUT'), drainTime);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > maxAnswerBytes) this.#end('EMSGSIZE');
    else if (this.#answer === 'keep') this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle(this.#answered() ?? { kind: 'broken', written: true, reason: 'ECONNRESET' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof AddressRefused) this.#settle({ kind: 'refused' });
    else this.#end(wordOf(error));
  }

  /** Ends early: by the status line where that is enough. */
  #end(reason: string): void {
    const written = this.#controller !== undefined;
    const answered = this.#answer === 'drop' ? this.#answered() : undefined;
    this.#settle(answered ?? { kind: 'broken', written, reason });
  }

  #answered(): HttpAnswer | undefined {
    return this.#head === undefined
      ? undefined
      : { kind: 'answered', ...this.#head, body: Buffer.concat(this.#chunks) };
  }

  #settle(result: HttpAnswer): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.#drainTimer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(result);
    // Does nothing to a request that has come to its end: its connection stays for the next.
    this.#controller?.abort(new Error('Over'));
  }
}

/** The code of a fault; its message may hold addresses or what the other side sent. */
function wordOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : 'EUNKNOWN';
}

/**
 * Does work that ends, at the latest, when a time is over or the caller's own signal aborts.
 *
 * The work is told by the signal that it is handed, and has to come to its end by itself.
 */
export async function within<T>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, milliseconds);
  outer?.addEventListener('abort', abort, { once: true });
  if (outer?.aborted === true) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}
