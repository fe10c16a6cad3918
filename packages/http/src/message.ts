/** What a body turned out to be when it was read: its bytes, or why there are none. */
export type BodyRead = Uint8Array | 'tooLarge' | 'aborted';

/**
 * The body of a request, in the state in which the adapter found it.
 *
 * `stream`: not read yet; `read` takes at most `limit` bytes and buffers no more than that.
 * `parsed`: the host's parser was there first; a Buffer and a string are raw bodies, everything else is parsed JSON.
 * `refused`: the host's parser gave up on it.
 */
export type RequestBody =
  | { readonly kind: 'stream'; read(limit: number): Promise<BodyRead> }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly reason: 'tooLarge' | 'malformed' | 'unsupported' };

/** A request, free of any framework (architecture: The way of one request, 1). */
export interface HttpRequest {
  /** As received, in capitals. */
  readonly method: string;
  /** Path below the mount, percent-encoded as received, without the query. */
  readonly path: string;
  /** The raw query without its question mark; empty when there is none. */
  readonly query: string;
  /** Value of a header by its lower-case name; repeated ones as Node joins them. */
  header(name: string): string | undefined;
  /**
   * Where the request comes from, IPv4 or IPv6: the peer of the connection, or what proxies of the host's own say (D66).
   * Absent: limits by address are not asked.
   */
  readonly clientAddress?: string | undefined;
  /** Asked at most once, and only after the credentials and the role were accepted. */
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
