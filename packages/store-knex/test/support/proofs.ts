import type {
  AuditEntry,
  AuditRefusal,
  AuditSeal,
  Change,
  OtpChallenge,
  ProofGuard,
  Ticket,
  TicketKey,
} from '@calends/core/store';
import { fixtureStart } from '@calends/store-conformance';

/** A challenge that was issued a moment ago. */
export const aChallenge = (overrides: Partial<OtpChallenge> = {}): OtpChallenge => ({
  organizationId: 'org-1',
  subject: 'subject-1',
  challengeId: 'challenge-1',
  codeHash: 'code-hash',
  issuedAt: fixtureStart,
  expiresAt: fixtureStart + 600_000,
  tries: 0,
  consumedAt: null,
  issues: [fixtureStart],
  sentTo: null,
  ...overrides,
});

/** The manage ticket of a customer. */
export const aTicket = (overrides: Partial<Ticket> = {}): Ticket => ({
  organizationId: 'org-1',
  kind: 'MANAGE',
  subjectId: 'appointment-1',
  holderId: 'customer-1',
  nonce: 'nonce-1',
  issuedAt: fixtureStart,
  expiresAt: null,
  revokedAt: null,
  ...overrides,
});

/** The key of a ticket, and nothing else. */
export const ticketKeyOf = ({ organizationId, kind, subjectId, holderId }: TicketKey): TicketKey => ({
  organizationId,
  kind,
  subjectId,
  holderId,
});

/** What a commit must find of a ticket for a change under it. */
export const proofOf = ({ kind, subjectId, holderId, nonce }: Ticket): ProofGuard => ({
  kind,
  subjectId,
  holderId,
  nonce,
});

/** A line of the audit record that tells of a creation. */
export const anEntry = (overrides: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 'entry-1',
  organizationId: 'org-1',
  applicationId: 'app-1',
  appointmentId: 'appointment-1',
  at: fixtureStart,
  actor: { id: 'agent-1', type: 'AGENT', role: 'ROLE_AGENT' },
  proof: 'token',
  operation: 'schedule',
  from: null,
  to: 'SCHEDULED',
  version: 1,
  requestId: 'request-1',
  outcome: 'done',
  ...overrides,
});

/** A refused look at an appointment. */
export const aRefusal = (overrides: Partial<AuditRefusal> = {}): AuditRefusal => ({
  id: 'refusal-1',
  organizationId: 'org-1',
  appointmentId: 'appointment-1',
  at: fixtureStart,
  actor: null,
  proof: 'none',
  operation: 'get',
  requestId: 'request-1',
  outcome: 'unauthenticated',
  ...overrides,
});

/** The first seal, over these entries. */
export const aSeal = (overrides: Partial<AuditSeal> = {}): AuditSeal => ({
  organizationId: 'org-1',
  number: 1,
  entryIds: ['entry-1'],
  hash: 'hash-1',
  sealedAt: fixtureStart,
  ...overrides,
});

/** A commit without an appointment. */
export const proving = (extras: Omit<Partial<Change>, 'organizationId'>, organizationId = 'org-1'): Change => ({
  organizationId,
  events: [],
  ...extras,
});
