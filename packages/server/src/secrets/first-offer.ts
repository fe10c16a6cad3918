import type { AvailabilityOptions, Scheduling } from '@calends/core';
import { formatDuration, formatInstant } from '@calends/core/operations';
import { defaultOrganization } from '@calends/model';
import { exampleAvailability, exampleService } from '../configuration/example-availability.js';
import type { FirstOffer } from './first-steps.js';

const week = 7 * 24 * 60 * 60_000;

/** The first free time of the example service, where there is one. */
export async function firstOffer(
  scheduling: Pick<Scheduling, 'availability'>,
  availability: AvailabilityOptions | undefined,
): Promise<FirstOffer | undefined> {
  if (availability !== exampleAvailability) return undefined;
  const caller = { id: 'calends-server', organizationId: defaultOrganization, roles: ['ROLE_SUPERVISOR'] } as const;
  const now = Date.now();
  const window = { from: formatInstant(now), to: formatInstant(now + week) };
  try {
    const { durations } = await scheduling.availability.find(caller, { ...exampleService, ...window });
    const [offers] = durations;
    const [first] = offers?.offers ?? [];
    if (offers === undefined || first === undefined) return undefined;
    return { ...exampleService, start: formatInstant(first.start), duration: formatDuration(offers.duration) };
  } catch {
    // Steps for a newcomer are no reason not to serve.
    return undefined;
  }
}
