import type { Scheduling } from '@calends/core';
import { proofOf } from '@calends/core/operations';
import type { MountedOperation } from '../operations/mount.js';
import { ForeignSite, Refusal } from '../refusal.js';
import type { Identity } from './authenticate.js';

/** A request that was refused before it reached a use case. */
export interface RefusedRequest {
  readonly mounted: MountedOperation;
  readonly id: string | undefined;
  readonly identity: Identity;
  readonly requestId: string;
  /** Where it came from, as limits count it. */
  readonly source: string | undefined;
}

/** Has a refusal by credentials or role noted, where the path names an appointment. */
export function auditRefusal({ audit }: Pick<Scheduling, 'audit'>, request: RefusedRequest, thrown: unknown): void {
  const { mounted, id, identity, requestId, source } = request;
  if (!(thrown instanceof Refusal)) return;
  const { code } = thrown;
  if (code === 'unauthenticated') {
    audit.noticed({ kind: 'refusedCredentials', reason: 'there are no valid credentials', source, requestId });
  }
  if (code === 'stale_ticket') {
    audit.noticed({ kind: 'refusedProof', reason: 'a manage link does not permit this', source, requestId });
  }
  if (thrown instanceof ForeignSite) {
    audit.noticed({ kind: 'foreignOrigin', reason: 'another site sent a request', source, requestId });
  }
  const { audited: operation, policy } = mounted.row;
  // Without access rules of a record the id is that of something else.
  if (operation === undefined || policy === undefined || id === undefined) return;
  if (code !== 'unauthenticated' && code !== 'forbidden' && code !== 'stale_ticket') return;
  const caller = identity !== undefined && 'roles' in identity ? identity : undefined;
  audit.refused({ appointmentId: id, operation, outcome: code, caller, proof: proofOf(caller), requestId });
}
