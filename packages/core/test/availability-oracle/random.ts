/** Random choices that a seed decides. */
export interface Chance {
  /** A whole number, both ends included. */
  int(min: number, max: number): number;
  /** True in so many of a hundred. */
  odds(percent: number): boolean;
  one<Value>(values: readonly Value[]): Value;
  /** At least one of them, in any order. */
  some<Value>(values: readonly Value[]): readonly Value[];
  list<Value>(min: number, max: number, make: (place: number) => Value): readonly Value[];
}

/** Mulberry32: small, fast, and the same everywhere. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    odds: (percent) => next() * 100 < percent,
    one: (values) => values[int(0, values.length - 1)]!,
    some(values) {
      const left = [...values];
      return Array.from({ length: int(1, values.length) }, () => left.splice(int(0, left.length - 1), 1)[0]!);
    },
    list: (min, max, make) => Array.from({ length: int(min, max) }, (_, place) => make(place)),
  };
}
