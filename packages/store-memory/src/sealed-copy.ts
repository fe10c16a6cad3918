/** Adds a property even where its name is `__proto__`, which an assignment would take for the prototype. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: false, writable: false });
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(copyOf));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (key === '__proto__') define(copy, key, copyOf(member));
    else copy[key] = copyOf(member);
  }
  return Object.freeze(copy);
}

/**
 * A frozen copy of plain data, without the properties that are undefined, as a database would give it back.
 *
 * It is made once, when something is written. Being frozen all through, it may be handed out again and again:
 * no caller can change what is stored.
 */
export function sealedCopy<Value extends object>(value: Value): Value {
  return copyOf(value) as Value;
}
