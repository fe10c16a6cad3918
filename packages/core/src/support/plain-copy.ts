/** An object or an array as JSON makes it: what a class makes is none. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * A copy of plain data, however deep it is, and also where it holds itself. What is no plain object and no list is handed on as it is.
 *
 * Of this realm, unlike what `structuredClone` makes where a test runner has another one.
 */
export function plainCopy<Value>(value: Value): Value {
  const copies = new Map<object, object>();
  const open: (readonly [given: object, copy: object])[] = [];
  const copyOf = (given: unknown): unknown => {
    // JSON, in which stores keep it, knows one zero: an answer must not have another than what is read back.
    if (given === 0) return 0;
    if (typeof given !== 'object' || given === null) return given;
    const known = copies.get(given);
    if (known !== undefined) return known;
    if (!isPlain(given)) return given;
    const copy: object = Array.isArray(given) ? [] : {};
    copies.set(given, copy);
    open.push([given, copy]);
    return copy;
  };
  const whole = copyOf(value);
  // Without recursion: what a client sent may be deeper than the stack.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [given, copy] = next;
    for (const [name, member] of Object.entries(withoutHoles(given))) put(copy, name, copyOf(member));
    if (Array.isArray(given)) (copy as unknown[]).length = given.length;
  }
  return whole as Value;
}

/** Longer lists are of no input; they are not filled up. */
const maxFilled = 10_000;

/** Holes of a list as `undefined`: whoever walks through it would pass over them. */
const withoutHoles = (given: object): object =>
  Array.isArray(given) && given.length <= maxFilled ? Array.from<unknown>(given) : given;

function put(holder: object, name: string, value: unknown): void {
  // Assigned, this one would become the prototype.
  if (name === '__proto__') Object.defineProperty(holder, name, { value, enumerable: true });
  else (holder as Record<string, unknown>)[name] = value;
}
