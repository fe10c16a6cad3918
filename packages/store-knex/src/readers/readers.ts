import { quietly } from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import type { Fault } from '../faults/store-fault.js';
import type { Steps } from '../sql/steps.js';
import { farther, isMark } from './marks.js';
import { type Look, oldLook, Reached } from './reached.js';
import { NotSeen, type Seen, seenSteps } from './seen-steps.js';

/** Who answered a read that is only shown. */
export type AnsweredBy = 'reader' | 'primary';

/** Why the primary answered: the reader lacks what the caller knows of, or what is old; it failed, or none was to be asked. */
export type PrimaryReason = 'unseen' | 'behind' | 'away' | 'resting';

/** Told of each read that a reader may answer. */
export type OnShownRead = (by: AnsweredBy, reason?: PrimaryReason) => void;

/** How a reader stands. */
export type ReaderState = 'reading' | 'behind' | 'away' | 'notAStandby';

/** What readers work with. */
export interface ReadersParts {
  readonly primary: Connections;
  readonly readers: readonly Connections[];
  readonly readFault: (error: unknown) => Fault;
  readonly onRead: OnShownRead;
  /** Milliseconds by a clock that nobody sets. */
  readonly monotonic?: (() => number) | undefined;
}

interface Reader {
  readonly connections: Connections;
  state: ReaderState;
  /** Nobody asks it before, but for one call that tries whether it is back. */
  restsUntil: number;
}

/** Milliseconds for which a reader is left alone that failed, or fell far behind. */
const restFor = 5000;

/** Standbys that answer reads which are only shown; where they cannot, the caller asks the primary. */
export class Readers {
  readonly #readers: readonly Reader[];
  readonly #reached: Reached;
  readonly #parts: ReadersParts;
  readonly #monotonic: () => number;
  #turn = 0;

  constructor(parts: ReadersParts) {
    this.#parts = parts;
    this.#monotonic = parts.monotonic ?? (() => performance.now());
    this.#readers = parts.readers.map((connections) => ({ connections, state: 'reading', restsUntil: -Infinity }));
    this.#reached = new Reached(parts.primary, this.#monotonic);
  }

  /** How each reader stood when it was last asked. */
  get states(): readonly ReaderState[] {
    return this.#readers.map(({ state }) => state);
  }

  /** What a reader answers that has everything up to the mark, or why none does: then the primary is to be asked. Never rejects. */
  async read<Result>(after: string | undefined, work: () => Steps<Result>): Promise<Seen<Result> | PrimaryReason> {
    if (after !== undefined && !isMark(after)) return 'unseen';
    const least = await this.#reached.least();
    const reader = least === undefined ? undefined : this.#next();
    if (reader === undefined || least === undefined) return 'resting';
    try {
      const read = await reader.connections.read(() => seenSteps(farther(after ?? least.mark, least.mark), work));
      this.#isBack(reader);
      return read;
    } catch (error) {
      return this.#reasonOf(error, reader, least);
    }
  }

  /** Tells by whom a read was answered in the end. */
  count(by: AnsweredBy, reason?: PrimaryReason): void {
    quietly(() => this.#parts.onRead(by, reason));
  }

  /** The readers take turns; of one that rests, only a single call finds out whether it is back. */
  #next(): Reader | undefined {
    const now = this.#monotonic();
    for (let tried = 0; tried < this.#readers.length; tried += 1) {
      const reader = this.#readers[this.#turn];
      this.#turn = (this.#turn + 1) % this.#readers.length;
      if (reader === undefined || now < reader.restsUntil) continue;
      if (reader.state !== 'reading') reader.restsUntil = now + restFor;
      return reader;
    }
    return undefined;
  }

  #reasonOf(error: unknown, reader: Reader, least: Look): PrimaryReason {
    if (!(error instanceof NotSeen)) {
      // A standby cancels a read that is in the way of what it replays: the next one may well pass.
      if (this.#parts.readFault(error).code !== 'contention') this.#rest(reader, 'away');
      return 'away';
    }
    if (!error.isStandby) {
      this.#rest(reader, 'notAStandby');
      return 'away';
    }
    const lacksWhatIsOld = error.seen < least.mark && this.#monotonic() - least.at >= oldLook;
    if (lacksWhatIsOld) {
      this.#rest(reader, 'behind');
      return 'behind';
    }
    this.#isBack(reader);
    return 'unseen';
  }

  #isBack(reader: Reader): void {
    reader.state = 'reading';
    reader.restsUntil = -Infinity;
  }

  #rest(reader: Reader, state: ReaderState): void {
    reader.state = state;
    reader.restsUntil = this.#monotonic() + restFor;
  }
}
