import type { SmsMessage } from '@calends/core/notifier';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const accountSid = 'AC0123456789abcdef0123456789abcdef';
export const authToken = 'the auth token';

/** A request as the provider got it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly form: URLSearchParams;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A provider that behaves as the API of Twilio is documented: messages go from queued over sent to delivered. */
export class Provider {
  readonly received: Received[] = [];
  /** Answers instead of the provider. */
  answer: Answer | undefined;
  /** What a message goes through, one state a poll; the last stays. */
  states: readonly Readonly<Record<string, unknown>>[] = ['queued', 'sent', 'delivered'].map((status) => ({ status }));
  readonly #messages = new Map<string, { polls: number; to: string }>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(): Promise<Provider> {
    const provider = new Provider();
    provider.#server.listen(0, '127.0.0.1');
    await once(provider.#server, 'listening');
    return provider;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Resolves when a request is read to its end. */
  async nextRequest(): Promise<void> {
    await once(this.#server, 'read');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url: path = '', headers } = request;
    const form = new URLSearchParams(body);
    const { authorization, 'content-type': contentType } = headers;
    this.received.push({ method, path, authorization, contentType, form });
    this.#server.emit('read');
    if (this.answer !== undefined) this.answer(request, response);
    else if (authorization !== `Basic ${btoa(`${accountSid}:${authToken}`)}`) refuse(response, 401, 20003);
    else if (method === 'POST') this.#take(path, form, response);
    else this.#tell(path, response);
  }

  #take(path: string, form: URLSearchParams, response: ServerResponse): void {
    const to = form.get('To') ?? '';
    if (path !== `/2010-04-01/Accounts/${accountSid}/Messages.json`) {
      refuse(response, 404, 20404);
      return;
    }
    const sid = `SM${String(this.#messages.size).padStart(32, '0')}`;
    this.#messages.set(sid, { polls: 0, to });
    json(response, 201, { sid, to, body: form.get('Body'), error_code: null, ...this.states[0] });
  }

  #tell(path: string, response: ServerResponse): void {
    const sid = /\/Messages\/(\w+)\.json$/.exec(path)?.[1] ?? '';
    const message = this.#messages.get(sid);
    if (message === undefined) {
      refuse(response, 404, 20404);
      return;
    }
    message.polls += 1;
    json(response, 200, {
      sid,
      to: message.to,
      error_code: null,
      ...(this.states[message.polls] ?? this.states.at(-1)),
    });
  }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** An error body as documented: its text repeats what the caller sent. */
export function refuse(response: ServerResponse, status: number, code: number, message = 'Refused'): void {
  json(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${String(code)}`, status });
}

export const message: SmsMessage = {
  channel: 'SMS',
  notificationId: 'n-1',
  organizationId: 'org-1',
  applicationId: 'app-1',
  appointmentId: 'a-1',
  type: 'REMINDER',
  from: '+15005550006',
  to: '+14155552671',
  text: 'Dr. Ærø: your appointment with Jane Roe is on 4 May at 09:00 (GMT+2) & 100% sure',
};
