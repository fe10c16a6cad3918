import { operations } from '@calends/http-contract';
import { smsCallbackPath } from '../notifiers/sms-callback.js';

interface Pattern {
  readonly method: string;
  readonly matches: RegExp;
  readonly path: string;
}

const serverPages: ReadonlySet<string> = new Set([
  ...['/', '/docs', '/docs/', '/openapi.json'],
  ...['/healthz', '/readyz', '/metrics', smsCallbackPath],
]);

const plain = new Map<string, string>();
const parametric: Pattern[] = [];
for (const { method, path } of operations) {
  const key = withoutTrailingSlash(path);
  if (!key.includes('{')) plain.set(`${method} ${key}`, path);
  else
    parametric.push({
      method,
      matches: new RegExp(`^${key.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      path,
    });
}
// `/activate/{id}` before `/{id}/cancel`: the longer the name in front, the more is known.
parametric.sort((one, other) => other.path.indexOf('{') - one.path.indexOf('{'));

/** The template of a request's route, for logs; a path itself may carry ids, and whatever a client made up. */
export function routeName(method: string, path: string): string {
  if (serverPages.has(path)) return path;
  if (path.startsWith('/docs/')) return '/docs/*';
  if (path === '/manage' || path.startsWith('/manage/')) return '/manage/*';
  const read = method === 'HEAD' ? 'GET' : method;
  const key = withoutTrailingSlash(path);
  return (
    plain.get(`${read} ${key}`) ??
    parametric.find((pattern) => pattern.method === read && pattern.matches.test(key))?.path ??
    'unknown'
  );
}

function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
