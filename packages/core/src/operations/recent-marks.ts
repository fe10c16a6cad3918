/** So many callers are remembered by themselves; others only as somebody. */
const maxCallers = 50_000;

interface Remembered {
  readonly mark: string;
  readonly until: number;
}

/** What callers have committed a moment ago, as the greatest mark of each. */
export class RecentMarks {
  readonly #elapsed: () => number;
  readonly #keptFor: number;
  /** In the order in which they end. */
  readonly #byCaller = new Map<string, Remembered>();
  /** Of those who are too many to be told apart: counts for everybody. */
  #ofAnyone: Remembered | undefined;

  /** `elapsed` tells milliseconds that never go back; marks are kept for so many. */
  constructor(elapsed: () => number, keptFor: number) {
    this.#elapsed = elapsed;
    this.#keptFor = keptFor;
  }

  note(caller: string | undefined, mark: string): void {
    if (caller === undefined) return;
    const now = this.#elapsed();
    const next = later(this.#byCaller.get(caller), { mark, until: now + this.#keptFor });
    this.#byCaller.delete(caller);
    this.#byCaller.set(caller, next);
    for (const [oldest, remembered] of this.#byCaller) {
      if (remembered.until > now && this.#byCaller.size <= maxCallers) break;
      this.#byCaller.delete(oldest);
      if (remembered.until > now) this.#ofAnyone = later(this.#ofAnyone, remembered);
    }
  }

  /** The greatest mark that a caller must see. */
  of(caller: string | undefined): string | undefined {
    const now = this.#elapsed();
    const known = [this.#ofAnyone, caller === undefined ? undefined : this.#byCaller.get(caller)].flatMap((each) =>
      each !== undefined && each.until > now ? [each.mark] : [],
    );
    return known.sort().at(-1);
  }
}

/** Both, as far as one can stand for two. */
function later(one: Remembered | undefined, other: Remembered): Remembered {
  if (one === undefined) return other;
  return { mark: one.mark > other.mark ? one.mark : other.mark, until: Math.max(one.until, other.until) };
}
