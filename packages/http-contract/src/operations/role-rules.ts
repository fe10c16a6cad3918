import type { Role } from '@calends/model';
import type { RoleRule } from '../roles.js';

/** Roles without a condition. */
function of(...permitted: readonly Role[]): readonly RoleRule[] {
  return permitted.map((role) => ({ role }));
}

/** The rows that several operations share (spec: Authentication, rule 2). */
export const staff = of('ROLE_AGENT', 'ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE');
export const agentsAndClientServices = of('ROLE_AGENT', 'ROLE_CLIENT_SERVICE');
export const supervisors = of('ROLE_SUPERVISOR');
export const clientServices = of('ROLE_CLIENT_SERVICE');
export const agentsAndSupervisors = of('ROLE_SUPERVISOR', 'ROLE_AGENT');
export const administrators = of('ROLE_ADMIN');
/** Count asks for a token and not for a role in particular (D28); a manage link counts nothing (D73). */
export const anyRole: readonly RoleRule[] = [
  ...of('ROLE_AGENT', 'ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE'),
  { role: 'ROLE_CUSTOMER', when: 'noManageClaims' },
  ...of('ROLE_ADMIN'),
];
/** Customer-create has no token and so no role (spec: Endpoints, rule 5). */
export const noRole = of();
