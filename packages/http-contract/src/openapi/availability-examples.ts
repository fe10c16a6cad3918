import type { ServiceRules } from '@calends/model';
import type { HoldRequest } from '../schemas/availability-requests.js';
import type {
  Explanation,
  HeldTime,
  HoursException,
  HoursOfActor,
  Offers,
  Service,
} from '../schemas/availability-responses.js';

const serviceRules: ServiceRules = {
  title: 'First consultation',
  timezone: 'Europe/Vienna',
  durations: ['PT30M'],
  grid: { step: 'PT15M' },
  bufferAfter: 'PT10M',
  leadTime: { days: 1 },
  horizon: { days: 60 },
  limits: [{ per: 'agent', window: 'day', max: 8 }],
  requirements: [
    { kind: 'agent', anyOf: ['agent-1', 'agent-2'] },
    { kind: 'resource', anyOf: ['room-1'] },
  ],
  assignment: { strategy: 'balanced' },
};
const service: Service = {
  applicationId: 'app-1',
  id: 'consultation',
  archived: false,
  rules: serviceRules,
  version: 3,
};

const hours: HoursOfActor = {
  actorId: 'agent-1',
  rules: {
    timezone: 'Europe/Vienna',
    weekly: [
      { days: ['MO', 'TU', 'WE', 'TH'], from: '09:00', until: '17:00' },
      { days: ['FR'], from: '09:00', until: '12:00', everyWeeks: 2, validFrom: '2035-01-05' },
    ],
  },
  version: 1,
};
const exception: HoursException = {
  actorId: 'agent-1',
  date: '2035-03-05',
  rules: { open: [{ from: '13:00', until: '17:00' }] },
  version: 1,
};

const hold: HoldRequest = {
  applicationId: 'app-1',
  serviceId: 'consultation',
  start: '2035-03-02T10:00:00+01:00',
  duration: 'PT30M',
};
const held: HeldTime = {
  id: '01890a5d-b0a4-7d40-b7a7-5b1f2b6a3c4d',
  token: '01890a5d-b0a4-7d40-b7a7-5b1f2b6a3c4d.pS3mXq0Y',
  serviceId: 'consultation',
  start: '2035-03-02T09:00:00Z',
  end: '2035-03-02T09:30:00Z',
  until: '2035-03-01T12:05:00Z',
  agentIds: ['agent-1'],
};

const offers: Offers = {
  durations: [
    {
      duration: 'PT30M',
      offers: [
        {
          start: '2035-03-02T10:00:00+01:00',
          end: '2035-03-02T10:30:00+01:00',
          actorIds: ['agent-1', 'room-1'],
        },
      ],
    },
  ],
};
const explanation: Explanation = {
  free: false,
  reasons: [
    { code: 'OUTSIDE_HOURS', actorId: 'agent-2' },
    { code: 'BUSY', actorId: 'agent-1', appointmentId: '01890a5d-ac96-774b-bcce-b302099a8057' },
  ],
};

/** One realistic body for each operation about availability that takes one. */
export const availabilityRequests = {
  holdTime: hold,
  saveService: serviceRules,
  saveHours: hours.rules,
  saveException: exception.rules,
} as const;

/** One realistic answer for each operation about availability that has a body in its answer. */
export const availabilityAnswers = {
  findTimes: offers,
  explainTime: explanation,
  holdTime: held,
  listServices: { services: [service] },
  getService: service,
  saveService: service,
  listHours: { hours: [hours] },
  getHours: hours,
  saveHours: hours,
  listExceptions: { exceptions: [exception] },
  saveException: exception,
} as const;
