import type { Caller } from '@calends/core';

/**
 * Who counts: the caller, or where counting is public (D28) nobody in particular, in the organization of the query.
 */
export function callerOrPublic(caller: Caller | undefined, query: { readonly organizationId: string }): Caller {
  return caller ?? { id: 'public', organizationId: query.organizationId, roles: [] };
}
