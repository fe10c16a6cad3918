import { faultWords, limits } from '@calends/model';
import * as z from 'zod';
import { raise } from '../field-errors.js';
import { request } from '../wire-documentation.js';

/**
 * An array whose length is checked before its elements are: a body of 100,000 wrong elements is one fault, found at once.
 */
export function boundedArray<Item extends z.ZodType>(item: Item, bounds: { min: number; max: number }) {
  const array = z.array(item).min(bounds.min).max(bounds.max);
  return z.preprocess((value: z.input<Item>[], context) => {
    if (Array.isArray(value) && value.length > bounds.max) {
      raise(context, 'too_many', faultWords.tooMany(bounds.max));
      return z.NEVER;
    }
    return value;
  }, array);
}

/** Bounds of a free-form map (D7, D8). */
export interface MapBounds {
  readonly entries: number;
  readonly key: number;
  /** Greatest length of a value; only for maps of strings. */
  readonly value?: number;
  /** Bytes of the whole map as compact JSON. */
  readonly bytes?: number | undefined;
}

/**
 * A map whose bounds are checked before its values are. One fault is reported, at the map: names in it are the client's
 * and are not echoed (D36).
 */
export function boundedMap<Value extends z.ZodType>(value: Value, bounds: MapBounds) {
  const map = request(z.record(z.string().max(bounds.key), value), { maxProperties: bounds.entries });
  return z.preprocess((candidate: Record<string, z.input<Value>>, context) => {
    if (isMap(candidate) && !fits(candidate, bounds, context)) return z.NEVER;
    return candidate;
  }, map);
}

/** Names and entries of a map in general (D8). */
export const mapBounds: MapBounds = { entries: limits.mapEntries, key: limits.mapKey };

/** What {@link boundedTextMap} takes, for the document. */
export const textMapDescription =
  `Map of string to string: at most ${String(limits.mapEntries)} names of ${String(limits.mapKey)} characters, ` +
  `values of ${String(limits.mapValue)} characters.`;

/** A map of string to string. */
export function boundedTextMap(bytes?: number) {
  return boundedMap(z.string().max(limits.mapValue), { ...mapBounds, value: limits.mapValue, bytes });
}

/** For updates: an empty text clears an object too, as `{}` and `null` do (D2). */
export function clearable<Part extends z.ZodType>(part: Part) {
  const nullable = request(part.nullish(), { clearedByEmptyText: true });
  return z.preprocess((candidate: z.input<typeof nullable> | '') => (candidate === '' ? null : candidate), nullable);
}

function isMap(candidate: unknown): candidate is Record<string, unknown> {
  return typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);
}

function fits(map: Readonly<Record<string, unknown>>, bounds: MapBounds, context: z.RefinementCtx): boolean {
  const names = Object.keys(map);
  if (names.length > bounds.entries) {
    raise(context, 'too_many', faultWords.tooMany(bounds.entries));
    return false;
  }
  for (const name of names) {
    if (name.length > bounds.key) {
      raise(context, 'too_long', `Must have names of at most ${bounds.key} characters.`);
      return false;
    }
    if (bounds.value === undefined) continue;
    const value = map[name];
    if (typeof value !== 'string') {
      raise(context, 'invalid_type', faultWords.strings);
      return false;
    }
    if (value.length > bounds.value) {
      raise(context, 'too_long', `Must have values of at most ${bounds.value} characters.`);
      return false;
    }
  }
  if (bounds.bytes !== undefined && exceedsJsonSize(map, bounds.bytes)) {
    raise(context, 'too_large', faultWords.tooLarge(bounds.bytes));
    return false;
  }
  return true;
}

const encoder = new TextEncoder();

/**
 * Tells whether a value takes more than so many bytes as compact JSON in UTF-8.
 *
 * Iterative, and stops as soon as the limit is passed: neither depth nor size of the value can make it slow.
 */
export function exceedsJsonSize(value: unknown, maxBytes: number): boolean {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= maxBytes) {
    const part = open.pop();
    if (typeof part === 'object' && part !== null) {
      const names = Array.isArray(part) ? [] : Object.keys(part);
      const children: readonly unknown[] = Object.values(part);
      // Two brackets, commas between the children, and a colon after each name.
      size += 1 + Math.max(children.length, 1) + names.length;
      if (size <= maxBytes) open.push(...names, ...children);
    } else if (typeof part === 'string' && part.length > maxBytes) {
      return true;
    } else {
      size += encoder.encode(JSON.stringify(part)).length;
    }
  }
  return size > maxBytes;
}
