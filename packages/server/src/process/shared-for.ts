/**
 * Makes a function that does its work once for all who ask while it is under way, and for those who ask within a time of its
 * beginning, in milliseconds.
 *
 * @param work must not reject
 * @param now milliseconds that never go back
 */
export function sharedFor<Value>(
  milliseconds: number,
  now: () => number,
  work: () => Promise<Value>,
): () => Promise<Value> {
  let latest: { readonly begun: number; readonly value: Promise<Value>; isOver: boolean } | undefined;
  return () => {
    if (latest !== undefined && (!latest.isOver || now() - latest.begun < milliseconds)) return latest.value;
    const begun = { begun: now(), value: work(), isOver: false };
    void begun.value.then(() => (begun.isOver = true));
    latest = begun;
    return begun.value;
  };
}
