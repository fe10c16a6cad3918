import type { AvailabilityRecord } from '../../ports/store/availability.js';
import type { UseCaseContext } from '../context.js';

/**
 * What `check()` says where an application has services and no guard against overlaps: what is booked without a service neither
 * sees holds and bookings nor is kept off them. Of services in tables it knows those of
 * organizations that configured applications name, and of `default`.
 */
export async function serviceAdvice({ availability, applications }: UseCaseContext): Promise<readonly string[]> {
  if (availability === undefined) return [];
  const { options, tables } = availability;
  const stored: AvailabilityRecord[] = [];
  for (const organizationId of await applications.organizationIds()) {
    stored.push(...((await tables?.listRecords({ organizationId, kinds: ['service'] })) ?? []));
  }
  const ids = new Set([...Object.keys(options.services ?? {}), ...stored.map(({ scopeId }) => scopeId)]);
  const advice: string[] = [];
  for (const id of ids) {
    const { overlap } = await applications.settingsOf(id);
    if (overlap.mode !== 'off') continue;
    advice.push(
      `applications.${id}.overlap: the mode is off and the application has services; what is booked without one may lie over holds and bookings with one.`,
    );
  }
  return advice;
}
