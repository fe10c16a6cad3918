import { isIdText } from '@calends/model';

/** What the matcher needs to know of an operation. */
export interface Routable {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A `{parameter}` stands for what is no slash; a slash at the end makes no difference. */
  readonly path: string;
}

/** A request under one of the paths: an operation, or a path that has others. */
export type Match<O> =
  | { readonly kind: 'operation'; readonly operation: O; readonly segments: readonly string[] }
  | { readonly kind: 'otherMethod'; readonly allow: string };

type ByMethod<O> = Map<string, O>;

interface PathWithParameters<O> {
  readonly prefix: string;
  readonly form: RegExp;
  readonly operations: ByMethod<O>;
}

/**
 * Finds operations by method and path: names before parameters, a trailing slash optional, HEAD as GET.
 *
 * `undefined` means "not ours": an unknown path, and OPTIONS, which belongs to the host's CORS rules.
 */
export function createMatcher<O extends Routable>(
  operations: readonly O[],
): (method: string, path: string) => Match<O> | undefined {
  const plain = new Map<string, ByMethod<O>>();
  const parametric = new Map<string, PathWithParameters<O>>();
  for (const operation of operations) addTo(operationsAt(operation.path, plain, parametric), operation);
  // `/activate/{id}` before `/{id}`: the longer the name in front, the more is known.
  const patterns = [...parametric.values()].sort((left, right) => right.prefix.length - left.prefix.length);

  return (method, path) => {
    if (method === 'OPTIONS') return undefined;
    const key = withoutTrailingSlash(path);
    const named = plain.get(key);
    if (named !== undefined) return choose(named, method, []);
    for (const pattern of patterns) {
      const segments = segmentsIn(key, pattern);
      if (segments !== undefined) return choose(pattern.operations, method, segments);
    }
    return undefined;
  };
}

function operationsAt<O>(
  path: string,
  plain: Map<string, ByMethod<O>>,
  parametric: Map<string, PathWithParameters<O>>,
): ByMethod<O> {
  const key = withoutTrailingSlash(path);
  const parts = key.split(/\{\w+\}/);
  const [prefix = ''] = parts;
  if (parts.length === 1) {
    const found = plain.get(key) ?? new Map<string, O>();
    plain.set(key, found);
    return found;
  }
  const pattern = parts.join('{}');
  const form = new RegExp(`^${parts.map((part) => part.replaceAll('.', String.raw`\.`)).join('([^/]+)')}$`);
  const found = parametric.get(pattern) ?? { prefix, form, operations: new Map<string, O>() };
  parametric.set(pattern, found);
  return found.operations;
}

function addTo<O extends Routable>(operations: ByMethod<O>, operation: O): void {
  if (operations.has(operation.method)) throw new TypeError(`${operation.method} ${operation.path} is there twice.`);
  operations.set(operation.method, operation);
}

function choose<O>(operations: ByMethod<O>, method: string, segments: readonly string[]): Match<O> {
  const operation = operations.get(method === 'HEAD' ? 'GET' : method);
  return operation === undefined
    ? { kind: 'otherMethod', allow: allowed(operations) }
    : { kind: 'operation', operation, segments };
}

function allowed(operations: ByMethod<unknown>): string {
  return [...operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

function segmentsIn(
  path: string,
  { prefix, form }: { readonly prefix: string; readonly form: RegExp },
): readonly string[] | undefined {
  return path.startsWith(prefix) ? form.exec(path)?.slice(1) : undefined;
}

function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/**
 * The text of a path segment, or `undefined` when no id can look like this (D9): broken percent-encoding, control
 * characters, lone surrogates, too long. Whether an id of an appointment has the right form is the core's to say.
 */
export function decodePathId(segment: string, maxLength: number): string | undefined {
  if (segment.length > maxLength * 9) return undefined;
  try {
    const id = decodeURIComponent(segment);
    return isIdText(id, maxLength) ? id : undefined;
  } catch {
    return undefined;
  }
}
