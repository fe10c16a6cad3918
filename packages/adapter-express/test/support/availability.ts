import type { AvailabilityOptions } from '@calends/core';
import type { HoursRules, ServiceRules } from '@calends/core/operations';
import { type Host, type HostOptions, people, startHost } from './host.js';

/** A service of `app-1` that takes one of two agents, every half hour. */
export const consultation: ServiceRules = {
  title: 'Consultation',
  timezone: 'Europe/Vienna',
  durations: ['PT30M', 'PT1H'],
  grid: { step: 'PT30M' },
  requirements: [{ kind: 'agent', anyOf: ['agent-1', 'agent-2'] }],
};

/** From nine to twelve, on days of work. */
export const mornings: HoursRules = {
  timezone: 'Europe/Vienna',
  weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '09:00', until: '12:00' }],
};

export const availability = '/api/v2/availability';
export const holds = '/api/v2/holds';
export const services = '/api/v2/services';
export const hours = '/api/v2/hours';

/** Address of a service of `app-1`. */
export const service = (id: string, applicationId = 'app-1'): string =>
  `${services}/${id}?applicationId=${applicationId}`;

/** A host that offers times. */
export function startAvailableHost(options: HostOptions = {}, availability: AvailabilityOptions = {}): Promise<Host> {
  return startHost({
    ...options,
    http: { availability: true, ...options.http },
    scheduling: { availability, ...options.scheduling },
  });
}

/** Puts a service and the hours of its agents in, as a supervisor. */
export async function openService(
  host: Host,
  id: string,
  { applicationId, ...changes }: Partial<ServiceRules> & { readonly applicationId?: string } = {},
): Promise<void> {
  const as = people.supervisor;
  for (const actorId of ['agent-1', 'agent-2']) {
    const saved = await host.call('PUT', `${hours}/${actorId}`, { as, json: mornings });
    if (saved.status !== 200) throw new Error(saved.text);
  }
  const saved = await host.call('PUT', service(id, applicationId), { as, json: { ...consultation, ...changes } });
  if (saved.status !== 200) throw new Error(saved.text);
}
