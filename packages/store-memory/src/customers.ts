import { compareText, type CustomerProfile, type CustomerSearch } from '@calends/core/store';
import { compositeKey, entry } from './maps.js';

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
class CustomerContacts {
  readonly #byAddress = new Map<string, Set<CustomerProfile>>();

  add(organizationId: string, profile: CustomerProfile): void {
    for (const key of keysOf(organizationId, profile)) {
      entry(this.#byAddress, key, () => new Set()).add(profile);
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

type Place = Pick<CustomerProfile, 'appointmentId' | 'participantId'>;

/** By appointment, then participant; tells the profiles of one organization apart. */
const byPlace = (a: Place, b: Place): number =>
  compareText(a.appointmentId, b.appointmentId) || compareText(a.participantId, b.participantId);

/** Customer profiles, by organization and appointment, then by participant; and by their addresses. */
export class Customers {
  readonly #byAppointment = new Map<string, Map<string, CustomerProfile>>();
  readonly #contacts = new CustomerContacts();

  find(organizationId: string, appointmentId: string, participantId: string): CustomerProfile | undefined {
    return this.#byAppointment.get(compositeKey(organizationId, appointmentId))?.get(participantId);
  }

  ofAppointment(organizationId: string, appointmentId: string): readonly CustomerProfile[] {
    return [...(this.#byAppointment.get(compositeKey(organizationId, appointmentId))?.values() ?? [])];
  }

  /** Profiles that carry one of the addresses and whose data is there. */
  byContact({ organizationId, after, limit, ...addresses }: CustomerSearch): readonly CustomerProfile[] {
    return this.#contacts
      .withOneOf(organizationId, addresses)
      .filter((profile) => profile.removal === undefined && (after === undefined || byPlace(profile, after) > 0))
      .toSorted(byPlace)
      .slice(0, limit);
  }

  put(organizationId: string, profile: CustomerProfile): void {
    const key = compositeKey(organizationId, profile.appointmentId);
    const profiles = entry(this.#byAppointment, key, () => new Map<string, CustomerProfile>());
    const former = profiles.get(profile.participantId);
    if (former !== undefined) this.#contacts.remove(organizationId, former);
    this.#contacts.add(organizationId, profile);
    profiles.set(profile.participantId, profile);
  }

  remove(organizationId: string, appointmentId: string, participantId: string): void {
    const key = compositeKey(organizationId, appointmentId);
    const profiles = this.#byAppointment.get(key);
    const former = profiles?.get(participantId);
    if (former !== undefined) this.#contacts.remove(organizationId, former);
    profiles?.delete(participantId);
    if (profiles?.size === 0) this.#byAppointment.delete(key);
  }

  removeAll(organizationId: string, appointmentId: string): void {
    for (const profile of this.ofAppointment(organizationId, appointmentId)) {
      this.#contacts.remove(organizationId, profile);
    }
    this.#byAppointment.delete(compositeKey(organizationId, appointmentId));
  }
}
