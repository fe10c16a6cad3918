/**
 * Makes a function that remembers what it has answered for so many keys, and then begins again: keys come from requests.
 * `undefined` is not remembered.
 */
export function remembered<Value, Key = string>(max: number, make: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (values.size >= max) values.clear();
    if (value !== undefined) values.set(key, value);
    return value;
  };
}
