import type { CustomerDetails } from './customer-input.js';

/** Tells whether a customer is reached another way: whoever had the old address must not keep the link (D42). */
export function isReachedElsewhere(before: CustomerDetails | undefined, after: CustomerDetails): boolean {
  return before?.primaryEmail !== after.primaryEmail || before?.primaryPhone !== after.primaryPhone;
}
