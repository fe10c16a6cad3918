import { callProvider, inTime, maxWait, ProviderTimeout } from '../delivery/call-provider.js';
import { limiterOf } from '../limiting/request-limiter.js';
import type { AccessGrant } from '../domain/appointments/appointment.js';
import type { AccessDetails, AccessProvider, AccessSubject, RoomOpening } from '../ports/access-provider.js';
import { type EventHandler, PublisherUnavailableError } from '../ports/event-publisher.js';
import { type Admission, type Limiter, readAdmission } from '../ports/limiter.js';
import type { Ports } from '../ports/ports.js';
import { dropRejection, isPromise, type MaybePromise } from '../support/host-answers.js';

/**
 * The ports, of which those that the host may answer over a network are waited for no longer than 30 s: what never settles must keep
 * neither an appointment nor a place among the workers. The store and the notifiers have limits of their own. What one does not
 * know it may answer with `null` as well.
 */
export function boundedPorts(ports: Ports): Ports {
  const { accessProvider, agentDirectory, settingsSource, otpVerifier, manageProofVerifier } = ports;
  const { linkSource, customerDirectory, availabilitySource, eventPublisher } = ports;
  return {
    ...ports,
    accessProvider: new BoundedAccess(accessProvider),
    agentDirectory: { standingOf: (query) => inTime(() => agentDirectory.standingOf(query)) },
    settingsSource: {
      find: (applicationId) => inTime(() => settingsSource.find(applicationId)),
      organizationIds: () => inTime(() => settingsSource.organizationIds?.() ?? []),
    },
    otpVerifier: otpVerifier && { verify: async (attempt) => inTime(() => otpVerifier.verify(attempt)) },
    manageProofVerifier: manageProofVerifier && {
      verify: async (proof) => (await inTime(() => manageProofVerifier.verify(proof))) ?? undefined,
    },
    linkSource: linkSource && { linksFor: (request) => inTime(() => linkSource.linksFor(request)) },
    customerDirectory: customerDirectory && {
      contactOf: async (query) => (await inTime(() => customerDirectory.contactOf(query))) ?? undefined,
    },
    availabilitySource: availabilitySource && {
      serviceOf: async (query) => (await inTime(() => availabilitySource.serviceOf(query))) ?? undefined,
      servicesOf: (query) => inTime(() => availabilitySource.servicesOf(query)),
      // The list is the library's own: whose bookings are looked up must not change with it.
      hoursOf: (query) => inTime(() => availabilitySource.hoursOf({ ...query, actorIds: [...query.actorIds] })),
    },
    eventPublisher: eventPublisher && { publish: async (event) => publishInTime(() => eventPublisher.publish(event)) },
  };
}

class BoundedAccess implements AccessProvider {
  readonly #provider: AccessProvider;

  constructor(provider: AccessProvider) {
    this.#provider = provider;
  }

  get conferenceIsAppointment(): boolean {
    return this.#provider.conferenceIsAppointment;
  }

  async openRoom(subject: AccessSubject): Promise<RoomOpening> {
    return inTime(() => this.#provider.openRoom(subject));
  }

  details(grant: AccessGrant, subject: AccessSubject): MaybePromise<AccessDetails> {
    return inTime(() => this.#provider.details(grant, subject));
  }
}

/** A broker that does not answer is away: no event is parked for it. */
async function publishInTime(publish: () => Promise<void>): Promise<void> {
  try {
    await callProvider(maxWait, () => takenByAll(publish));
  } catch (error) {
    if (!(error instanceof ProviderTimeout)) throw error;
    throw new PublisherUnavailableError('The publisher does not answer.', { cause: error });
  }
}

/** A subscriber that is waited for no longer than that either; an event that it does not take is tried again, and parked at last. */
export const boundedHandler =
  (handler: EventHandler): EventHandler =>
  (event) =>
    callProvider(maxWait, () => takenByAll(() => handler(event)));

/**
 * Waits for the whole of a list, which a part of the host in plain JavaScript answers that hands an event on to several: the event is
 * taken once each of them has taken it.
 */
async function takenByAll(take: () => unknown): Promise<void> {
  const answer = await take();
  if (Array.isArray(answer)) await Promise.all(answer);
}

/**
 * The limiter that an option `limits` stands for. The answers of one of the host are read, and waited for no longer than those of its
 * other parts: 30 s. A place that it gives after that is given back, for whoever it was for has been answered.
 *
 * @throws TypeError for what is no form of the option
 */
export function boundedLimiter(limits: Parameters<typeof limiterOf>[0]): Limiter {
  const limiter = limiterOf(limits);
  if (limiter !== limits) return limiter;
  return {
    beforeBody: (request) => admissionInTime(limiter.beforeBody(request)),
    afterDecoding: (call) => admissionInTime(limiter.afterDecoding(call)),
  };
}

function admissionInTime(asked: MaybePromise<Admission>): MaybePromise<Admission> {
  if (!isPromise(asked)) return readAdmission(asked);
  // Some promises begin their work each time somebody waits for them: it is waited for once.
  const answer = Promise.resolve(asked);
  return Promise.resolve(inTime(() => answer)).then(readAdmission, (fault: unknown) => {
    dropRejection(answer.then(giveBack));
    throw fault;
  });
}

function giveBack(late: Admission): void {
  const admission = readAdmission(late);
  if (admission.admitted) admission.release?.();
}
