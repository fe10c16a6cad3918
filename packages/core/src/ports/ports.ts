import type { AccessProvider } from './access-provider.js';
import type { AgentDirectory } from './agent-directory.js';
import type { Clock } from './clock.js';
import type { CustomerDirectory } from './customer-directory.js';
import type { EventPublisher } from './event-publisher.js';
import type { Ids } from './ids.js';
import type { LinkSource } from './link-source.js';
import type { ManageProofVerifier } from './manage-proof-verifier.js';
import type { Notifiers } from './notifier.js';
import type { Observer } from './observer.js';
import type { OtpVerifier } from './otp-verifier.js';
import type { Random } from './random.js';
import type { SchedulingStore } from './scheduling-store.js';
import type { SecureRandom } from './secure-random.js';
import type { SettingsSource } from './settings-source.js';

/** Everything that a host may put in: the outside world of the library. */
export interface Ports {
  readonly store: SchedulingStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settingsSource: SettingsSource;
  readonly accessProvider: AccessProvider;
  readonly agentDirectory: AgentDirectory;
  /** Absent: the built-in one over the store. */
  readonly otpVerifier: OtpVerifier | undefined;
  /** Absent: the built-in one over the store. */
  readonly manageProofVerifier: ManageProofVerifier | undefined;
  /** Absent where in-process subscribers alone follow events. */
  readonly eventPublisher: EventPublisher | undefined;
  readonly observer: Observer;
  readonly notifiers: Notifiers;
  /** Absent: the room, and the manage link. */
  readonly linkSource: LinkSource | undefined;
  readonly random: Random;
  readonly secureRandom: SecureRandom;
  /** Absent: user names that are no addresses are unknown. */
  readonly customerDirectory: CustomerDirectory | undefined;
}
