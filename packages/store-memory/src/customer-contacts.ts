import type { CustomerProfile, CustomerSearch } from '@calends/core/store';
import { compositeKey } from './composite-key.js';

type Addresses = Pick<CustomerSearch, 'username' | 'primaryEmail' | 'primaryPhone'>;

/** ASCII letters only, as databases do it. */
const inSmallLetters = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function keysOf(organizationId: string, { username, primaryEmail, primaryPhone }: Addresses): readonly string[] {
  return [
    ...(username === undefined ? [] : [compositeKey(organizationId, 'username', username)]),
    ...(primaryEmail === undefined ? [] : [compositeKey(organizationId, 'email', inSmallLetters(primaryEmail))]),
    ...(primaryPhone === undefined ? [] : [compositeKey(organizationId, 'phone', primaryPhone)]),
  ];
}

/** Profiles by each of their addresses; those without one are in no list. */
export class CustomerContacts {
  readonly #byAddress = new Map<string, Set<CustomerProfile>>();

  add(organizationId: string, profile: CustomerProfile): void {
    for (const key of keysOf(organizationId, profile)) {
      const profiles = this.#byAddress.get(key);
      if (profiles === undefined) this.#byAddress.set(key, new Set([profile]));
      else profiles.add(profile);
    }
  }

  remove(organizationId: string, profile: CustomerProfile): void {
    for (const key of keysOf(organizationId, profile)) {
      const profiles = this.#byAddress.get(key);
      profiles?.delete(profile);
      if (profiles?.size === 0) this.#byAddress.delete(key);
    }
  }

  /** Profiles that have one of the addresses, each once, in no order. */
  withOneOf(organizationId: string, addresses: Addresses): readonly CustomerProfile[] {
    return [...new Set(keysOf(organizationId, addresses).flatMap((key) => [...(this.#byAddress.get(key) ?? [])]))];
  }
}
