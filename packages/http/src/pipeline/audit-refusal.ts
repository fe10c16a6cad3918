import type { AuditOperation, Caller, RefusedCall, Scheduling } from '@calends/core';
import type { OperationId } from '@calends/http-contract';
import type { MountedOperation } from '../operations/mount.js';
import { Refusal } from '../refusal.js';
import type { Identity } from './authenticate.js';

/** Operations whose path names an appointment, as the audit record calls them. */
const audited: Partial<Readonly<Record<OperationId, AuditOperation>>> = {
  activateAppointment: 'activate',
  activateAppointmentV1: 'activate',
  deleteAppointment: 'softDelete',
  deleteAppointmentV1: 'remove',
  getAppointment: 'get',
  getAppointmentV1: 'get',
  cancelAppointment: 'cancel',
};

/** A request that was refused before it reached a use case. */
export interface RefusedRequest {
  readonly mounted: MountedOperation;
  readonly id: string | undefined;
  readonly identity: Identity;
  readonly requestId: string;
}

/** Has a refusal by credentials or role noted, where the path names an appointment. */
export function auditRefusal({ audit }: Pick<Scheduling, 'audit'>, request: RefusedRequest, thrown: unknown): void {
  const { mounted, id, identity, requestId } = request;
  const operation = audited[mounted.operation.id];
  if (operation === undefined || id === undefined || !(thrown instanceof Refusal)) return;
  const { code } = thrown;
  if (code !== 'unauthenticated' && code !== 'forbidden' && code !== 'stale_ticket') return;
  const caller = identity !== undefined && 'roles' in identity ? identity : undefined;
  audit.refused({ appointmentId: id, operation, outcome: code, caller, proof: proofOf(caller), requestId });
}

function proofOf(caller: Caller | undefined): RefusedCall['proof'] {
  if (caller === undefined) return 'none';
  if (caller.manage !== undefined) return 'manage';
  return caller.conferenceId === undefined ? 'token' : 'join';
}
