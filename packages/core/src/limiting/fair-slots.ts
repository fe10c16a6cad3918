/** How much of what the others leave one holder may take. */
const share = 3 / 4;

/**
 * A number of slots that several holders share: one holder gets at most three quarters of what the others leave, so that
 * there is always room for somebody who has none, and nobody waits for slots that nobody uses.
 */
export class FairSlots {
  readonly #slots: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** How many slots are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** How many slots a holder has. */
  heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Takes a slot for a holder, if it may have another one. */
  take(holder: string): boolean {
    const own = this.heldBy(holder);
    const left = this.#slots - (this.#taken - own);
    if (this.#taken >= this.#slots || own >= Math.max(1, Math.floor(left * share))) return false;
    this.#held.set(holder, own + 1);
    this.#taken += 1;
    return true;
  }

  /** Gives back a slot that was taken. */
  free(holder: string): void {
    const own = this.heldBy(holder);
    if (own === 0) return;
    if (own === 1) this.#held.delete(holder);
    else this.#held.set(holder, own - 1);
    this.#taken -= 1;
  }
}
