import { type Caller, hasRole, widestRole } from '../caller.js';
import { CalendsError } from '../errors.js';

/** Which appointments a listing may reach, and whose were asked for. */
export interface ListScope {
  readonly agentIds?: readonly string[] | undefined;
  readonly organizerIds?: readonly string[] | undefined;
}

/**
 * Whose appointments a caller lists (spec: Endpoints, rule 1; D34).
 *
 * With "own only" on, everyone but supervisors gets their own, whatever was asked for. A supervisor's agent
 * filter goes before the organizer filter; for all others the organizer filter is ignored.
 *
 * @throws CalendsError `forbidden` for customers
 */
export function listScope(caller: Caller, asked: ListScope, ownOnly: boolean): ListScope {
  // Over HTTP the role is refused before; a host that calls directly gets no further with a customer's caller.
  if (widestRole(caller) === 'ROLE_CUSTOMER') throw new CalendsError('forbidden', 'Customers list no appointments.');
  const supervisor = hasRole(caller, 'ROLE_SUPERVISOR');
  if (ownOnly && !supervisor) return { agentIds: [caller.id] };
  if (asked.agentIds !== undefined && asked.agentIds.length > 0) {
    return { agentIds: asked.agentIds };
  }
  return supervisor && asked.organizerIds !== undefined && asked.organizerIds.length > 0
    ? { organizerIds: asked.organizerIds }
    : {};
}
