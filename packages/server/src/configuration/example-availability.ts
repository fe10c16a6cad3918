import type { AvailabilityOptions } from '@calends/core';

/** What can be booked where nothing is configured. */
export const exampleService = { applicationId: 'app-1', serviceId: 'consultation' } as const;

/** A service with hours, for whoever tries the server without a configuration. */
export const exampleAvailability: AvailabilityOptions = {
  services: {
    [exampleService.applicationId]: {
      [exampleService.serviceId]: {
        title: 'Consultation',
        timezone: 'Europe/Vienna',
        durations: ['PT30M'],
        grid: { step: 'PT30M' },
        bufferAfter: 'PT10M',
        leadTime: { duration: 'PT1H' },
        requirements: [{ kind: 'agent', anyOf: ['agent-1', 'agent-2'] }],
      },
    },
  },
  hours: {
    'agent-1': {
      timezone: 'Europe/Vienna',
      weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '09:00', until: '17:00' }],
    },
    'agent-2': { timezone: 'Europe/Vienna', weekly: [{ days: ['MO', 'WE', 'SA'], from: '08:00', until: '12:00' }] },
  },
};
