import type { ConnectionSource } from './connections.js';

type Times = WeakMap<object, number>;

/** Several stores may use one pool. */
const byPool = new WeakMap<object, Times>();

/**
 * When each connection of a pool was last heard of, by `performance.now()`: made, or used. One that is missing was there
 * before anybody listened.
 */
export function lastAnswers({ pool }: ConnectionSource): Times {
  const known = pool === undefined ? undefined : byPool.get(pool);
  if (known !== undefined) return known;
  const times: Times = new WeakMap();
  if (pool !== undefined) {
    byPool.set(pool, times);
    pool.on?.('createSuccess', (_event, connection) => times.set(connection, performance.now()));
  }
  return times;
}
