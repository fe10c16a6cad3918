import type { CustomerProfile, CustomerSearch } from '@calends/core';
import { compareText } from './code-point-order.js';
import { compositeKey } from './composite-key.js';

/** Customer profiles, by organization and appointment, then by participant. */
export class Customers {
  readonly #byAppointment = new Map<string, Map<string, CustomerProfile>>();

  find(organizationId: string, appointmentId: string, participantId: string): CustomerProfile | undefined {
    return this.#byAppointment.get(compositeKey(organizationId, appointmentId))?.get(participantId);
  }

  ofAppointment(organizationId: string, appointmentId: string): readonly CustomerProfile[] {
    return [...(this.#byAppointment.get(compositeKey(organizationId, appointmentId))?.values() ?? [])];
  }

  /** Profiles that carry one of the addresses. */
  byContact({
    organizationId,
    username,
    primaryEmail,
    primaryPhone,
    limit,
  }: CustomerSearch): readonly CustomerProfile[] {
    const isOne = (profile: CustomerProfile): boolean =>
      (username !== undefined && profile.username === username) ||
      (primaryPhone !== undefined && profile.primaryPhone === primaryPhone) ||
      (primaryEmail !== undefined &&
        profile.primaryEmail !== undefined &&
        inSmallLetters(profile.primaryEmail) === inSmallLetters(primaryEmail));
    return [...this.#byAppointment.values()]
      .flatMap((profiles) => [...profiles.values()])
      .filter((profile) => profile.organizationId === organizationId && profile.removal === undefined && isOne(profile))
      .sort(
        (one, other) =>
          compareText(one.appointmentId, other.appointmentId) || compareText(one.participantId, other.participantId),
      )
      .slice(0, limit);
  }

  put(organizationId: string, profile: CustomerProfile): void {
    const key = compositeKey(organizationId, profile.appointmentId);
    const profiles = this.#byAppointment.get(key) ?? new Map<string, CustomerProfile>();
    this.#byAppointment.set(key, profiles.set(profile.participantId, profile));
  }

  remove(organizationId: string, appointmentId: string, participantId: string): void {
    const key = compositeKey(organizationId, appointmentId);
    const profiles = this.#byAppointment.get(key);
    profiles?.delete(participantId);
    if (profiles?.size === 0) this.#byAppointment.delete(key);
  }

  removeAll(organizationId: string, appointmentId: string): void {
    this.#byAppointment.delete(compositeKey(organizationId, appointmentId));
  }
}

/** ASCII letters alone, as databases do it. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
