/**
 * Items in the order of a comparison that tells all of them apart; finding a place takes logarithmic time.
 *
 * An array moves its tail on insertion, which for a hundred thousand items costs less than the walk through
 * the nodes of a tree.
 */
export class SortedList<Item> {
  readonly #items: Item[] = [];
  readonly #compare: (a: Item, b: Item) => number;

  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    this.#items.splice(this.#place(item), 0, item);
  }

  /** Removes the item that compares as equal; does nothing when there is none. */
  remove(item: Item): void {
    const place = this.#place(item);
    const found = this.#items[place];
    if (found !== undefined && this.#compare(found, item) === 0) this.#items.splice(place, 1);
  }

  /** How many items `before` holds for; it must hold for the first ones only. */
  countWhile(before: (item: Item) => boolean): number {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && before(item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first items that `within` holds for, at most `limit`. */
  takeWhile(within: (item: Item) => boolean, limit: number): readonly Item[] {
    return this.#items.slice(0, Math.min(limit, this.countWhile(within)));
  }

  /** The items after those that `before` holds for and among those that `within` holds for. */
  between(before: (item: Item) => boolean, within: (item: Item) => boolean): readonly Item[] {
    return this.#items.slice(this.countWhile(before), this.countWhile(within));
  }

  #place(item: Item): number {
    return this.countWhile((other) => this.#compare(other, item) < 0);
  }
}
