import { EventEmitter } from 'node:events';
import { seconds } from '@calends/model';
import { builtInRoutingProviders, type RoutingProvider, RoutingRegistry } from '../domain/appointments/routing.js';
import { appointmentOperations } from '../operations/appointments/appointments.js';
import { activatesAt } from '../domain/appointments/due-steps.js';
import { joinTokens } from '../access/signed-access.js';
import { tracedAvailability } from '../operations/availability/availability.js';
import { serviceAdvice } from '../operations/availability/advice.js';
import { holdTokens } from '../operations/availability/hold-tokens.js';
import { availabilityRoom } from '../operations/availability/room.js';
import type { AvailabilityOptions } from '../settings/availability-options.js';
import { auditOperations } from '../operations/audit/audit.js';
import { RefusalLog } from '../operations/refusal-log.js';
import { calendarFeedOperations } from '../operations/calendar/calendar-feeds.js';
import { builtInLinks } from '../operations/customers/manage-links.js';
import { RequestHashes } from '../operations/request-hashes.js';
import { builtInOtp, OtpHashes } from '../operations/proofs/otp/codes.js';
import { customerOperations } from '../operations/customers/customers.js';
import { manageProofs, ticketSecrets } from '../operations/proofs/manage-link/tickets.js';
import { manageTokens } from '../operations/proofs/manage-link/tokens.js';
import { OtpSending } from '../operations/proofs/otp/sending.js';
import { customerIdentity, identityVariants } from '../operations/proofs/identity.js';
import { guardedStore, keyAdvice, KeyCheck } from '../keys/key-check.js';
import { KeyRing, type Secrets } from '../keys/key-ring.js';
import { sealingOperations } from '../keys/sealing.js';
import { DeliveryLoop } from '../background/delivery-loop.js';
import { EndpointStates } from '../delivery/channels/endpoint-states.js';
import { linkAdvice } from './check-notifiers.js';
import { notificationOperations } from '../operations/notifications/notifications.js';
import { messageRenderer } from '../messages/message-renderer.js';
import { OneAtATime } from '../support/one-at-a-time.js';
import { Turns } from '../support/turns.js';
import type { TemplateOverrides } from '../messages/template-keys.js';
import type { SigningKey } from '../support/signed-token.js';
import type { RetentionOptions } from '../settings/retention-options.js';
import type { WorkerOptions } from '../background/workers.js';
import { eventOperations } from './event-operations.js';
import type { Ports } from '../ports/ports.js';
import type { SchedulingStore } from '../ports/store/store.js';
import type { Scheduling } from '../scheduling.js';
import { Applications } from '../ports/settings-source.js';
import { guardedObserver } from '../ports/observer.js';
import { checkedClock, monotonicTime } from '../ports/clock.js';
import { boundedPorts } from './bounded-ports.js';
import { checkedIds, checkedSecureRandom } from '../ports/random.js';
import { guardedTracer } from '../ports/guarded-tracer.js';
import { noTracing, type Tracing, tracingWith } from '../ports/tracer.js';
import { withCheckedCalls } from '../operations/checked-calls.js';
import { Consistency } from '../operations/consistency.js';
import type { UseCaseContext } from '../operations/context.js';
import { accessDetails } from '../operations/room.js';
import { joinedStore, withinTransaction } from './within-transaction.js';
import { WorkerLoop } from '../background/worker-loop.js';

/** What is set once and is not a port. */
export interface Configuration {
  readonly secret: Secrets;
  readonly signingKeys: readonly SigningKey[];
  readonly managePageUrl: string | undefined;
  readonly routingProviders: readonly RoutingProvider[];
  readonly worker: WorkerOptions;
  readonly retention: RetentionOptions;
  readonly templates: TemplateOverrides;
  /** Absent = off. */
  readonly availability: AvailabilityOptions | undefined;
}

/** Operations that ask who calls, and in whose calls it is known, where that matters. */
const withCallers = (tracing: Tracing, consistency: Consistency | undefined): Tracing => ({
  ...tracing,
  operations: (group, operations) => {
    const checked = withCheckedCalls(group, operations);
    return tracing.operations(group, consistency?.operations(checked) ?? checked);
  },
});

const defaultSettleWait = seconds(2);

/** Builds the library over its ports: the one wiring behind `createScheduling` and the Inversify module. */
export function wireScheduling(given: Ports, configuration: Configuration): Scheduling {
  const keys = new KeyRing(configuration.secret);
  const keyCheck = new KeyCheck({ store: given.store, keys, elapsed: monotonicTime });
  const consistency = given.store.capabilities.marksCommits === true ? new Consistency(monotonicTime) : undefined;
  const observer = guardedObserver(given.observer);
  const onTracerFault = (error: unknown): void => observer.observe({ type: 'tracerFailed', error });
  const traced = given.tracer === undefined ? noTracing : tracingWith(guardedTracer(given.tracer, onTracerFault));
  const tracing = withCallers(traced, consistency);
  const guarded = guardedStore(given.store, keyCheck);
  const ports: Ports = {
    ...boundedPorts(given),
    clock: checkedClock(given.clock),
    ids: checkedIds(given.ids),
    secureRandom: checkedSecureRandom(given.secureRandom),
    store: consistency?.noting(guarded) ?? guarded,
  };
  const { worker } = configuration;
  const { eventPublisher } = ports;
  const { signingKeys } = configuration;
  const renderer = messageRenderer(configuration.templates);
  const proofs = {
    tickets: ticketSecrets(keys),
    manageTokens: manageTokens(signingKeys),
    otpHashes: new OtpHashes(keys),
    holdTokens: holdTokens(keys),
  };
  const over = (store: SchedulingStore): Pick<UseCaseContext, 'manageProofVerifier' | 'availability'> => ({
    manageProofVerifier: ports.manageProofVerifier ?? manageProofs({ ...ports, ...proofs, store }),
    availability: availabilityRoom(configuration.availability, { ...ports, store }),
  });
  const context: UseCaseContext = {
    ...ports,
    ...proofs,
    otpVerifier: ports.otpVerifier ?? builtInOtp(ports, proofs.otpHashes),
    ...over(ports.store),
    joinTokens: joinTokens(signingKeys),
    otpSending: new OtpSending({ ...ports, renderer, observer }),
    audit: new RefusalLog({ ...ports, observer }),
    keys,
    managePageUrl: configuration.managePageUrl,
    observer,
    tracing,
    applications: new Applications(ports.settingsSource),
    routing: new RoutingRegistry([...builtInRoutingProviders, ...configuration.routingProviders]),
    customerIdentity: customerIdentity(keys),
    identityVariants: identityVariants(keys),
    oneAtATime: new OneAtATime(),
    turns: new Turns(),
    requestsUnderWay: new Map(),
    requestHashes: new RequestHashes(keys),
    settleWait: worker.settleWait ?? defaultSettleWait,
    takers: new Set(eventPublisher && [(event) => eventPublisher.publish(event)]),
    shown: consistency?.shown ?? (() => []),
    wakes: new EventEmitter(),
  };
  const endpoints = new EndpointStates(ports.store.notifications, ports.clock, context.observer);
  const linkSource = ports.linkSource ?? builtInLinks(context);
  const linksAhead = ports.linkSource !== undefined || configuration.managePageUrl !== undefined;
  const delivery = new DeliveryLoop(context, { renderer, linkSource, linksAhead, endpoints }, worker);
  const workers = new WorkerLoop(context, delivery, worker, configuration.retention);
  return {
    appointments: tracing.operations('appointments', appointmentOperations(context)),
    notifications: tracing.operations('notifications', notificationOperations(context, endpoints)),
    customers: tracing.operations('customers', customerOperations(context)),
    calendarFeeds: tracing.operations('calendarFeeds', calendarFeedOperations(context)),
    audit: tracing.operations('audit', auditOperations(context)),
    availability: tracedAvailability(context),
    access: {
      verifyJoinToken: (token) => context.joinTokens.read(token, context.clock.now()),
      conferenceIsAppointment: ports.accessProvider.conferenceIsAppointment,
      detailsOf: async (appointment) => {
        if (appointment.state !== 'ACTIVATED') return undefined;
        // What is done is done: the host's fault must not be the answer to it, or it would be done a second time.
        try {
          return await accessDetails(context, appointment);
        } catch (error) {
          context.observer.observe({ type: 'accessDetailsFailed', appointmentId: appointment.id, error });
          return undefined;
        }
      },
      opensAt: async (appointment) =>
        activatesAt(appointment, await context.applications.settingsOf(appointment.applicationId)),
    },
    events: eventOperations(context),
    sealing: sealingOperations(keys, ports),
    workers,
    within: (transaction) =>
      withinTransaction({ context, keyCheck, consistency, over }, joinedStore(given.store, transaction)),
    ...(consistency && { consistent: (token?: string) => consistency.following(token) }),
    check: async () => {
      const store = await ports.store.check();
      const clockAheadBy = store.now === undefined ? undefined : ports.clock.now() - store.now;
      if (clockAheadBy !== undefined) observer.observe({ type: 'clockCompared', aheadBy: clockAheadBy });
      const advice = [
        ...keyAdvice(keys, await keyCheck.check(), workers.keysHeldBy),
        ...linkAdvice(ports, configuration.managePageUrl),
        ...(await serviceAdvice(context)),
      ];
      return { advice, store, clockAheadBy };
    },
    close: async () => {
      await Promise.all([workers.stop(), context.otpSending.settled()]);
      await context.audit.flush();
    },
  };
}
