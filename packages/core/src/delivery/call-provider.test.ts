import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callProvider, type Deadline, ProviderTimeout } from './call-provider.js';

/** As nothing else in the process waits: its timers can be told from those of others. */
const timeout = 1013;
const ownTimers = new Set<unknown>();

beforeEach(() => {
  ownTimers.clear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, milliseconds) => {
    const timer = start(() => {
      ownTimers.delete(timer);
      run();
    }, milliseconds);
    if (milliseconds === timeout) ownTimers.add(timer);
    return timer;
  });
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    ownTimers.delete(timer);
    stop(timer);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const fault = new TypeError('a bug');
const never = new Promise<never>(() => undefined);

describe('A call of a provider', () => {
  it('a call of a provider that answers at once takes neither a promise nor a timer', () => {
    expect(callProvider(timeout, () => 'sent')).toBe('sent');
    expect(callProvider(timeout, () => undefined)).toBeUndefined();
    expect(ownTimers.size).toBe(0);
  });

  it('a call of a provider that throws at once throws', () => {
    const call = (): never => {
      throw fault;
    };
    expect(() => callProvider(timeout, call)).toThrow(fault);
    expect(ownTimers.size).toBe(0);
  });

  it('a call of a provider that answers later is waited for, and leaves no timer', async () => {
    const answer = callProvider(timeout, () => Promise.resolve('sent'));
    expect(ownTimers.size).toBe(1);
    expect(await answer).toBe('sent');
    expect(ownTimers.size).toBe(0);
  });

  it('a call of a provider that fails later fails as it did, and leaves no timer', async () => {
    await expect(async () => callProvider(timeout, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(ownTimers.size).toBe(0);
  });

  it('a call of a provider may answer with the promise of another library', async () => {
    const foreign = {
      then: (resolve: (answer: string) => void) => void setTimeout(resolve.bind(undefined, 'sent'), 10),
    };
    const answer = callProvider(timeout, () => foreign as unknown as Promise<string>);
    await vi.advanceTimersByTimeAsync(10);
    expect(await answer).toBe('sent');
    expect(ownTimers.size).toBe(0);
  });

  it('a call of a provider that does not end is given up after its time-out, and what it answers then is of no account', async () => {
    let fail = (_error: Error): void => undefined;
    const hanging = new Promise<never>((_resolve, reject) => (fail = reject));
    const outcome = expect(async () => callProvider(timeout, () => hanging)).rejects.toThrow(
      new ProviderTimeout(timeout),
    );
    await vi.advanceTimersByTimeAsync(timeout);
    await outcome;
    fail(fault);
    await vi.advanceTimersByTimeAsync(0);
    expect(ownTimers.size).toBe(0);
  });
});

describe('The signal of a call', () => {
  /** Lets a call run into its time-out; answers what the call was given. */
  async function overdue(look: (deadline: Deadline) => void): Promise<Deadline | undefined> {
    let given: Deadline | undefined;
    const call = (deadline: Deadline): Promise<never> => {
      given = deadline;
      look(deadline);
      return never;
    };
    const outcome = expect(async () => callProvider(timeout, call)).rejects.toThrow(ProviderTimeout);
    await vi.advanceTimersByTimeAsync(timeout - 1);
    expect(ownTimers.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    return given;
  }

  it('the signal of a call aborts when the time is over, and is the same whenever it is asked for', async () => {
    const events: string[] = [];
    let first: AbortSignal | undefined;
    const deadline = await overdue(({ signal }) => {
      first = signal;
      expect(signal.aborted).toBe(false);
      signal.addEventListener('abort', () => events.push('aborted'));
    });
    expect(events).toEqual(['aborted']);
    expect(deadline?.signal).toBe(first);
    expect(first?.aborted).toBe(true);
  });

  it('the signal of a call is an aborted one when it is asked for after the time is over', async () => {
    const deadline = await overdue(() => undefined);
    expect(deadline?.signal.aborted).toBe(true);
    expect(deadline?.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('the signal of a call never aborts when the call ended in time', async () => {
    let given: Deadline | undefined;
    await callProvider(timeout, (deadline) => {
      given = deadline;
      return Promise.resolve('sent');
    });
    await vi.advanceTimersByTimeAsync(2000);
    expect(given?.signal.aborted).toBe(false);
  });
});
