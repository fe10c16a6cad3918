import { request as httpRequest } from 'node:http';

/** What a browser sends besides its cookies. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as it is, with `content-type` of a form unless `headers` say otherwise. */
  readonly raw?: string | Uint8Array;
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly setCookies: readonly string[];
  readonly text: string;
}

/** Path of the addresses of one booking. */
const ofOneBooking = /^(.*\/book\/[^/]+)(\/|$)/;

/** A browser without script: keeps cookies, follows nothing by itself. */
export class Visitor {
  readonly #port: number;
  readonly #language: string | undefined;
  /** By name; those for a booking alone stand behind its path. */
  readonly cookies = new Map<string, string>();

  constructor(port: number, language?: string) {
    this.#port = port;
    this.#language = language;
  }

  get(path: string, sent: Sent = {}): Promise<Reply> {
    return this.send('GET', path, sent);
  }

  post(path: string, form: Readonly<Record<string, string>> = {}, sent: Sent = {}): Promise<Reply> {
    return this.send('POST', path, { form, ...sent });
  }

  /** Sends a form, and shows the page that it leads to. */
  async submit(path: string, form: Readonly<Record<string, string>> = {}, sent: Sent = {}): Promise<Reply> {
    const reply = await this.post(path, form, sent);
    const { location } = reply.headers;
    return location === undefined ? reply : this.get(location, { ...(sent.headers && { headers: sent.headers }) });
  }

  async send(method: string, path: string, { headers = {}, form, raw }: Sent = {}): Promise<Reply> {
    const body = raw ?? (form === undefined ? undefined : new URLSearchParams(form).toString());
    const booking = ofOneBooking.exec(path)?.[1];
    const cookie = [...this.cookies]
      .map(([key, value]) => ({ value, parts: key.split(' ') }))
      .filter(({ parts: [, under] }) => under === undefined || under === booking)
      .map(({ value, parts: [name = ''] }) => `${name}=${value}`)
      .join('; ');
    const reply = await exchange(this.#port, method, path, body, {
      ...(cookie === '' ? {} : { cookie }),
      ...(this.#language === undefined ? {} : { 'accept-language': this.#language }),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    });
    for (const each of reply.setCookies) this.#keep(each);
    return reply;
  }

  /** An empty value ends a cookie, as Express writes it. */
  #keep(header: string): void {
    const [pair = ''] = header.split(';');
    const equals = pair.indexOf('=');
    const path = /; Path=([^;]*)/.exec(header)?.[1] ?? '';
    const name = `${pair.slice(0, equals)}${ofOneBooking.test(path) ? ` ${path}` : ''}`;
    const value = pair.slice(equals + 1);
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

function exchange(
  port: number,
  method: string,
  path: string,
  body: string | Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent: false };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { 'set-cookie': setCookies = [], ...others } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers: others as Readonly<Record<string, string | undefined>>,
          setCookies,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    request.on('error', reject);
    if (body !== undefined) request.write(body);
    request.end();
  });
}

/** The text of the page's first heading. */
export function heading({ text }: Reply): string {
  return /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? '';
}

/** What the page says as a box above it, or nothing. */
export function noticeOf({ text }: Reply): string | undefined {
  const inner = /<div class="notice[^>]*>([^]*?)<\/div>/.exec(text)?.[1];
  return inner
    ?.replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The values of a form's fields. */
export function fieldsOf({ text }: Reply): Readonly<Record<string, string>> {
  const inputs = Array.from(text.matchAll(/<input[^>]*>/g), ([tag]) => [
    attribute(tag, 'name'),
    attribute(tag, 'value'),
  ]);
  return Object.fromEntries(inputs) as Readonly<Record<string, string>>;
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

/** What the window is called. */
export function titleOf({ text }: Reply): string {
  return /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '';
}
