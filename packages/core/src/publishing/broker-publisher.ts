import { checkOptionNames } from '@calends/model';
import { type EventPublisher, PublisherUnavailableError } from '../ports/event-publisher.js';
import type { DomainEvent } from '../domain/appointments/events.js';
import { dropRejection, fieldsOf } from '../support/host-answers.js';

/** A publisher that holds a connection. */
export interface ClosablePublisher extends EventPublisher {
  /**
   * Waits for what is under way (the time-out at most), then closes what it opened itself. What is published afterwards
   * is rejected as unavailable. May be called again.
   */
  close(): Promise<void>;
}

/** How a broker is reached. */
export interface BrokerDoor<Connection> {
  /** Opens a connection, without trying again by itself. `lost` is called once it has ended. */
  open(lost: () => void): Promise<Connection>;
  /** Resolves when the broker has said that it keeps the event. */
  send(connection: Connection, event: DomainEvent): Promise<void>;
  /** Ends a connection, also one that does not answer; never rejects. */
  close(connection: Connection): Promise<void> | void;
  /** Whether a fault of `send` is one of this event, which would be refused again. Absent: none is. */
  isRefusal?(fault: unknown): boolean;
}

/** Hosts in plain JavaScript have no compiler that tells them. A door that is an instance of a class may have members of its own. */
function checkDoor(name: string, door: object): void {
  for (const method of ['open', 'send', 'close'] as const) {
    if (typeof fieldsOf(door)[method] === 'function') continue;
    throw new TypeError(`${name}: the door must have ${method}`);
  }
  if (Object.getPrototypeOf(door) !== Object.prototype) return;
  checkOptionNames(`${name}: the door`, door, ['open', 'send', 'close', 'isRefusal']);
}

/**
 * Makes a publisher of a door: connects when there is something to send, again after a loss, and waits for nothing without
 * an end (D48).
 *
 * A fault that is not of the event is a {@link PublisherUnavailableError}, a time-out too. A connection that let an event
 * wait that long is thrown away. Messages of errors hold nothing that the broker wrote; their `cause` does.
 *
 * @throws TypeError for a door that lacks what it needs, or has a misspelt name, and for a time-out that is none
 */
export function brokerPublisher<Connection>(
  name: string,
  timeout: number,
  door: BrokerDoor<Connection>,
): ClosablePublisher {
  checkDoor(name, door);
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout >= 2 ** 31) {
    throw new TypeError(`${name}: timeout: must be a number of milliseconds`);
  }
  const underWay = new Set<Promise<void>>();
  let current: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;

  function connection(): Promise<Connection> {
    if (current !== undefined) return current;
    // It may be lost before `open` has answered.
    const state: { opening?: Promise<Connection>; isLost: boolean } = { isLost: false };
    const lost = (): void => {
      state.isLost = true;
      forget(state.opening);
    };
    const opening = (state.opening = openedBy(lost));
    opening.catch(lost);
    if (!state.isLost) current = opening;
    return opening;
  }

  /** A door that throws, or answers a connection at once, has not the form of the port; the event is not to blame. */
  function openedBy(lost: () => void): Promise<Connection> {
    try {
      return Promise.resolve(door.open(lost));
    } catch (cause) {
      return Promise.reject(new Error(`${name}: the door threw while it opened`, { cause }));
    }
  }

  function forget(opened: Promise<Connection> | undefined): void {
    if (current === opened) current = undefined;
  }

  function drop(opened: Promise<Connection>): void {
    if (current !== opened) return;
    forget(opened);
    opened.then((it) => door.close(it)).catch(() => undefined);
  }

  function isRefused(fault: unknown): boolean {
    try {
      const answer: unknown = door.isRefusal?.(fault);
      dropRejection(answer);
      return answer === true;
    } catch {
      return false;
    }
  }

  async function attempt(event: DomainEvent): Promise<void> {
    const opened = connection();
    let isGivenUp = false;
    // Later events of its appointment may have gone by the time at which a slow connection opens.
    const sending = opened.then((it) => (isGivenUp ? undefined : door.send(it, event)));
    try {
      await within(timeout, sending);
    } catch (cause) {
      isGivenUp = true;
      if (cause === timedOut) drop(opened);
      if (isRefused(cause)) throw new Error(`${name}: the broker refuses the event`, { cause });
      const what = cause === timedOut ? 'did not answer in time' : 'cannot be reached, or takes nothing now';
      throw new PublisherUnavailableError(`${name}: the broker ${what}`, { cause });
    }
  }

  return {
    async publish(event) {
      if (closing !== undefined) throw new PublisherUnavailableError(`${name}: closed`);
      const attempted = attempt(event);
      underWay.add(attempted);
      await attempted.finally(() => underWay.delete(attempted));
    },
    close() {
      closing ??= Promise.allSettled(underWay).then(async () => {
        const opened = current;
        forget(opened);
        await within(timeout, Promise.resolve(opened?.then((it) => door.close(it)))).catch(() => undefined);
      });
      return closing;
    },
  };
}

const timedOut = new Error('time-out');

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut), milliseconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
