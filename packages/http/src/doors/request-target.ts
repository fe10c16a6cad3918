/** A request target: what stands in the first line of a request, or the address of a `Request`. */
export interface RequestTarget {
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

const schemeAndHost = /^https?:\/\/[^/?#]+/i;

/**
 * Cuts a target into path and query without ever throwing: what is none (`//[`, `http://`, `*`) has a path that nobody serves.
 *
 * Proxies and `Request` write the whole address; so much of it as is not path or query goes (RFC 9112, 3.2.2).
 */
export function requestTarget(text: string): RequestTarget {
  const [target = ''] = text.replace(schemeAndHost, '').split('#', 1);
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The path below a mount; `undefined` for one that is not below it. */
export function below(basePath: string, path: string): string | undefined {
  if (basePath === '') return path;
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
