/** A requirement as a choice: so many of these, the ones first that are rather taken. */
export interface Pool {
  readonly count: number;
  readonly ids: readonly string[];
}

/** Whether each pool can have as many as it needs, nobody twice. */
export function isAssignable(pools: readonly Pool[]): boolean {
  const takenBy = new Map<string, readonly string[]>();
  /** Finds one of the ids for a seat, where need be by seating somebody else on another (an augmenting path). */
  const seat = (ids: readonly string[], seen: Set<string>): boolean =>
    ids.some((id) => {
      if (seen.has(id)) return false;
      seen.add(id);
      const other = takenBy.get(id);
      if (other !== undefined && !seat(other, seen)) return false;
      takenBy.set(id, ids);
      return true;
    });
  return pools.every(({ count, ids }) => Array.from({ length: count }).every(() => seat(ids, new Set())));
}

type Ways = Iterable<readonly (readonly string[])[]>;

/** Every way to give each pool its own, nobody twice: those first that take the first of the first pool. Made as they are asked for. */
export function* assignments([first, ...others]: readonly Pool[]): Ways {
  if (first === undefined) yield [];
  else yield* seated(first, others, []);
}

function* seated({ count, ids }: Pool, others: readonly Pool[], chosen: readonly string[]): Ways {
  if (count === 0) {
    for (const rest of assignments(others)) yield [chosen, ...rest];
    return;
  }
  for (const [place, id] of ids.entries()) {
    const rest = { count: count - 1, ids: ids.slice(place + 1) };
    const left = others.map((other) => ({ ...other, ids: other.ids.filter((one) => one !== id) }));
    if (isAssignable([rest, ...left])) yield* seated(rest, left, [...chosen, id]);
  }
}
