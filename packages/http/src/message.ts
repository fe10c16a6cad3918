import type { Caller } from '@calends/core';

/** What a body turned out to be when it was read: its bytes, or why there are none. */
export type BodyRead = Uint8Array | 'tooLarge' | 'aborted';

/** Why a body parser of the host gave up on a body. */
export type ParserRefusal = 'tooLarge' | 'malformed' | 'unsupported';

/**
 * The body of a request, in the state in which the door found it. `length` is the number of bytes that the client
 * announced; absent when it announced none.
 *
 * `none`: there is no body.
 * `stream`: not read yet, and perhaps empty; `read` takes at most `limit` bytes and buffers no more than that.
 * `parsed`: the host's parser was there first; a Buffer and a string are raw bodies, everything else is parsed JSON.
 * `refused`: the host's parser gave up on it.
 */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'stream'; readonly length?: number | undefined; read(limit: number): Promise<BodyRead> }
  | { readonly kind: 'parsed'; readonly length?: number | undefined; readonly value: unknown }
  | {
      readonly kind: 'refused';
      readonly length?: number | undefined;
      readonly reason: ParserRefusal;
    };

/** Whom the host takes a request to be from, by a session of its own (D77). */
export interface HostCaller {
  readonly caller: Caller;
  /**
   * How the request said so. `cookie`: by something that browsers send along by themselves, so that a request which changes
   * something must come from a page of the host. `header`: by something that only a program puts in. Default `cookie`.
   */
  readonly by?: 'cookie' | 'header';
}

/** A request, free of any framework (ARCHITECTURE.md: The way of a request). */
export interface HttpRequest {
  /** As received, in capitals. */
  readonly method: string;
  /** Path below the mount, percent-encoded as received, without the query. */
  readonly path: string;
  /** The raw query without its question mark; empty when there is none. */
  readonly query: string;
  /** Value of a header by its lower-case name; repeated ones as Node joins them. `host` is the name that was asked. */
  header(name: string): string | undefined;
  /**
   * Where the request comes from, IPv4 or IPv6: the peer of the connection, or what proxies of the host's own say (D66).
   * Absent: limits by address are not asked. A function is called once, before everything else: what it throws is a fault of the service.
   */
  readonly clientAddress?: (() => Promise<string | undefined>) | string | undefined;
  /**
   * Whom the host takes the request to be from, `undefined` for nobody; asked once, where a bearer token does not say it.
   * Absent: the host knows no callers of its own.
   */
  readonly caller?: (() => Promise<HostCaller | undefined> | HostCaller | undefined) | undefined;
  /**
   * Why the host's parser gave up on the body, as {@link body} says too. No operation serves such a request, not even one that takes
   * no body: middleware of the host between its parser and the services may not have seen it. Absent: it did not give up.
   */
  readonly bodyRefusal?: ParserRefusal | undefined;
  /** Asked at most once, and only after the credentials and the role were accepted. Whether there is a body is said here only. */
  body(): RequestBody;
}

/** An answer, free of any framework. */
export interface HttpResponse {
  readonly status: number;
  /** Complete, with the length of the body where it is a string; names in their usual spelling. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Absent for 204 and for HEAD. An iterable is an answer that flows: taken once, a chunk at a time, no faster than the
   * client reads. When it fails, the connection must end without the end of the message, so that nobody takes a part for
   * the whole; when the client is gone, `return()` stops it. It holds nothing open between two chunks (D69).
   */
  readonly body?: string | AsyncIterable<string>;
}

/** The body of an answer as one string, empty where there is none; for callers who write to no client. */
export async function wholeBody({ body = '' }: HttpResponse): Promise<string> {
  if (typeof body === 'string') return body;
  const chunks: string[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.join('');
}
