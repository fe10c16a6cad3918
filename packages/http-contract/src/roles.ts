import type { Role } from '@calends/model';

/**
 * Conditions that are checked after the role check, each with the sentence that states it.
 *
 * A role with a condition passes the role check; whether the condition holds is decided later, with the record, the
 * application's settings or the caller's proof at hand (D39).
 */
export const roleConditions = {
  agentReassignmentEnabled: 'when the application setting `agentReassignmentEnabled` is on',
  manageProof: 'with manage-ticket proof for this appointment',
  joinProof: 'when the `conferenceId` claim of the token matches this appointment',
  joinOrManageProof: 'with join claims carrying `conferenceId`, or with manage-link claims, for this appointment',
  manageProofWhenClaimed: 'whose manage claims, where the token carries them, must hold for this appointment',
  noManageClaims: 'without manage-link claims',
  manageLink: 'with manage-link claims, about the appointment that they are for; without them where visitors may ask',
} as const;

/** A key of {@link roleConditions}. */
export type RoleCondition = keyof typeof roleConditions;

/** One row of an operation's role table. */
export interface RoleRule {
  readonly role: Role;
  /** Absent: the role alone is enough. */
  readonly when?: RoleCondition;
}

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
