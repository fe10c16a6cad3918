import type { RoutingRegistry } from '../domain/appointments/routing.js';
import type { JoinTokens } from '../access/signed-access.js';
import type { RefusalLog } from './refusal-log.js';
import type { ManageTokens } from './proofs/manage-link/tokens.js';
import type { OtpHashes } from './proofs/otp/codes.js';
import type { RequestHashes } from './request-hashes.js';
import type { OtpSending } from './proofs/otp/sending.js';
import type { TicketSecrets } from './proofs/manage-link/tickets.js';
import type { CustomerIdentity, IdentityVariants } from './proofs/identity.js';
import type { OneAtATime } from '../support/one-at-a-time.js';
import type { Turns } from '../support/turns.js';
import type { ManageProofVerifier } from '../ports/manage-proof-verifier.js';
import type { OtpVerifier } from '../ports/otp-verifier.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { EventHandler } from '../ports/event-publisher.js';
import type { Wakes } from '../delivery/claim.js';
import type { Ports } from '../ports/ports.js';
import type { Shown } from './consistency.js';
import type { Applications } from '../ports/settings-source.js';
import type { Tracing } from '../ports/tracer.js';
import type { Appointment } from '../domain/appointments/appointment.js';
import type { HoldTokens } from './availability/hold-tokens.js';
import type { AvailabilityRoom } from './availability/room.js';
import type { DomainEvent } from '../domain/appointments/events.js';
import type { CustomerProfile } from '../domain/customers/profile.js';

/** What use cases work with: the ports, and what was built over them once. */
export interface UseCaseContext extends Ports {
  /** Absent = availability is off. */
  readonly availability: AvailabilityRoom | undefined;
  readonly holdTokens: HoldTokens;
  readonly otpVerifier: OtpVerifier;
  readonly manageProofVerifier: ManageProofVerifier;
  readonly applications: Applications;
  readonly routing: RoutingRegistry;
  readonly customerIdentity: CustomerIdentity;
  readonly identityVariants: IdentityVariants;
  readonly oneAtATime: OneAtATime;
  /** Of the long answers of this process. */
  readonly turns: Turns;
  /** Keyed requests that this process carries out now, by key, with what they ask for. */
  readonly requestsUnderWay: Map<string, string>;
  readonly requestHashes: RequestHashes;
  readonly tickets: TicketSecrets;
  readonly manageTokens: ManageTokens;
  readonly joinTokens: JoinTokens;
  readonly otpHashes: OtpHashes;
  readonly otpSending: OtpSending;
  readonly audit: RefusalLog;
  /** The host's secrets: the first signs, all verify (D67). */
  readonly keys: KeyRing;
  /** Page that takes manage links; absent = messages carry none. */
  readonly managePageUrl: string | undefined;
  /** How long a change waits for messages that are being sent while it takes them back, milliseconds. */
  readonly settleWait: number;
  /** Who gets events in this process: the host's publisher, then subscribers. Where nobody elsewhere does either, events are born delivered (D79). */
  readonly takers: Set<EventHandler>;
  readonly tracing: Tracing;
  /** What a read of the store gets besides its query when its answer is only shown. Nothing = it is read as for a decision. */
  readonly shown: () => Shown;
  /** Commits of a transaction of the host, whose consequences wait for its end; absent = they follow at once. */
  readonly heldBack?: Committed[];
  readonly wakes: Wakes;
}

/** What a commit has written, as far as something follows from it. */
export interface Committed {
  readonly organizationId: string;
  /** Absent where nothing changed but an answer was kept. */
  readonly event: DomainEvent | undefined;
  /** True when messages were planned. */
  readonly plansMessages: boolean;
  /** Notifications that were being sent when they were taken back. */
  readonly sending?: readonly string[] | undefined;
  /** What may make messages outdated that are being sent. */
  readonly change?:
    | {
        readonly before: Appointment;
        readonly next: Appointment;
        readonly customers?: readonly CustomerProfile[] | undefined;
      }
    | undefined;
}
