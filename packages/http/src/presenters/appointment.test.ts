import type { Appointment } from '@calends/core';
import type { ActivatedAppointment, CancelledAppointment } from '@calends/core/store';
import { appointmentResponseSchema, appointmentResponseV1Schema } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { presentAppointment, presentAppointmentV1 } from './appointment.js';

const at = Date.UTC(2030, 0, 2, 9);
const activated: ActivatedAppointment = {
  id: 'id-1',
  organizationId: 'org-1',
  applicationId: 'app-1',
  version: 3,
  scheduleVersion: 1,
  title: 'Advice',
  notes: '',
  metadata: { nested: { deep: [1, null] } },
  locale: 'zh-Hant-TW',
  schedule: { start: at + 1, end: at + 5_400_001, timezone: 'Europe/Kyiv' },
  notificationHeaders: { 'X-One': '1' },
  notificationsActive: true,
  organizer: { id: 'agent-1', type: 'AGENT' },
  participants: [
    { id: 'agent-1', type: 'AGENT' },
    { id: 'customer-1', type: 'CUSTOMER', identity: 'keyed-hash' },
  ],
  interaction: {
    state: 'FAILED',
    acceptedBy: [{ id: 'agent-1', type: 'AGENT', timestamp: at }],
    initiatedBy: { id: 'customer-1', type: 'CUSTOMER', timestamp: at },
    customFields: { queue: 'vip' },
    properties: { conversation: 'c-1' },
    errorData: { systemMessage: 'E1', userMessage: 'Sorry' },
    routing: { type: 'PROVIDERA_CLOUD_FLOW', properties: { deploymentId: 'd', chatMode: 'providerA-cloud' } },
  },
  customerReschedules: 2,
  createdAt: at,
  updatedAt: at,
  state: 'ACTIVATED',
  activatedAt: at,
  access: { conferenceId: 'id-1', roomUrl: 'https://rooms.example/1' },
};
const access = { secureToken: 'a.b.c', roomUrl: 'https://rooms.example/1', expires: at };
const { access: grant, activatedAt: _activatedAt, state: _state, ...fields } = activated;
const cancelled: CancelledAppointment = {
  ...fields,
  state: 'CANCELLED',
  cancellation: { at, by: 'supervisor-1', reason: 'ill' },
  access: grant,
};

describe('an appointment in answers', () => {
  it('an appointment in answers has exactly the fields of the document, in both families', () => {
    for (const appointment of [activated, cancelled] satisfies Appointment[]) {
      const v2 = presentAppointment(appointment, access);
      expect(appointmentResponseSchema.parse(v2)).toEqual(v2);
      const v1 = presentAppointmentV1(appointment, access);
      expect(appointmentResponseV1Schema.parse(v1)).toEqual(v1);
    }
  });

  it('v2 answers interaction with actors and error, cancellation filled when cancelled', () => {
    expect(presentAppointment(activated).interaction).toEqual({
      acceptedBy: [{ id: 'agent-1', type: 'AGENT', timestamp: '2030-01-02T09:00:00Z' }],
      initiatedBy: { id: 'customer-1', type: 'CUSTOMER', timestamp: '2030-01-02T09:00:00Z' },
      customFields: { queue: 'vip' },
      properties: { conversation: 'c-1' },
      routing: { type: 'PROVIDERA_CLOUD_FLOW', properties: { deploymentId: 'd', chatMode: 'providerA-cloud' } },
      state: 'FAILED',
      errorData: { systemMessage: 'E1', userMessage: 'Sorry' },
    });
    expect(presentAppointment(cancelled)).toMatchObject({
      cancellationReason: 'ill',
      cancelledAt: '2030-01-02T09:00:00Z',
      cancelledBy: 'supervisor-1',
    });
  });

  it('v1 answers omit acceptedBy, initiatedBy and errorData of the interaction; there are no cancellation fields', () => {
    const shown = presentAppointmentV1(cancelled);
    expect(Object.keys(shown.interaction).sort()).toEqual(['customFields', 'properties', 'routing', 'state']);
    expect(Object.keys(shown).filter((key) => /cancel|target|secure|participants$/.test(key))).toEqual([]);
  });

  it('access details are there only when they are given: secureToken in v2, roomAccess in v1', () => {
    expect(presentAppointment(activated, access).secureToken).toBe('a.b.c');
    expect(presentAppointment(activated)).not.toHaveProperty('secureToken');
    expect(presentAppointmentV1(activated, access).roomAccess).toEqual({
      expires: '2030-01-02T09:00:00Z',
      url: 'https://rooms.example/1',
    });
    expect(presentAppointmentV1(activated)).not.toHaveProperty('roomAccess');
  });

  it('answers have milliseconds only when they are not zero, zone as given, locale with underscores (D3, D5, D6)', () => {
    expect(presentAppointment(activated)).toMatchObject({
      start: '2030-01-02T09:00:00.001Z',
      end: '2030-01-02T10:30:00.001Z',
      duration: 'PT1H30M (1 hour 30 minutes)',
      timezone: 'Europe/Kyiv',
      locale: 'zh_Hant_TW',
      notificationHeaders: '{"X-One":"1"}',
    });
  });

  it('an appointment in answers never shows who a customer is across appointments, nor versions and times of the record', () => {
    for (const shown of [presentAppointment(activated, access), presentAppointmentV1(activated, access)]) {
      expect(JSON.stringify(shown)).not.toMatch(/keyed-hash|identity|version|organizationId|createdAt|conferenceId/i);
      expect(shown).not.toHaveProperty('state');
    }
  });
});
