/** One text for several, in which their borders show: no two lists give the same one. */
export function compositeKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** The value of a key, made when it is missing. */
export function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
