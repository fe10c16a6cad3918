import { describe, expect, it } from 'vitest';
import { PublisherUnavailableError } from '../ports/event-publisher.js';
import type { DomainEvent } from '../domain/appointments/events.js';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import { type BrokerDoor, brokerPublisher } from './broker-publisher.js';

const event = { id: 'event-1' } as DomainEvent;
const never = new Promise<never>(() => undefined);
const noClose = { close: () => undefined };
const raise = (): never => {
  throw new Error('no');
};
const faultOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => 'done',
    (fault: unknown) => fault,
  );

/** A door whose connections are numbers, and what was done to them. */
function doorWith(send: (connection: number) => Promise<void>, open?: () => Promise<number>) {
  const done: string[] = [];
  const losses: (() => void)[] = [];
  const door: BrokerDoor<number> = {
    open: (lost) => {
      losses.push(lost);
      done.push(`open ${String(losses.length)}`);
      return open?.() ?? Promise.resolve(losses.length);
    },
    send: (connection) => {
      done.push(`send ${String(connection)}`);
      return send(connection);
    },
    close: (connection) => void done.push(`close ${String(connection)}`),
    isRefusal: (fault) => fault instanceof RangeError,
  };
  return { done, losses, publisher: brokerPublisher('testPublisher', 20, door) };
}

describe('A publisher over a broker', () => {
  it('A publisher over a broker connects once, when there is something to send', async () => {
    const { publisher, done } = doorWith(() => Promise.resolve());
    expect(done).toEqual([]);
    await Promise.all([publisher.publish(event), publisher.publish(event)]);
    expect(done).toEqual(['open 1', 'send 1', 'send 1']);
  });

  it('A publisher over a broker connects again after a loss', async () => {
    const { publisher, done, losses } = doorWith(() => Promise.resolve());
    await publisher.publish(event);
    losses[0]?.();
    await publisher.publish(event);
    losses[0]?.();
    await publisher.publish(event);
    expect(done).toEqual(['open 1', 'send 1', 'open 2', 'send 2', 'send 2']);
  });

  it('A publisher over a broker is unavailable while it cannot connect, and tries again with the next event', async () => {
    const { publisher, done } = doorWith(
      () => Promise.resolve(),
      () => Promise.reject(new Error('no route to 10.0.0.1')),
    );
    for (const attempt of [1, 2]) {
      const fault = await faultOf(publisher.publish(event));
      expect(PublisherUnavailableError.is(fault)).toBe(true);
      expect(fault).toMatchObject({ message: 'testPublisher: the broker cannot be reached, or takes nothing now' });
      expect(done).toHaveLength(attempt);
    }
  });

  it('A publisher over a broker waits no longer than its time-out, and throws the connection away', async () => {
    const { publisher, done } = doorWith((connection) => (connection === 1 ? never : Promise.resolve()));
    const faults = await Promise.all([faultOf(publisher.publish(event)), faultOf(publisher.publish(event))]);
    for (const fault of faults) {
      expect(PublisherUnavailableError.is(fault)).toBe(true);
      expect(fault).toMatchObject({ message: 'testPublisher: the broker did not answer in time' });
    }
    await publisher.publish(event);
    expect(done).toEqual(['open 1', 'send 1', 'send 1', 'close 1', 'open 2', 'send 2']);
  });

  it('A publisher over a broker that is slow to connect waits no longer either', async () => {
    const { publisher } = doorWith(
      () => Promise.resolve(),
      () => never,
    );
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(event)))).toBe(true);
  });

  it('A publisher over a broker that refuses the event is not unavailable: the event can be parked', async () => {
    const { publisher } = doorWith(() => Promise.reject(new RangeError('too large')));
    const fault = await faultOf(publisher.publish(event));
    expect(PublisherUnavailableError.is(fault)).toBe(false);
    expect(fault).toMatchObject({ message: 'testPublisher: the broker refuses the event' });
  });

  it('A publisher over a broker finishes what is under way when it is closed, and takes nothing more', async () => {
    let confirm: () => void = () => undefined;
    const { publisher, done } = doorWith(() => new Promise((resolve) => (confirm = resolve)));
    const published = publisher.publish(event);
    const closed = publisher.close();
    await Promise.resolve();
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(event)))).toBe(true);
    confirm();
    await published;
    await Promise.all([closed, publisher.close()]);
    expect(done).toEqual(['open 1', 'send 1', 'close 1']);
  });

  const sends = () => Promise.resolve();
  it.each<readonly [string, Partial<BrokerDoor<number>>]>([
    ['throws when it opens', { open: () => raise() }],
    ['throws when it sends', { send: () => raise() }],
    ['throws when it is asked whether the event is refused', { send: () => raise(), isRefusal: () => raise() }],
  ])('A publisher over a broker whose door %s is unavailable: no event is parked for it', async (_what, own) => {
    const publisher = brokerPublisher('testPublisher', 20, {
      open: () => Promise.resolve(1),
      send: sends,
      ...noClose,
      ...own,
    });
    for (const fault of [await faultOf(publisher.publish(event)), await faultOf(publisher.publish(event))]) {
      expect(PublisherUnavailableError.is(fault)).toBe(true);
    }
  });

  it('A publisher over a broker may have a door that opens at once, or is lost before it has opened', async () => {
    const opened: string[] = [];
    const open = (lost: () => void): never => {
      opened.push('open');
      if (opened.length === 1) lost();
      return opened.length as never;
    };
    const publisher = brokerPublisher<number>('testPublisher', 20, { open, send: sends, ...noClose });
    for (let times = 0; times < 3; times += 1) await publisher.publish(event);
    expect(opened).toEqual(['open', 'open']);
  });

  it.each<readonly [string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('no'))],
    ['throws', () => raise()],
  ])(
    'A publisher over a broker whose door %s when a connection is thrown away ends no process',
    async (_what, close) => {
      const door = { open: () => Promise.resolve(1), send: () => never, close };
      const publisher = brokerPublisher('testPublisher', 20, door);
      const unhandled = await unhandledIn(async () => {
        expect(PublisherUnavailableError.is(await faultOf(publisher.publish(event)))).toBe(true);
      });
      expect(unhandled).toEqual([]);
    },
  );

  it('A publisher over a broker sends nothing that it has given up over a connection that opens too late', async () => {
    let opens: (connection: number) => void = () => undefined;
    const late = new Promise<number>((resolve) => (opens = resolve));
    const { publisher, done } = doorWith(sends, () => (done.length === 1 ? late : Promise.resolve(2)));
    expect(PublisherUnavailableError.is(await faultOf(publisher.publish(event)))).toBe(true);
    await publisher.publish(event);
    opens(1);
    await late;
    await new Promise(setImmediate);
    expect(done).toEqual(['open 1', 'open 2', 'send 2', 'close 1']);
  });

  const nothing = { open: () => never, send: () => never, close: () => undefined };
  it.each<readonly [string, unknown, unknown, string]>([
    ['without a door', 20, undefined, 'testPublisher: the door must have open'],
    ['with half a door', 20, { open: nothing.open, send: nothing.send }, 'testPublisher: the door must have close'],
    [
      'with a misspelt name',
      20,
      { ...nothing, isRefused: () => true },
      'testPublisher: the door: unknown option isRefused; did you mean isRefusal?',
    ],
    ['with a time-out that is none', '5s', nothing, 'testPublisher: timeout: must be a number of milliseconds'],
  ])('A publisher over a broker is not made %s', (_what, timeout, door, fault) => {
    expect(() => brokerPublisher('testPublisher', timeout as number, door as BrokerDoor<never>)).toThrow(
      new TypeError(fault),
    );
  });

  it('A publisher over a broker may have a door with members of its own', () => {
    class Door {
      readonly opened = 0;
      open = nothing.open;
      send = nothing.send;
      close = nothing.close;
    }
    expect(() => brokerPublisher('testPublisher', 20, new Door())).not.toThrow();
  });
});
