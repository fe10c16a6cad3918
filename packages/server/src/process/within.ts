import { setTimeout } from 'node:timers/promises';

/** What a promise gives within a time, in milliseconds; `otherwise` when it takes longer. A rejection is passed on. */
export async function within<Value, Otherwise>(
  promise: Promise<Value>,
  milliseconds: number,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  const waiting = new AbortController();
  try {
    return await Promise.race([promise, setTimeout(milliseconds, otherwise, { signal: waiting.signal })]);
  } finally {
    waiting.abort();
  }
}
