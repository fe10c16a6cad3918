import type { WorkerOptions } from '../background/workers.js';
import type { RoutingProvider } from '../domain/appointments/routing.js';
import type { Secrets } from '../keys/key-ring.js';
import type { TemplateOverrides } from '../messages/template-keys.js';
import type { PortOptions } from '../ports/ports.js';
import type { ConfiguredApplication, SettingsSource } from '../ports/settings-source.js';
import type { AvailabilityOptions } from '../settings/availability-options.js';
import type { RetentionOptions } from '../settings/retention-options.js';
import type { SigningKey } from '../support/signed-token.js';

/** What `createScheduling` takes; only `store` and `secret` have no default. */
export interface SchedulingOptions extends PortOptions {
  /**
   * At least 32 bytes (a string counts as UTF-8), not of a few bytes repeated. Signs access tokens and the audit record, and
   * keys the hashes of customer identities; the same in every process that shares the store. A list while one secret takes
   * the place of another: the first signs, all verify (D67). A process that lacks a secret in use is refused by `check()` and
   * by every write, with the code `unavailable`.
   */
  readonly secret: Secrets;
  /** Settings of applications by id, or a source of them. Default: every application has the defaults. */
  readonly applications?: Readonly<Record<string, ConfiguredApplication>> | SettingsSource | undefined;
  /** Base address of rooms for the built-in access provider, without query and fragment. Default `http://localhost:3000/rooms`. */
  readonly roomBaseUrl?: string | undefined;
  /** Routing providers besides the two that are built in (D11). */
  readonly routingProviders?: readonly RoutingProvider[] | undefined;
  /** Texts of messages that replace or add to the built-in ones, by locale and key. */
  readonly templates?: TemplateOverrides | undefined;
  /**
   * Keys that sign join and manage tokens: the first signs, all verify, at most two. Default: one derived from
   * `secret`.
   */
  readonly signingKeys?: readonly SigningKey[] | undefined;
  /** Address of the customer page that takes manage links. Default: messages carry no manage link. */
  readonly managePageUrl?: string | undefined;
  /** How the background work runs: intervals, slots, leases. Default: as its own options say. */
  readonly worker?: WorkerOptions | undefined;
  /** How long what is over is kept. Default: events for 30 days, notifications and the audit record for ever. */
  readonly retention?: RetentionOptions | undefined;
  /** Free times: services, hours, find, hold and explain. Default: off. */
  readonly availability?: AvailabilityOptions | undefined;
}
