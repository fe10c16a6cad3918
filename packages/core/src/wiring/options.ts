import type { WorkerOptions } from '../background/workers.js';
import type { SigningKey } from '../support/signed-token.js';
import type { Secrets } from '../keys/key-ring.js';
import type { RoutingProvider } from '../domain/appointments/routing.js';
import type { AccessProvider } from '../ports/access-provider.js';
import type { AgentDirectory } from '../ports/agent-directory.js';
import type { Clock } from '../ports/clock.js';
import type { TemplateOverrides } from '../messages/template-overrides.js';
import type { CustomerDirectory } from '../ports/customer-directory.js';
import type { EventPublisher } from '../ports/event-publisher.js';
import type { Ids, Random, SecureRandom } from '../ports/random.js';
import type { LinkSource } from '../ports/link-source.js';
import type { ManageProofVerifier } from '../ports/manage-proof-verifier.js';
import type { Notifiers } from '../ports/notifier.js';
import type { Observer } from '../ports/observer.js';
import type { OtpVerifier } from '../ports/otp-verifier.js';
import type { SchedulingStore } from '../ports/store/store.js';
import type { ConfiguredApplication, SettingsSource } from '../ports/settings-source.js';
import type { Tracer } from '../ports/tracer.js';

/** What `createScheduling` takes; only `store` and `secret` have no default. */
export interface SchedulingOptions {
  /** Where everything is kept; opened and closed by the host. */
  readonly store: SchedulingStore;
  /**
   * At least 32 bytes (a string counts as UTF-8), not of a few bytes repeated. Signs access tokens and the audit record, and
   * keys the hashes of customer identities; the same in every process that shares the store. A list while one secret takes
   * the place of another: the first signs, all verify (D67). A process that lacks a secret in use is refused by `check()` and
   * by every write, with the code `unavailable`.
   */
  readonly secret: Secrets;
  /** Settings of applications by id, or a source of them. Default: every application has the defaults. */
  readonly applications?: Readonly<Record<string, ConfiguredApplication>> | SettingsSource;
  /** Base address of rooms for the built-in access provider. Default `http://localhost:3000/rooms`. */
  readonly roomBaseUrl?: string;
  /** Default: signed tokens and derived room addresses (D41). */
  readonly accessProvider?: AccessProvider;
  /** Default: the agent lists of the applications (D22). */
  readonly agentDirectory?: AgentDirectory;
  /** Default: the built-in one, whose codes `customers.requestOtp` sends (D44). */
  readonly otpVerifier?: OtpVerifier;
  /** Default: the built-in one over manage tickets (D42). */
  readonly manageProofVerifier?: ManageProofVerifier;
  /** Called with every event besides the in-process subscribers. Default none. */
  readonly eventPublisher?: EventPublisher;
  /** Default: a failing worker and parked events become process warnings, everything else is dropped. */
  readonly observer?: Observer;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: random UUIDv7. */
  readonly ids?: Ids;
  /** Routing providers besides the two that are built in (D11). */
  readonly routingProviders?: readonly RoutingProvider[];
  /** Providers that deliver. Default none: what is planned waits for a process that has one. */
  readonly notifiers?: Notifiers;
  /** Links in messages to customers. Default: the room, and the manage link where `managePageUrl` is set. */
  readonly linkSource?: LinkSource;
  /** Texts of messages that replace or add to the built-in ones, by locale and key. */
  readonly templates?: TemplateOverrides;
  /** Default: the run time's. */
  readonly random?: Random;
  /** Where secrets come from. Default: the operating system's generator. */
  readonly secureRandom?: SecureRandom;
  /** Finds customers who ask for a one-time password by user name (D44). Default: e-mail addresses and phone numbers only. */
  readonly customerDirectory?: CustomerDirectory;
  /**
   * Makes a span for each operation, each delivery and each event that is handed out, in the traces of the host:
   * `trace.getTracer('calends')` of OpenTelemetry. Default: none, at no cost.
   */
  readonly tracer?: Tracer;
  /**
   * Keys that sign join and manage tokens: the first signs, all verify, at most two. Default: one derived from
   * `secret`.
   */
  readonly signingKeys?: readonly SigningKey[];
  /** Address of the customer page that takes manage links. Default: messages carry no manage link. */
  readonly managePageUrl?: string;
  readonly worker?: WorkerOptions;
}
