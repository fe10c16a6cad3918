import type { AccessProvider } from './access-provider.js';
import type { AgentDirectory } from './agent-directory.js';
import { type Clock, systemClock } from './clock.js';
import type { AvailabilitySource } from './availability-source.js';
import type { BusySource } from './busy-source.js';
import type { CustomerDirectory } from './customer-directory.js';
import type { EventPublisher } from './event-publisher.js';
import type { LinkSource } from './link-source.js';
import type { ManageProofVerifier } from './manage-proof-verifier.js';
import type { Notifiers } from './notifier.js';
import { type Observer, warningObserver } from './observer.js';
import type { OtpVerifier } from './otp-verifier.js';
import { type Ids, type Random, randomIds, type SecureRandom, systemRandom, systemSecureRandom } from './random.js';
import type { SchedulingStore } from './store/store.js';
import type { SettingsSource } from './settings-source.js';
import type { Tracer } from './tracer.js';

/** Everything that a host may put in: the outside world of the library. */
export interface Ports {
  /** Where everything is kept; opened and closed by the host. */
  readonly store: SchedulingStore;
  /** Time. Default: the system's. */
  readonly clock: Clock;
  /** Ids of what is made. Default: random UUIDv7. */
  readonly ids: Ids;
  /** Settings of applications. As options: `applications`. */
  readonly settingsSource: SettingsSource;
  /** Rooms, and the details that joining needs. Default: signed tokens and derived room addresses (D41). */
  readonly accessProvider: AccessProvider;
  /** Which agent ids are known. Default: the agent lists of the applications (D22). */
  readonly agentDirectory: AgentDirectory;
  /** What one-time passwords prove. Default: the built-in one, whose codes `customers.requestOtp` sends (D44). */
  readonly otpVerifier?: OtpVerifier | undefined;
  /** What manage links prove. Default: the built-in one over manage tickets (D42). */
  readonly manageProofVerifier?: ManageProofVerifier | undefined;
  /** Called with every event besides the in-process subscribers. Default: none. */
  readonly eventPublisher?: EventPublisher | undefined;
  /**
   * Logs and metrics. Default: a failing worker, parked events, a failing tracer and disabled endpoints become process warnings, everything
   * else is dropped.
   */
  readonly observer: Observer;
  /** Providers that deliver messages, by channel. Default: none; what is planned waits for a process that has one. */
  readonly notifiers: Notifiers;
  /** Links in messages to customers. Default: the customer's page under `managePageUrl`; where there is none, the room once it is open. */
  readonly linkSource?: LinkSource | undefined;
  /** Chance for the jitter of waits. Default: the run time's. */
  readonly random: Random;
  /** Where secrets come from. Default: the operating system's generator. */
  readonly secureRandom: SecureRandom;
  /** Finds customers who ask for a one-time password by user name (D44). Default: e-mail addresses and phone numbers only. */
  readonly customerDirectory?: CustomerDirectory | undefined;
  /**
   * Makes a span for each operation, each delivery and each event that is handed out, in the traces of the host:
   * `trace.getTracer('calends')` of OpenTelemetry. Default: none, at no cost.
   */
  readonly tracer?: Tracer | undefined;
  /** Services and hours. Default: those of the option `availability`, then the tables of the store. */
  readonly availabilitySource?: AvailabilitySource | undefined;
  /** What else takes the time of agents and resources, asked before each booking with a service. Default: none. */
  readonly busySources: readonly BusySource[];
}

/** The ports as options: all but the store may be left out, and the settings have an option of their own. */
export type PortOptions = Pick<Ports, 'store'> & LeftOut<Omit<Ports, 'store' | 'settingsSource'>>;

/** A type of its own, over `keyof Given`: editors and the reference then show what stands at each port. */
type LeftOut<Given> = { readonly [Port in keyof Given]?: NonNullable<Given[Port]> | undefined };

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
  availabilitySource: ['serviceOf', 'servicesOf', 'hoursOf'],
  // Looked into by checks of their own: the source of settings as `applications`.
  notifiers: [],
  settingsSource: [],
  busySources: [],
} as const satisfies Readonly<Record<keyof Ports, readonly string[]>>;

/** The names of the ports. */
export const portNames = Object.keys(portMethods) as readonly (keyof Ports)[];

/** What stands in where an option is left out, beside what is made of other options. */
const standardPorts = {
  clock: systemClock,
  ids: randomIds,
  observer: warningObserver,
  notifiers: {},
  busySources: [],
  random: systemRandom,
  secureRandom: systemSecureRandom,
} as const satisfies Partial<Ports>;

/** Ports that are made of other options where these name none. */
type Derived = Pick<Ports, 'settingsSource' | 'accessProvider' | 'agentDirectory'>;

/** The ports that options give, and what stands in for the rest. */
export function givenPorts(options: PortOptions, derived: Derived): Ports {
  const present = portNames.map((name) => [name, Reflect.get(options, name) as unknown] as const);
  const given: Partial<Ports> = Object.fromEntries(present.filter(([, port]) => port !== undefined));
  return { ...standardPorts, ...derived, ...given, store: options.store };
}
