import type { AccessProvider } from './access-provider.js';
import type { AgentDirectory } from './agent-directory.js';
import type { Clock } from './clock.js';
import type { CustomerDirectory } from './customer-directory.js';
import type { EventPublisher } from './event-publisher.js';
import type { Ids, Random, SecureRandom } from './random.js';
import type { LinkSource } from './link-source.js';
import type { ManageProofVerifier } from './manage-proof-verifier.js';
import type { Notifiers } from './notifier.js';
import type { Observer } from './observer.js';
import type { OtpVerifier } from './otp-verifier.js';
import type { SchedulingStore } from './store/store.js';
import type { SettingsSource } from './settings-source.js';
import type { Tracer } from './tracer.js';

/** Everything that a host may put in: the outside world of the library. */
export interface Ports {
  /** Where everything is kept. */
  readonly store: SchedulingStore;
  /** Time. */
  readonly clock: Clock;
  /** Ids of what is made. */
  readonly ids: Ids;
  /** Settings of applications. */
  readonly settingsSource: SettingsSource;
  /** Rooms, and the details that joining needs. */
  readonly accessProvider: AccessProvider;
  /** Which agent ids are known. */
  readonly agentDirectory: AgentDirectory;
  /** What one-time passwords prove; absent: the built-in one over the store. */
  readonly otpVerifier: OtpVerifier | undefined;
  /** What manage links prove; absent: the built-in one over the store. */
  readonly manageProofVerifier: ManageProofVerifier | undefined;
  /** Where events go besides subscribers; absent where in-process subscribers alone follow them. */
  readonly eventPublisher: EventPublisher | undefined;
  /** Logs and metrics. */
  readonly observer: Observer;
  /** Who sends messages, by channel. */
  readonly notifiers: Notifiers;
  /** Addresses in messages to customers; absent: the room, and the manage link. */
  readonly linkSource: LinkSource | undefined;
  /** Chance for the jitter of waits. */
  readonly random: Random;
  /** Chance that secrets are made of. */
  readonly secureRandom: SecureRandom;
  /** Addresses of customers by their user names; absent: user names that are no addresses are unknown. */
  readonly customerDirectory: CustomerDirectory | undefined;
  /** Absent: nothing is traced. */
  readonly tracer: Tracer | undefined;
}

/**
 * Every port, with the methods that make something one, for hosts that do not compile against the types. Options, their check
 * and the tokens of Inversify go by this list.
 */
export const portMethods = {
  store: ['commit', 'nextWakeAt', 'check'],
  accessProvider: ['openRoom', 'details'],
  agentDirectory: ['standingOf'],
  otpVerifier: ['verify'],
  manageProofVerifier: ['verify'],
  eventPublisher: ['publish'],
  observer: ['observe'],
  clock: ['now'],
  ids: ['next'],
  linkSource: ['linksFor'],
  random: ['next'],
  secureRandom: ['bytes'],
  customerDirectory: ['contactOf'],
  tracer: ['startActiveSpan'],
  // Looked into by checks of their own: the source as `applications`.
  notifiers: [],
  settingsSource: [],
} as const satisfies Readonly<Record<keyof Ports, readonly string[]>>;

/** The names of the ports. */
export const portNames = Object.keys(portMethods) as readonly (keyof Ports)[];
