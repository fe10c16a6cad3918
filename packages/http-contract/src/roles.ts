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
} as const;

/** A key of {@link roleConditions}. */
export type RoleCondition = keyof typeof roleConditions;

/** One row of an operation's role table. */
export interface RoleRule {
  readonly role: Role;
  /** Absent: the role alone is enough. */
  readonly when?: RoleCondition;
}
