import { cpuTime } from './cpu-time.js';

/** Milliseconds of computing that a task takes at its quickest: what else the machine does must not decide a test. */
export function quickest(task: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const began = cpuTime();
    task();
    return cpuTime() - began;
  });
  return Math.min(...times);
}
