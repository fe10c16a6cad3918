import { minutes, seconds } from '@calends/model';
import { CalendsError } from '../domain/calls/errors.js';
import type { NamedKey } from '../ports/store/keys.js';
import type { SchedulingStore } from '../ports/store/store.js';
import type { KeyRing } from './key-ring.js';
import { wrapStore } from '../ports/store/store-methods.js';

/** How long a look at the keys holds: one statement in so long, and none for a write. */
const lookAgainAfter = seconds(1);
/** A write waits for a look when the last one is older, so that nobody signs with a key that was retired meanwhile. */
const waitAfter = minutes(1);
/** Two processes that name their first key at once are in each other's way. */
const attempts = 5;

/** What {@link KeyCheck} works with. */
export interface KeyCheckParts {
  readonly store: Pick<SchedulingStore, 'keys'>;
  readonly keys: KeyRing;
  /** Milliseconds that never go back. */
  readonly elapsed: () => number;
}

/**
 * Lets a process write only while it has every key that the store names (D67).
 *
 * A process names the key that it signs with before its first write, and looks again at most once a second, beside the
 * writes. Of two that name different keys in an empty store at once, one is refused.
 */
export class KeyCheck {
  readonly #parts: KeyCheckParts;
  #lookedAt: number | undefined;
  #refusal: CalendsError | undefined;
  #looking: Promise<void> | undefined;
  /** The last look at the store itself found the key of this process named, or named it. */
  #isNamed = false;

  constructor(parts: KeyCheckParts) {
    this.#parts = parts;
  }

  /** Nothing to wait for once a look let this process write; rejects while it lacks a key. */
  admit(): Promise<void> | undefined {
    const isFresh = this.#lookedAt !== undefined && this.#parts.elapsed() < this.#lookedAt + lookAgainAfter;
    if (this.#refusal !== undefined) return isFresh ? Promise.reject(this.#refusal) : this.#look();
    if (this.#lookedAt === undefined) return this.#look();
    if (this.#parts.elapsed() >= this.#lookedAt + waitAfter) return this.#look();
    // Whatever becomes of it, the next call hears: a refusal is kept, and a store that does not answer says so itself.
    if (!isFresh) this.#look().catch(() => undefined);
    return undefined;
  }

  /**
   * Like `admit`, over the store inside a transaction of the host, which may hold the only connection there is. What it
   * writes may be rolled back: then the next call looks again.
   */
  admitWithin(store: KeyCheckParts['store']): Promise<void> | undefined {
    const lookedAt = this.#lookedAt ?? -Infinity;
    if (this.#refusal === undefined && this.#parts.elapsed() < lookedAt + waitAfter) return undefined;
    return this.#check(store).then(({ wrote }) => {
      if (wrote) this.#lookedAt = undefined;
    });
  }

  /** Looks now. Writes nothing where this process lacks a key. */
  async check(): Promise<readonly NamedKey[]> {
    try {
      const { named } = await this.#check(this.#parts.store);
      this.#isNamed = true;
      return named;
    } catch (error) {
      this.#isNamed = false;
      throw error;
    }
  }

  async #check(
    store: KeyCheckParts['store'],
  ): Promise<{ readonly named: readonly NamedKey[]; readonly wrote: boolean }> {
    const { keys } = this.#parts;
    let wrote = false;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const named = await store.keys.list();
      const { id, check } = keys.current;
      const own = named.find((key) => key.id === id);
      this.#lookedAt = this.#parts.elapsed();
      this.#refusal = refusalOf(named, keys, own);
      if (this.#refusal !== undefined) throw this.#refusal;
      if (own !== undefined && own.quietSince === undefined) return { named, wrote };
      wrote = true;
      if (own !== undefined) {
        // It signs here: it is not quiet, no matter who thought so.
        await store.keys.change({ ...own, quietSince: undefined }, own);
        continue;
      }
      const key = { number: Math.max(0, ...named.map(({ number }) => number)) + 1, id, check };
      if (await store.keys.add(key)) return { named: [...named, key], wrote };
      // A transaction that repeats its reads does not see what this process has named beside it.
      if (this.#isNamed && store !== this.#parts.store) return { named, wrote };
      this.#lookedAt = undefined;
    }
    throw new CalendsError('unavailable', 'The keys of the store are being changed; try again.');
  }

  #look(): Promise<void> {
    this.#looking ??= this.check()
      .then(() => undefined)
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }
}

/** Why a process may not write: it lacks a key that is not retired, or signs with one that is. */
function refusalOf(
  named: readonly NamedKey[],
  keys: Pick<KeyRing, 'find'>,
  own: NamedKey | undefined,
): CalendsError | undefined {
  const missing = named.filter(({ id, check, keptAudit }) => keptAudit === undefined && keys.find(id)?.check !== check);
  if (missing.length > 0) return refusal(new MissingKeyError(missing.map(({ id }) => id)));
  return own?.keptAudit === undefined ? undefined : refusal(new MissingKeyError([own.id], 'retired'));
}

function refusal(cause: MissingKeyError): CalendsError {
  return new CalendsError('unavailable', 'This process lacks a secret that is in use; it changes nothing.', { cause });
}

/** The store, of which nothing is written before the keys are checked (D67). */
export function guardedStore(store: SchedulingStore, keys: Pick<KeyCheck, 'admit'>): SchedulingStore {
  return wrapStore(store, (_name, call, beginsWrite) => {
    if (!beginsWrite) return call;
    return (...given) => {
      const waiting = keys.admit();
      // Without a turn of the loop in between: stores join what is asked of them at once.
      return waiting === undefined ? call(...given) : waiting.then(() => call(...given));
    };
  });
}

/**
 * Which step of a rotation is due (D67), a sentence for each secret that does not sign; none where one secret is listed.
 * What holds a key is known where the workers run.
 */
export function keyAdvice(
  { all: [, ...others] }: Pick<KeyRing, 'all'>,
  named: readonly NamedKey[],
  heldBy: ReadonlyMap<string, string>,
): readonly string[] {
  return others.map(({ id }) => {
    const key = named.find((each) => each.id === id);
    if (key === undefined) {
      return `secret: ${id} is listed and has signed nothing yet; once every process lists it, put it first.`;
    }
    if (key.keptAudit !== undefined) return `secret: ${id} is retired, nothing needs it; take it off the list.`;
    const held = heldBy.get(id);
    return `secret: ${id} signed before, and does not sign here any more; keep it listed after the first until it is retired${held === undefined ? '' : ` (${held})`}.`;
  });
}

/** This process lacks a secret that the store names, or signs with one that is retired (D67): the cause of what is refused meanwhile. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
  /** Ids of the keys that it lacks, or of the retired one. */
  readonly keyIds: readonly string[];

  constructor(keyIds: readonly string[], why: 'missing' | 'retired' = 'missing') {
    super(
      why === 'missing'
        ? `secret: lacks the key ${keyIds.join(', ')}, which the store names; list every secret in use.`
        : `secret: the key ${keyIds.join(', ')} is retired and signs nothing again; put the present secret first.`,
    );
    this.keyIds = keyIds;
  }
}
