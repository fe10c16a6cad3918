import { createHmac } from 'node:crypto';
import type { KeyRing } from '../../keys/key-ring.js';
import type { CustomerDetails } from '../../domain/customers/profile.js';
import { mailboxKey } from './mailbox.js';

/** What recognises a customer, or a part of it. */
type NamedBy = Pick<CustomerDetails, 'username' | 'primaryEmail' | 'primaryPhone'>;

/** Makes the keyed hash under which a customer is recognised across appointments (D26); under the first key (D67). */
export type CustomerIdentity = (organizationId: string, customer: NamedBy) => string;

/**
 * Recognises customers by username, else e-mail, however it is written ({@link mailboxKey}), else phone.
 *
 * The hash is keyed, so that the store's actor index cannot be searched for a known address without the key.
 */
export function customerIdentity(keys: Pick<KeyRing, 'current'>): CustomerIdentity {
  const key = keys.current.derive('customer-identity');
  return (organizationId, customer) => {
    const [first = ['p', ''] as const] = namesOf(customer);
    return identityUnder(key, organizationId, first);
  };
}

/** All identities of one customer: of the same name as a known one, under every key of the process (D67). */
export type IdentityVariants = (organizationId: string, known: string, customer: NamedBy) => readonly string[];

/**
 * Finds by which of their names a customer was recognised, and gives that one's identity under every key; `[]` where none
 * of the names and keys makes it.
 */
export function identityVariants(keys: Pick<KeyRing, 'all'>): IdentityVariants {
  const derived = keys.all.map((key) => key.derive('customer-identity'));
  return (organizationId, known, customer) => {
    for (const name of namesOf(customer)) {
      const identities = derived.map((key) => identityUnder(key, organizationId, name));
      if (identities.includes(known)) return identities;
    }
    return [];
  };
}

type Name = readonly [kind: 'u' | 'e' | 'p', name: string];

/** By which name first. */
function namesOf({ username, primaryEmail, primaryPhone }: NamedBy): readonly Name[] {
  return [
    ...(username ? [['u', username] as const] : []),
    ...(primaryEmail ? [['e', mailboxKey(primaryEmail)] as const] : []),
    ...(primaryPhone ? [['p', primaryPhone] as const] : []),
  ];
}

function identityUnder(key: Uint8Array, organizationId: string, [kind, name]: Name): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([organizationId, kind, name]))
    .digest('base64url');
}
