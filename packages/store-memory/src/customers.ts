import type { CustomerProfile } from '@calends/core';
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
