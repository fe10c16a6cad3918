import { createHmac } from 'node:crypto';
import type { CustomerDetails } from './customer-input.js';

/** Makes the keyed hash under which a customer is recognised across appointments (D26). */
export type CustomerIdentity = (organizationId: string, customer: CustomerDetails) => string;

/**
 * Recognises customers by username, else e-mail, else phone.
 *
 * The hash is keyed, so that the store's actor index cannot be searched for a known address without the key.
 */
export function customerIdentity(key: Uint8Array): CustomerIdentity {
  return (organizationId, customer) => {
    const known = customer.username ?? customer.primaryEmail?.toLowerCase() ?? customer.primaryPhone ?? '';
    const kind = customer.username ? 'u' : customer.primaryEmail ? 'e' : 'p';
    return createHmac('sha256', key)
      .update(JSON.stringify([organizationId, kind, known]))
      .digest('base64url');
  };
}
