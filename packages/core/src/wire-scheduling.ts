import { builtInRoutingProviders, type RoutingProvider } from './appointments/routing.js';
import { RoutingRegistry } from './appointments/routing-registry.js';
import { appointmentOperations } from './appointments/appointment-operations.js';
import { activatesAt } from './appointments/wake-up.js';
import { joinTokens } from './access/join-tokens.js';
import { auditOperations } from './audit/audit.js';
import { AuditTrail } from './audit/audit-trail.js';
import { calendarFeedOperations } from './calendar/calendar-feed-operations.js';
import { builtInLinks } from './customers/built-in-links.js';
import { builtInOtp } from './customers/built-in-otp.js';
import { customerOperations } from './customers/customers.js';
import { manageProofs } from './customers/manage-proofs.js';
import { manageTokens } from './customers/manage-tokens.js';
import { OtpHashes } from './customers/otp-codes.js';
import { OtpSending } from './customers/otp-sending.js';
import { ticketSecrets } from './customers/ticket-secrets.js';
import { customerIdentity, identityVariants } from './customers/identity.js';
import { guardedStore } from './keys/guarded-store.js';
import { keyAdvice } from './keys/key-advice.js';
import { KeyCheck } from './keys/key-check.js';
import { KeyRing, type Secrets } from './keys/key-ring.js';
import { DeliveryLoop } from './notifications/delivery/delivery-loop.js';
import { deliveryWorkers } from './notifications/delivery/delivery-workers.js';
import { EndpointStates } from './notifications/delivery/endpoint-states.js';
import { linkAdvice } from './notifications/link-advice.js';
import { notificationOperations } from './notifications/notifications.js';
import { messageRenderer } from './notifications/templates/message-renderer.js';
import { OneAtATime } from './one-at-a-time.js';
import type { TemplateOverrides } from './notifications/templates/template-overrides.js';
import type { SigningKey, WorkerOptions } from './options.js';
import { Subscriptions } from './outbox/subscriptions.js';
import type { Ports } from './ports/ports.js';
import type { SchedulingStore } from './ports/scheduling-store.js';
import type { Scheduling } from './scheduling.js';
import { seconds } from './appointments/time-units.js';
import { Applications } from './settings/applications.js';
import { guardedObserver } from './system/guarded-observer.js';
import { monotonicTime } from './system/monotonic-time.js';
import { noTracing, tracingWith } from './system/tracing.js';
import { followCommit } from './use-case/after-commit.js';
import type { UseCaseContext } from './use-case/context.js';
import { accessSubject } from './use-case/room.js';
import { joinedStore, withinTransaction } from './within-transaction.js';
import { WorkerLoop } from './workers/worker-loop.js';

/** What is set once and is not a port. */
export interface Configuration {
  readonly secret: Secrets;
  readonly signingKeys: readonly SigningKey[];
  readonly managePageUrl: string | undefined;
  readonly routingProviders: readonly RoutingProvider[];
  readonly worker: WorkerOptions;
  readonly templates: TemplateOverrides;
}

const defaultSettleWait = seconds(2);
/** Longest sleep of the delivery between two looks. */
const defaultInterval = seconds(1);

/** Builds the library over its ports: the one wiring behind `createScheduling` and the Inversify module. */
export function wireScheduling(given: Ports, configuration: Configuration): Scheduling {
  const keys = new KeyRing(configuration.secret);
  const keyCheck = new KeyCheck({ store: given.store, keys, elapsed: monotonicTime });
  const tracing = given.tracer === undefined ? noTracing : tracingWith(given.tracer);
  const ports: Ports = { ...given, store: tracing.store(guardedStore(given.store, keyCheck)) };
  const { worker } = configuration;
  const subscriptions = new Subscriptions(ports.eventPublisher);
  const { signingKeys } = configuration;
  const observer = guardedObserver(ports.observer);
  const renderer = messageRenderer(configuration.templates);
  const proofs = {
    tickets: ticketSecrets(keys),
    manageTokens: manageTokens(signingKeys),
    otpHashes: new OtpHashes(keys),
  };
  const over = (store: SchedulingStore): Pick<UseCaseContext, 'manageProofVerifier'> => ({
    manageProofVerifier: ports.manageProofVerifier ?? manageProofs({ ...ports, ...proofs, store }),
  });
  const context: UseCaseContext = {
    ...ports,
    ...proofs,
    otpVerifier: ports.otpVerifier ?? builtInOtp({ ...ports, ...proofs }),
    ...over(ports.store),
    joinTokens: joinTokens(signingKeys),
    otpSending: new OtpSending({ ...ports, renderer, observer }),
    audit: new AuditTrail({ ...ports, observer }),
    keys,
    managePageUrl: configuration.managePageUrl,
    observer,
    tracing,
    applications: new Applications(ports.settingsSource),
    routing: new RoutingRegistry([...builtInRoutingProviders, ...configuration.routingProviders]),
    customerIdentity: customerIdentity(keys),
    identityVariants: identityVariants(keys),
    oneAtATime: new OneAtATime(),
    requestsUnderWay: new Map(),
    settleWait: worker.settleWait ?? defaultSettleWait,
    hasTakers: () => subscriptions.hasTakers,
    afterCommit: (committed) => followCommit(context, committed),
    wakeWorkers: () => {
      if (subscriptions.hasTakers) workers.wake();
    },
    wakeDelivery: () => {
      delivery.wake();
    },
  };
  const endpoints = new EndpointStates(ports.store, ports.clock, context.observer);
  const texts = { renderer, linkSource: ports.linkSource ?? builtInLinks(context) };
  const delivery = new DeliveryLoop(
    context,
    deliveryWorkers(context, endpoints, texts, worker),
    worker.interval ?? defaultInterval,
  );
  const workers = new WorkerLoop(context, subscriptions, delivery, worker);
  return {
    appointments: tracing.operations('appointments', appointmentOperations(context)),
    notifications: tracing.operations('notifications', notificationOperations(context, endpoints)),
    customers: tracing.operations('customers', customerOperations(context)),
    calendarFeeds: tracing.operations('calendarFeeds', calendarFeedOperations(context)),
    audit: tracing.operations('audit', auditOperations(context)),
    access: {
      verifyJoinToken: (token) => context.joinTokens.read(token, context.clock.now()),
      conferenceIsAppointment: ports.accessProvider.conferenceIsAppointment,
      detailsOf: async (appointment) => {
        if (appointment.state !== 'ACTIVATED') return undefined;
        const settings = await context.applications.settingsOf(appointment.applicationId);
        return ports.accessProvider.details(appointment.access, accessSubject(appointment, settings));
      },
      opensAt: async (appointment) =>
        activatesAt(appointment, await context.applications.settingsOf(appointment.applicationId)),
    },
    events: { subscribe: (handler) => subscriptions.subscribe(handler) },
    workers,
    within: (transaction) => withinTransaction({ context, keyCheck, over }, joinedStore(given.store, transaction)),
    check: async () => {
      const store = await ports.store.check();
      const clockAheadBy = store.now === undefined ? undefined : ports.clock.now() - store.now;
      if (clockAheadBy !== undefined) observer.observe({ type: 'clockCompared', aheadBy: clockAheadBy });
      const advice = [
        ...keyAdvice(keys, await keyCheck.check(), workers.keysHeldBy),
        ...linkAdvice(ports, configuration.managePageUrl),
      ];
      return { advice, store, clockAheadBy };
    },
    close: async () => {
      await Promise.all([workers.stop(), context.otpSending.settled()]);
      await context.audit.flush();
    },
  };
}
