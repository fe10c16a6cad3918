import type { LimitedCall, LimitedClass } from '@calends/core/operations';
import type { MountedOperation } from '../operations/mount.js';
import type { Identity } from './authenticate.js';
import type { Input } from './decode.js';

/** The class of a request; what the host made public needs no token (D28). */
export function limitedClassOf({ operation }: MountedOperation, countIsPublic: boolean): LimitedClass {
  return countIsPublic && operation.authentication === 'bearer-unless-public'
    ? 'unauthenticated'
    : operation.limiterClass;
}

/** What a decoded request is about, as far as limits look at it; `undefined` where it names no application. */
export function limitedCallOf(
  limitedClass: LimitedClass,
  identity: Identity,
  { body, query }: Pick<Input, 'body' | 'query'>,
): LimitedCall | undefined {
  const applicationId = textOf(body, 'applicationId') ?? textOf(query, 'applicationId');
  if (applicationId === undefined) return undefined;
  const name = identity !== undefined && 'username' in identity ? identity.username : textOf(body, 'username');
  return { class: limitedClass, applicationId, name };
}

/** The schemas of different operations have little in common; these fields mean the same wherever they are. */
function textOf(decoded: unknown, field: string): string | undefined {
  if (typeof decoded !== 'object' || decoded === null) return undefined;
  const value = (decoded as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : undefined;
}
