import type { Scheduling } from '../scheduling.js';
import { fieldsOf } from '../support/host-answers.js';

const parts: readonly (keyof Scheduling)[] = ['appointments', 'customers', 'notifications', 'access'];

/**
 * Refuses what is no library: hosts in plain JavaScript have no compiler that tells them, and the first request would miss it.
 *
 * @throws TypeError
 */
export function checkScheduling(given: Scheduling): void {
  const isOne = parts.every((name) => typeof fieldsOf(given)[name] === 'object');
  if (!isOne) throw new TypeError('scheduling: must be what createScheduling makes.');
}
