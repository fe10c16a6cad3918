/** Where an item stands: which block, and which place in it. */
interface Place {
  readonly block: number;
  readonly offset: number;
}

const defaultBlockSize = 512;

/**
 * Items in the order of a comparison that tells all of them apart.
 *
 * They are kept in blocks of bounded size, so that an insertion moves a few hundred items at most, and a place is
 * found in logarithmic time.
 */
export class SortedList<Item> {
  readonly #blocks: Item[][] = [];
  readonly #compare: (a: Item, b: Item) => number;
  readonly #blockSize: number;
  /** All items in one array; made when asked for, dropped with the next change. */
  #joined: readonly Item[] | undefined;

  constructor(compare: (a: Item, b: Item) => number, blockSize = defaultBlockSize) {
    this.#compare = compare;
    this.#blockSize = blockSize;
  }

  get items(): readonly Item[] {
    return (this.#joined ??= this.#blocks.flat());
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  get first(): Item | undefined {
    return this.#blocks[0]?.[0];
  }

  add(item: Item): void {
    this.#joined = undefined;
    const { block, offset } = this.#placeOf(item);
    const items = this.#blocks[block];
    if (items === undefined) this.#append(item);
    else items.splice(offset, 0, item);
    this.#split(block);
  }

  /** Removes the item that compares as equal; does nothing when there is none. */
  remove(item: Item): void {
    const { block, offset } = this.#placeOf(item);
    const items = this.#blocks[block];
    const found = items?.[offset];
    if (items === undefined || found === undefined || this.#compare(found, item) !== 0) return;
    this.#joined = undefined;
    items.splice(offset, 1);
    if (items.length === 0) this.#blocks.splice(block, 1);
  }

  /** How many items `before` holds for; it must hold for the first ones only. */
  countWhile(before: (item: Item) => boolean): number {
    const { block, offset } = this.#firstAfter(before);
    return this.#blocks.slice(0, block).reduce((count, items) => count + items.length, offset);
  }

  /** The first items that `within` holds for, at most `limit`. */
  takeWhile(within: (item: Item) => boolean, limit: number): readonly Item[] {
    const taken: Item[] = [];
    for (const items of this.#blocks) {
      for (const item of items) {
        if (taken.length >= limit || !within(item)) return taken;
        taken.push(item);
      }
    }
    return taken;
  }

  /** The items after those that `before` holds for, one by one: anyone who stops early has not looked at the rest. */
  *after(before: (item: Item) => boolean): Generator<Item, void, undefined> {
    const { block, offset } = this.#firstAfter(before);
    for (let place = block; place < this.#blocks.length; place += 1) {
      yield* this.#blocks[place]?.slice(place === block ? offset : 0) ?? [];
    }
  }

  /** The items from one place up to another, without the latter; only the blocks of these are copied from. */
  slice(from: number, to: number): readonly Item[] {
    const taken: Item[] = [];
    let position = 0;
    for (const items of this.#blocks) {
      if (position >= to) break;
      if (position + items.length > from) {
        taken.push(...items.slice(Math.max(from - position, 0), to - position));
      }
      position += items.length;
    }
    return taken;
  }

  /** The items after those that `before` holds for and among those that `within` holds for. */
  between(before: (item: Item) => boolean, within: (item: Item) => boolean): readonly Item[] {
    const [from, to] = [this.#firstAfter(before), this.#firstAfter(within)];
    return this.#blocks.slice(from.block, to.block + 1).flatMap((items, index) => {
      const block = from.block + index;
      return items.slice(block === from.block ? from.offset : 0, block === to.block ? to.offset : undefined);
    });
  }

  #append(item: Item): void {
    const last = this.#blocks.at(-1);
    if (last === undefined) this.#blocks.push([item]);
    else last.push(item);
  }

  /** Halves the block, or the last one when an item was appended, if it has grown too large. */
  #split(block: number): void {
    const grown = Math.min(block, this.#blocks.length - 1);
    const items = this.#blocks[grown];
    if (items === undefined || items.length <= this.#blockSize) return;
    this.#blocks.splice(grown + 1, 0, items.splice(items.length >>> 1));
  }

  #placeOf(item: Item): Place {
    return this.#firstAfter((other) => this.#compare(other, item) < 0);
  }

  #firstAfter(before: (item: Item) => boolean): Place {
    const block = partition(this.#blocks, (items) => {
      const last = items.at(-1);
      return last !== undefined && before(last);
    });
    return { block, offset: partition(this.#blocks[block] ?? [], before) };
  }
}

/** How many entries from the front on `before` holds for. */
function partition<Entry>(entries: readonly Entry[], before: (entry: Entry) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && before(entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}
