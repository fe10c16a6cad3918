import { request as httpRequest } from 'node:http';

/** What a test sends; the path goes out as it is, without being normalised. */
export interface Call {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is; `content-type` is JSON unless `headers` say otherwise. */
  readonly raw?: string | Uint8Array;
  /** Sends the body in chunks, without a Content-Length. */
  readonly chunked?: boolean;
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed JSON body; `undefined` when there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- cases look into it; its shape is checked against the contract (contract-check.ts)
  readonly body: any;
}

/** One exchange over a connection of its own. */
export function exchange(port: number, method: string, path: string, call: Call = {}): Promise<Reply> {
  const payload = call.json === undefined ? call.raw : JSON.stringify(call.json);
  const headers: Record<string, string | string[]> = {
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    ...(payload === undefined || call.chunked === true ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson(response.headers['content-type']) && text !== '' ? JSON.parse(text) : undefined,
        });
      });
    });
    request.on('error', reject);
    if (payload !== undefined) request.write(payload);
    request.end();
  });
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/(?:problem\+)?json/.test(contentType);
}
