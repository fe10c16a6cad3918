import { createHash } from 'node:crypto';
import { days, type Instant, remembered, seconds } from '@calends/model';
import { andThen, isPromise, type MaybePromise } from '../../support/host-answers.js';
import type { Clock } from '../../ports/clock.js';
import type { EndpointKey, EndpointState, NotificationStore } from '../../ports/store/notifications.js';
import { StoreError } from '../../ports/store/store-error.js';
import type { Observer } from '../../ports/observer.js';
import type { WebhookEndpoint } from '../../settings/notification-settings.js';
import type { Notification } from '../../domain/notifications/notification.js';

/** How long an endpoint may fail before nothing more is sent to it (D59). */
const maxFailureLength = days(5);
/** Other processes record too; what is known of an endpoint is read again after so long. */
const knownFor = seconds(30);
/**
 * A success must not miss a failure that another process has just recorded, and what is replayed must not find an endpoint
 * disabled that another process has just enabled: so they look again after so long.
 */
const freshFor = seconds(1);
const maxKnown = 10_000;
/** Others may win the race so often in a row before a change gives up. */
const maxAttempts = 20;

const well: EndpointState = { failingSince: null, disabledAt: null, reason: null };

interface KnownState {
  /** A promise while it is read or changed. */
  state: MaybePromise<EndpointState>;
  readonly readAt: Instant;
}

/** How a delivery went. */
type Result = 'delivered' | 'failed' | 'gone';

/**
 * Which web hook endpoints are disabled: after a 410, or after five days without one success (D59).
 *
 * What is stored changes only when an endpoint begins or ceases to fail, so that deliveries cost no further write,
 * and one read a second at most.
 */
export class EndpointStates {
  readonly #store: NotificationStore;
  readonly #clock: Clock;
  readonly #observer: Observer;
  readonly #known = new Map<string, KnownState>();

  constructor(store: NotificationStore, clock: Clock, observer: Observer) {
    this.#store = store;
    this.#clock = clock;
    this.#observer = observer;
  }

  isDisabled(key: EndpointKey): MaybePromise<boolean> {
    const name = nameOf(key);
    return andThen(this.#knownOf(key, name, knownFor).state, ({ disabledAt }) => {
      if (disabledAt === null) return false;
      return andThen(this.#knownOf(key, name, freshFor).state, (fresh) => fresh.disabledAt !== null);
    });
  }

  /** Records how a delivery went, where that changes anything. */
  record(key: EndpointKey, result: Result): MaybePromise<void> {
    const name = nameOf(key);
    const known = this.#knownOf(key, name, result === 'delivered' ? freshFor : knownFor);
    return andThen(known.state, (state) => {
      // Of deliveries that end together one changes the state, and the others look at what it made of it.
      if (this.#known.get(name) !== known) return this.record(key, result);
      if (nextState(state, result, this.#clock.now()) === state) return undefined;
      const changed = this.#recordIn(key, result);
      this.#remember(
        name,
        changed.catch(() => state),
      );
      return changed.then(() => undefined);
    });
  }

  /** What is stored of the endpoint now. */
  async stateOf(key: EndpointKey): Promise<EndpointState> {
    return (await this.#store.findEndpoint(key)) ?? well;
  }

  /** Sends to the endpoint again. */
  async enable(key: EndpointKey): Promise<EndpointState> {
    await this.#store.putEndpoint(key, well);
    this.#remember(nameOf(key), well);
    return well;
  }

  /** Sends nothing more to the endpoint; one that is disabled already keeps its reason. */
  async disable(key: EndpointKey, reason: string): Promise<EndpointState> {
    const { state } = await this.#change(key, (found) =>
      found.disabledAt === null ? { ...found, disabledAt: this.#clock.now(), reason } : found,
    );
    this.#remember(nameOf(key), state);
    return state;
  }

  async #recordIn(key: EndpointKey, result: Result): Promise<EndpointState> {
    const { state, isNew } = await this.#change(key, (found) => nextState(found, result, this.#clock.now()));
    if (isNew && state.disabledAt !== null) {
      const { organizationId, applicationId, endpointId } = key;
      const reason = state.reason ?? '';
      this.#observer.observe({ type: 'endpointDisabled', organizationId, applicationId, endpointId, reason });
    }
    return state;
  }

  /** Decides by what is stored and writes in its place only: somebody may disable the endpoint in between. */
  async #change(
    key: EndpointKey,
    decide: (found: EndpointState) => EndpointState,
  ): Promise<{ readonly state: EndpointState; readonly isNew: boolean }> {
    for (let made = 0; made < maxAttempts; made += 1) {
      const found = await this.stateOf(key);
      const state = decide(found);
      if (state === found) return { state, isNew: false };
      if (await this.#store.putEndpoint(key, state, found)) return { state, isNew: true };
    }
    throw new StoreError('contention', 'The state of the endpoint changed at each attempt.');
  }

  /** Deliveries that ask at the same time read once. */
  #knownOf(key: EndpointKey, name: string, maxAge: number): KnownState {
    const known = this.#known.get(name);
    // A clock that was ahead and is right again would let it hold for as long as it was ahead.
    if (known !== undefined && Math.abs(this.#clock.now() - known.readAt) < maxAge) return known;
    return this.#remember(name, this.stateOf(key));
  }

  #remember(name: string, state: MaybePromise<EndpointState>): KnownState {
    if (this.#known.size >= maxKnown) this.#known.clear();
    const known: KnownState = { state, readAt: this.#clock.now() };
    this.#known.set(name, known);
    if (isPromise(state)) {
      state.then(
        (read) => (known.state = read),
        () => {
          if (this.#known.get(name) === known) this.#known.delete(name);
        },
      );
    }
    return known;
  }
}

function nextState(state: EndpointState, result: Result, now: Instant): EndpointState {
  if (state.disabledAt !== null) return state;
  switch (result) {
    case 'delivered':
      return state.failingSince === null ? state : well;
    case 'gone':
      return { failingSince: state.failingSince ?? now, disabledAt: now, reason: 'it answered 410' };
    case 'failed':
      // A clock that was ahead and is right again would keep it enabled for as long as it was ahead.
      if (state.failingSince === null || state.failingSince > now) return { ...well, failingSince: now };
      return now - state.failingSince < maxFailureLength
        ? state
        : { ...state, disabledAt: now, reason: 'every delivery failed for five days' };
  }
}

/** An endpoint under its address: a new address starts again. */
export function endpointKeyOf(
  { organizationId, applicationId }: Pick<Notification, 'organizationId' | 'applicationId'>,
  { id, url }: WebhookEndpoint,
): EndpointKey {
  return { organizationId, applicationId, endpointId: id, addressHash: addressHashOf(url) };
}

/** Asked for with each delivery. */
const addressHashOf = remembered(1000, (url) => createHash('sha256').update(url).digest('base64url'));

/** With the lengths in it no two keys have the same name. */
function nameOf({ organizationId, applicationId, endpointId, addressHash }: EndpointKey): string {
  const lengths = `${String(organizationId.length)} ${String(applicationId.length)}`;
  return `${lengths} ${organizationId}${applicationId}${addressHash}${endpointId}`;
}
