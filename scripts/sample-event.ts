import type { DomainEvent } from '@calends/core';

/** An event for tests of publishers. */
export function sampleEvent(version = 1): DomainEvent {
  return {
    id: `019a3f5c-0000-7000-8000-00000000000${String(version)}`,
    type: version === 1 ? 'APCreatedEvent' : 'APUpdatedEvent',
    occurredAt: Date.parse('2030-05-06T07:00:00Z'),
    organizationId: 'org-1',
    applicationId: 'app-1',
    appointmentId: 'appointment-1',
    version,
    actor: { id: 'agent-1', type: 'AGENT', role: 'ROLE_AGENT' },
    correlationId: 'request-1',
    data: {
      state: 'SCHEDULED',
      interactionState: 'PENDING',
      schedule: { start: '2030-05-06T09:00:00Z', end: '2030-05-06T09:30:00Z', timezone: 'UTC' },
      organizerId: 'agent-1',
      agentIds: ['agent-1'],
    },
  };
}
