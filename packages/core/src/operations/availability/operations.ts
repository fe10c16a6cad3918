import type { HoursException, HoursRules, ServiceRules } from '@calends/model';
import type { Caller } from '../../domain/calls/caller.js';
import type { CallOptions } from '../call-options.js';
import type {
  ExceptionKey,
  ExceptionRecord,
  ExplainQuery,
  Explanation,
  FindQuery,
  HeldTime,
  HoldCommand,
  HoursRecord,
  OfferedService,
  Offers,
  ReleaseCommand,
  ServiceKey,
  ServiceRecord,
  Visitor,
} from './commands.js';

/** Services of applications; supervisors change them, all staff reads them. Organization scope, audit lines, versions. */
export interface ServiceOperations {
  /** All of an application, archived ones too, by id. */
  list(caller: Caller, query: { readonly applicationId: string }): Promise<readonly ServiceRecord[]>;
  get(caller: Caller, key: ServiceKey): Promise<ServiceRecord>;
  /** Makes or replaces it; an archived one is offered again. */
  save(
    caller: Caller,
    command: ServiceKey & { readonly rules: ServiceRules },
    options?: CallOptions,
  ): Promise<ServiceRecord>;
  /** Not offered any more; its appointments stay, and move by the rules it had. */
  archive(caller: Caller, key: ServiceKey, options?: CallOptions): Promise<void>;
}

/** Hours of agents and resources, and the days on which others hold. */
export interface HoursOperations {
  list(caller: Caller): Promise<readonly HoursRecord[]>;
  get(caller: Caller, key: { readonly actorId: string }): Promise<HoursRecord>;
  save(
    caller: Caller,
    command: { readonly actorId: string; readonly rules: HoursRules },
    options?: CallOptions,
  ): Promise<HoursRecord>;
  remove(caller: Caller, key: { readonly actorId: string }, options?: CallOptions): Promise<void>;
  /** By date; all that are kept where no days are named. */
  listExceptions(
    caller: Caller,
    query: { readonly actorId: string; readonly from?: string | undefined; readonly until?: string | undefined },
  ): Promise<readonly ExceptionRecord[]>;
  saveException(
    caller: Caller,
    command: ExceptionKey & { readonly exception: HoursException },
    options?: CallOptions,
  ): Promise<ExceptionRecord>;
  removeException(caller: Caller, key: ExceptionKey, options?: CallOptions): Promise<void>;
}

/** When can I come? Find, hold, and say why not; off until the host turns it on. */
export interface AvailabilityOperations {
  /** Whether the option `availability` turned them on; each rejects with `not_found` where it did not. */
  readonly isOn: boolean;
  /**
   * Services that can be booked, in the order in which the host has them.
   *
   * @throws CalendsError `unauthenticated` and `forbidden` for who is no staff, where the host did not make it public
   */
  offered(asker: Caller | Visitor, query: { readonly applicationId: string }): Promise<readonly OfferedService[]>;
  /**
   * Starts that can be booked now.
   *
   * @example
   * ```ts
   * import type { Caller, Scheduling } from '@calends/core';
   *
   * export async function bookFirst(scheduling: Scheduling, caller: Caller, from: string, to: string) {
   *   const service = { applicationId: 'app-1', serviceId: 'talk' };
   *   const { durations } = await scheduling.availability.find(caller, { ...service, from, to });
   *   const start = new Date(durations[0]?.offers[0]?.start ?? NaN).toISOString();
   *   const time = { start, duration: 'PT30M', timezone: 'Europe/Athens' };
   *   const customers = [{ contact: { primaryEmail: 'customer@example.org' } }];
   *   return scheduling.appointments.schedule(caller, { ...service, ...time, customers });
   * }
   * ```
   *
   * @throws CalendsError `validation_failed`, `not_found` for an unknown service or agent, `unauthenticated`, `forbidden`
   */
  find(asker: Caller | Visitor, query: FindQuery, options?: CallOptions): Promise<Offers>;
  /** Whether one start can be booked, and if not, why: free exactly when `find` offers it. */
  explain(asker: Caller | Visitor, query: ExplainQuery, options?: CallOptions): Promise<Explanation>;
  /**
   * Keeps a time for who is about to book it.
   *
   * @throws CalendsError `slot_conflict` and `limit_reached` with reasons, `rate_limited` for too many holds, `not_found`
   */
  hold(asker: Caller | Visitor, command: HoldCommand, options?: CallOptions): Promise<HeldTime>;
  /** Gives a hold up. @throws CalendsError `not_found`, also for a wrong token */
  release(asker: Caller | Visitor, command: ReleaseCommand, options?: CallOptions): Promise<void>;
  readonly services: ServiceOperations;
  readonly hours: HoursOperations;
}
