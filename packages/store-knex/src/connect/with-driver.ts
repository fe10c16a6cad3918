import type { Knex } from 'knex';
import { knownFault } from '../faults/store-fault.js';

/**
 * Makes a Knex instance, which loads its driver.
 *
 * @throws StoreError `unavailable` with the reason `driverUnusable` when that cannot be loaded; the cause says why
 */
export function withDriver(make: () => Knex): Knex {
  try {
    return make();
  } catch (cause) {
    throw knownFault('driverUnusable', 'none', { cause });
  }
}
