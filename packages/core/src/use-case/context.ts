import type { RoutingRegistry } from '../appointments/routing-registry.js';
import type { JoinTokens } from '../access/join-tokens.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { ManageTokens } from '../customers/manage-tokens.js';
import type { OtpHashes } from '../customers/otp-codes.js';
import type { OtpSending } from '../customers/otp-sending.js';
import type { TicketSecrets } from '../customers/ticket-secrets.js';
import type { CustomerIdentity, IdentityVariants } from '../customers/identity.js';
import type { OneAtATime } from '../one-at-a-time.js';
import type { ManageProofVerifier } from '../ports/manage-proof-verifier.js';
import type { OtpVerifier } from '../ports/otp-verifier.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Ports } from '../ports/ports.js';
import type { Applications } from '../settings/applications.js';
import type { Tracing } from '../system/tracing.js';
import type { Committed } from './committed.js';

/** What use cases work with: the ports, and what was built over them once. */
export interface UseCaseContext extends Ports {
  readonly otpVerifier: OtpVerifier;
  readonly manageProofVerifier: ManageProofVerifier;
  readonly applications: Applications;
  readonly routing: RoutingRegistry;
  readonly customerIdentity: CustomerIdentity;
  readonly identityVariants: IdentityVariants;
  readonly oneAtATime: OneAtATime;
  /** Keyed requests that this process carries out now, by key, with what they ask for. */
  readonly requestsUnderWay: Map<string, string>;
  readonly tickets: TicketSecrets;
  readonly manageTokens: ManageTokens;
  readonly joinTokens: JoinTokens;
  readonly otpHashes: OtpHashes;
  readonly otpSending: OtpSending;
  readonly audit: AuditTrail;
  /** The host's secrets: the first signs, all verify (D67). */
  readonly keys: KeyRing;
  /** Page that takes manage links; absent = messages carry none. */
  readonly managePageUrl: string | undefined;
  /** How long a change waits for messages that are being sent while it takes them back, milliseconds. */
  readonly settleWait: number;
  /** False while nobody in this process would get an event (D79). */
  readonly hasTakers: () => boolean;
  readonly tracing: Tracing;
  /** What follows a commit: at once, or once the host's transaction that it is part of is committed. */
  readonly afterCommit: (committed: Committed) => Promise<void>;
  /** Tells the worker that something may be due. */
  readonly wakeWorkers: () => void;
  /** Tells the delivery of notifications that something may be due. */
  readonly wakeDelivery: () => void;
}
