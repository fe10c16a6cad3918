import type { Caller } from '@calends/core';
import type { RoleRule } from '@calends/http-contract';
import type { MountedOperation } from '../operations/mount.js';
import { roles } from '@calends/model';
import { Refusal } from '../refusal.js';
import type { Identity } from './authenticate.js';

/** What a request is about, and what the host says of all of its kind. */
export interface AskedFor {
  readonly id: string | undefined;
  readonly conferenceIsAppointment: boolean;
  readonly availabilityIsPublic: boolean;
}

/**
 * Step 2: whether the role may use the operation at all, and whether a customer brings a proof that can hold for this
 * id; both without a look-up (D39; security model).
 *
 * @throws Refusal 403
 */
export function authorizeRole({ rules }: MountedOperation, identity: Identity, asked: AskedFor): void {
  // No token, no role: a one-time password is checked with the booking; other operations ask for nothing.
  if (identity === undefined || !('roles' in identity)) return;
  const permitted = identity.roles.map((role) => rules.get(role)).filter((rule) => rule !== undefined);
  if (permitted.length === 0) {
    // What is for every role is for those too that are not known (D28).
    if (staleLink(identity) === undefined && roles.every((role) => rules.has(role))) return;
    throw staleLink(identity) ?? new Refusal('forbidden', 'The role of the caller does not permit this.');
  }
  const asCustomer = permitted.every((rule) => rule.role === 'ROLE_CUSTOMER');
  const [rule] = permitted;
  if (asCustomer && rule !== undefined && !canHold(rule, identity, asked)) {
    throw staleLink(identity) ?? new Refusal('forbidden', 'The credentials do not cover this appointment.');
  }
}

/** A manage link is answered the same whatever it is tried on, v1 included: nothing is learnt by replaying it (D42). */
function staleLink({ manage, roles: held }: Caller): Refusal | undefined {
  const isLink = manage !== undefined && held.every((role) => role === 'ROLE_CUSTOMER');
  return isLink
    ? new Refusal('stale_ticket', 'The manage link does not open this, or is not valid any more.')
    : undefined;
}

/** Manage claims are verified with the record (D42), a join claim is compared here where it names the id (D43). */
function canHold(rule: RoleRule, caller: Caller, asked: AskedFor): boolean {
  if (rule.when === undefined) return true;
  switch (rule.when) {
    case 'agentReassignmentEnabled':
      return true;
    case 'manageProof':
      return caller.manage !== undefined;
    case 'manageLink':
      // To be logged in with the host takes nothing away from a customer.
      return caller.manage !== undefined || asked.availabilityIsPublic;
    case 'noManageClaims':
      return caller.manage === undefined;
    case 'joinProof':
      return joins(caller, asked);
    case 'joinOrManageProof':
    case 'manageProofWhenClaimed':
      return caller.manage !== undefined || joins(caller, asked);
  }
}

function joins({ conferenceId }: Caller, { id, conferenceIsAppointment }: AskedFor): boolean {
  return conferenceId !== undefined && (!conferenceIsAppointment || conferenceId === id);
}
