import { type ErrorCode, faultWords, type InputIssue, isReservedName, isSafeText, limits } from '@calends/model';
import { CalendsError } from './errors.js';
import { isEmptyInstance, isPromise } from '../../support/host-answers.js';
import { isPlain } from '../../support/plain-copy.js';

/**
 * Reads an input.
 *
 * @throws CalendsError `validation_failed` with everything that is wrong
 */
export function readInput<Value>(read: (issues: InputIssues) => Value): Value {
  const issues = new InputIssues();
  const value = read(issues);
  issues.throwIfAny();
  return value;
}

/** Collects what is wrong with an input, so that a client is told everything at once. */
export class InputIssues {
  readonly #found: InputIssue[] = [];

  add(pointer: string, code: string, detail: string): void {
    this.#found.push({ pointer, code, detail });
  }

  /** Tells whether something was found at this place. */
  has(pointer: string): boolean {
    return this.#found.some((issue) => issue.pointer === pointer);
  }

  /** Throws when anything was found. */
  throwIfAny(code: ErrorCode = 'validation_failed', message = 'The request is not valid.'): void {
    if (this.#found.length > 0) throw new CalendsError(code, message, { issues: this.#found });
  }

  /** One of a closed set. */
  word(pointer: string, value: unknown, known: readonly unknown[]): void {
    if (!known.includes(value)) this.add(pointer, 'invalid_value', faultWords.oneOf(known));
  }

  /** A list, empty where it is left out; throws where it is none. */
  list<Value>(pointer: string, values: readonly Value[] = []): readonly Value[] {
    if (!Array.isArray(values)) {
      this.add(pointer, 'invalid_type', faultWords.list);
      // Nothing else can be read of it.
      this.throwIfAny();
    }
    return values;
  }

  /** The values of a filter: few, and of a closed set where there is one; throws where they are no list. */
  filter<Value>(pointer: string, given?: readonly Value[], known?: readonly unknown[]): readonly Value[] {
    const values = this.list(pointer, given);
    if (values.length > limits.queryValues) {
      this.add(pointer, 'too_many', faultWords.tooManyValues(limits.queryValues));
    } else if (known !== undefined && !values.every((value) => known.includes(value))) {
      this.add(pointer, 'invalid_value', faultWords.oneOf(known));
    }
    return values;
  }

  /** A whole number from 1 on. */
  count(pointer: string, value: number, max: number): void {
    if (Number.isInteger(value) && value >= 1 && value <= max) return;
    this.add(pointer, 'out_of_range', faultWords.between(1, max));
  }

  /** A text of limited length; absent, `null` and unusable ones read as `undefined`. */
  text(pointer: string, value: unknown, max: number): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') {
      this.add(pointer, 'invalid_type', faultWords.string);
    } else if (value.length > max) {
      this.add(pointer, 'too_long', faultWords.tooLong(max));
    } else if (!isSafeText(value)) {
      this.add(pointer, 'invalid_characters', faultWords.unsafe);
    } else {
      return value;
    }
    return undefined;
  }

  /** A text that must be there and not be empty. */
  requiredText(pointer: string, value: unknown, max: number): string {
    if (value === undefined || value === null || value === '') {
      this.add(pointer, 'required', faultWords.required);
      return '';
    }
    return this.text(pointer, value, max) ?? '';
  }

  /** A flat map of strings; `max` limits its bytes as JSON text. */
  textMap(pointer: string, value: unknown, max = Infinity): Readonly<Record<string, string>> {
    const map: Record<string, string> = {};
    for (const [key, text] of this.#entries(pointer, value)) {
      const read = this.text(pointer, text, limits.mapValue);
      if (text === null || text === undefined) {
        this.add(pointer, 'invalid_type', faultWords.strings);
      } else if (read !== undefined) {
        map[key] = read;
      }
    }
    if (Buffer.byteLength(JSON.stringify(map)) > max) this.add(pointer, 'too_large', jsonRules.too_large);
    return map;
  }

  /** A free-form JSON object of limited size and depth (D8). */
  jsonObject(pointer: string, value: unknown): Readonly<Record<string, unknown>> {
    const entries = this.#entries(pointer, value);
    if (entries.length === 0) return {};
    const fault = jsonFault(value);
    if (fault === undefined) return Object.fromEntries(entries);
    this.add(pointer, fault, jsonRules[fault]);
    return {};
  }

  /** Tells whether a value is an object; what is not gets an issue, and a promise: an `await` is missing before it. */
  isObject(pointer: string, value: unknown): value is object {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isPromise(value)) return true;
    this.add(pointer, 'invalid_type', faultWords.object);
    return false;
  }

  /** Tells whether a value is an object that says all by its members: a `Map` or a class with getters alone would say nothing. */
  hasMembers(pointer: string, value: unknown): value is object {
    if (!this.isObject(pointer, value)) return false;
    if (!isEmptyInstance(value)) return true;
    this.add(pointer, 'invalid_type', faultWords.object);
    return false;
  }

  #entries(pointer: string, value: unknown): [string, unknown][] {
    if (value === undefined || value === null || !this.hasMembers(pointer, value)) return [];
    const entries = Object.entries(value);
    if (entries.length > limits.mapEntries) {
      this.add(pointer, 'too_many', faultWords.tooMany(limits.mapEntries));
      return [];
    }
    if (entries.some(([key]) => !isSafeKey(key) || key.length > limits.mapKey)) {
      this.add(
        pointer,
        'invalid_key',
        `Keys must have at most ${String(limits.mapKey)} characters, none of them control characters, and no reserved names.`,
      );
      return [];
    }
    return entries;
  }
}

function isSafeKey(key: string): boolean {
  return !isReservedName(key) && isSafeText(key);
}

const jsonRules = {
  invalid_value: `Must be plain JSON, nested at most ${String(limits.metadataDepth)} deep, without reserved keys or control characters.`,
  too_large: faultWords.tooLarge(limits.metadataBytes),
} as const;

/** Walks without recursion: deep nesting overflows the stack of everything that recurses. */
function jsonFault(value: unknown): keyof typeof jsonRules | undefined {
  const pending: { readonly node: unknown; readonly depth: number }[] = [{ node: value, depth: 1 }];
  let atLeast = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    // Every value takes a byte at least: what cannot fit any more is not walked to its end.
    atLeast += typeof node === 'string' || Array.isArray(node) ? node.length : 1;
    if (atLeast > limits.metadataBytes) return 'too_large';
    if (typeof node === 'string') {
      if (!isSafeText(node)) return 'invalid_value';
    } else if (typeof node === 'number') {
      if (!Number.isFinite(node)) return 'invalid_value';
    } else if (typeof node === 'object' && node !== null) {
      // What a class makes, a store would write as something else.
      if (depth > limits.metadataDepth || !isPlain(node)) return 'invalid_value';
      for (const [key, child] of Object.entries(node)) {
        if (!isSafeKey(key)) return 'invalid_value';
        pending.push({ node: child, depth: depth + 1 });
      }
    } else if (node !== null && typeof node !== 'boolean') {
      return 'invalid_value';
    }
  }
  return Buffer.byteLength(JSON.stringify(value)) > limits.metadataBytes ? 'too_large' : undefined;
}

/** A value as a string to be parsed; what is no string parses as nothing. */
export const parsedText = (value: unknown): string => (typeof value === 'string' ? value : '');
