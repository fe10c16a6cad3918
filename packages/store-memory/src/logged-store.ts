import { inTime } from '@calends/core/operations';
import {
  type Change,
  checkOptionNames,
  type JobClaim,
  type NotificationClaim,
  type SchedulingStore,
  type StoreCall,
  type StoreCapabilities,
  StoreError,
  wrapStore,
} from '@calends/core/store';
import { memoryStore } from './memory-store.js';

/**
 * Where a store made by {@link loggedStore} keeps what it was asked to write: a list that only grows.
 *
 * Each answer is waited for no longer than 30 s. What is put after that stands in the log nevertheless, and is read as what others put.
 */
export interface CommandLog {
  /** The entries from this place on, as they were put, in order and without a gap; the first one of all is at 0. */
  read(from: number): Promise<readonly string[]>;
  /** Puts an entry at the place after the last one, whole, in one atomic step; false where another one stands already. */
  put(place: number, entry: string): Promise<boolean>;
}

type Command = readonly [method: string, ...given: unknown[]];

/** A call that waits for its turn. */
interface Waiting {
  readonly command: Command;
  readonly call: StoreCall;
  readonly isWrite: boolean;
  readonly done: (answer: unknown) => void;
}

// All others change what is stored: also a claim that finds nothing, and whatever a later version of the port adds.
const reading =
  /^(nextWakeAt|check)$|\.((find|list)\w*|count(Starting|Overlapping|Sending|Tickets|Unsealed)|walk|backlog|unsealed)$/;

/**
 * A whole store over a log: everything it needs of a database, a bucket or a folder are the two methods of {@link CommandLog}.
 *
 * Each call reads what has come in meanwhile and does it in memory, and then writes what it changes itself to the log,
 * before it does that in memory: all stores on one log come to the same state in the same order. The calls that wait at
 * one time share one entry. It begins with reading the whole log, which nothing makes shorter: made for tests, for
 * prototypes and for what is small. What of it cannot be read is passed over by nobody: then each call rejects with `unavailable`.
 *
 * @throws TypeError for what is no log, and for a capability that is misspelt or no boolean
 */
export function loggedStore(
  log: CommandLog,
  capabilities: StoreCapabilities = { durable: true, sharedBetweenProcesses: true },
): SchedulingStore {
  checkLog(log);
  checkCapabilities(capabilities);
  const calls = new Map<string, StoreCall>();
  let waiting: Waiting[] = [];
  let place = 0;
  let working = false;
  /** Entries that were put here one after the other, with none of others between them. */
  let inARow = 0;

  const take = ([method, ...given]: Command): unknown => calls.get(method)?.(...given);

  const isCommand = (given: unknown): boolean => Array.isArray(given) && calls.has(given[0] as string);

  async function catchUp(): Promise<void> {
    for (const entry of await inTime(() => log.read(place))) {
      inARow = 0;
      const commands = listIn(entry);
      // Passed over, it would be missing in every later answer, and times would be given twice: nothing is asked past it.
      if (commands?.every(isCommand) !== true) throw new TypeError('log: read must answer entries as they were put');
      place += 1;
      // What was refused when it was written is refused again, and changes nothing.
      await Promise.allSettled((commands as readonly Command[]).map(take));
    }
  }

  async function put(entry: string): Promise<boolean> {
    const answer: unknown = await inTime(() => log.put(place, entry));
    if (typeof answer === 'boolean') return answer;
    throw new TypeError('log: put must answer true or false');
  }

  /**
   * Whoever comes second has one entry more to read, and comes second again: who puts one after the other looks more often now and
   * then, and lets others go first.
   */
  async function giveWay(): Promise<void> {
    const looks = inARow % 8 === 7 ? 3 : 0;
    for (let look = 0; look < looks; look += 1) await catchUp();
  }

  async function work(batch: readonly Waiting[]): Promise<void> {
    const commands = batch.filter(({ isWrite }) => isWrite).map(({ command }) => command);
    let entry: string;
    let isUnknown = false;
    try {
      entry = JSON.stringify(commands);
      await catchUp();
      if (commands.length > 0) {
        await giveWay();
        isUnknown = true;
        while (!(await put(entry))) await catchUp();
        place += 1;
        inARow += 1;
      }
    } catch (cause) {
      const outcome = isUnknown ? 'unknown' : 'none';
      const fault = new StoreError('unavailable', 'The log of the store cannot be used.', { outcome, cause });
      for (const { done } of batch) done(Promise.reject(fault));
      return;
    }
    // As all others read it: each works on what stands in the log.
    const written = JSON.parse(entry) as Command[];
    for (const { isWrite, call, command, done } of batch) {
      const [, ...given] = command;
      done(isWrite ? take(written.shift() ?? command) : call(...given));
    }
  }

  async function workThrough(): Promise<void> {
    if (working) return;
    working = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await work(batch);
    }
    working = false;
  }

  const store = wrapStore(memoryStore(), (method, call) => {
    calls.set(method, call);
    return (...given) =>
      new Promise((resolve) => {
        const isLate = (Object(given[1]) as { signal?: AbortSignal }).signal?.aborted === true;
        const isWrite = !reading.test(method) && !isLate;
        waiting.push({
          command: isWrite ? commandOf(method, given) : [method, ...given],
          call,
          isWrite,
          done: resolve,
        });
        void workThrough();
      });
  });
  return { ...store, capabilities };
}

/** What an entry holds; `undefined` for what is no text of a list. The fault of a parser would tell of its values. */
function listIn(entry: unknown): readonly unknown[] | undefined {
  try {
    const list: unknown = typeof entry === 'string' ? JSON.parse(entry) : undefined;
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Hosts in plain JavaScript have no compiler that tells them. */
function checkLog(log: CommandLog): void {
  for (const method of ['read', 'put'] as const) {
    if (typeof Reflect.get(Object(log) as object, method) !== 'function') {
      throw new TypeError(`loggedStore: log: must have ${method}`);
    }
  }
}

function checkCapabilities(capabilities: StoreCapabilities): void {
  checkOptionNames('loggedStore: capabilities', capabilities, ['durable', 'sharedBetweenProcesses', 'marksCommits']);
  for (const name of ['durable', 'sharedBetweenProcesses'] as const) {
    if (typeof capabilities[name] === 'boolean') continue;
    throw new TypeError(`loggedStore: capabilities: ${name}: must be a boolean`);
  }
}

/** What others need to do the same: the time where it matters, and no options of the call. */
function commandOf(method: string, given: readonly unknown[]): Command {
  if (method === 'commit') {
    const change = given[0] as Change;
    const asksForHolds = [change.holds, change.limits, change.guard?.span].some((part) => part !== undefined);
    return [method, asksForHolds ? { ...change, holdsAt: change.holdsAt ?? Date.now() } : change];
  }
  if (method === 'notifications.claim' || method === 'retention.claim') {
    const claim = given[0] as NotificationClaim | JobClaim;
    return [method, { ...claim, now: claim.now ?? Date.now() }];
  }
  const last = given.findLastIndex((each) => each !== undefined);
  return [method, ...given.slice(0, last + 1)];
}
