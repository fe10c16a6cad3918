import { performance } from 'node:perf_hooks';

/** Milliseconds since some moment, which never go back. */
export function monotonicTime(): number {
  return performance.now();
}
