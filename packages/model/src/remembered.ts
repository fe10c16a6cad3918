/**
 * Makes a function that remembers what it has answered for so many keys, and then begins again: keys come from requests.
 * `undefined` is not remembered.
 */
export function remembered<Value>(max: number, make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (values.size >= max) values.clear();
    if (value !== undefined) values.set(key, value);
    return value;
  };
}
