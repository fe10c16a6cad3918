import { hours, minutes } from '@calends/model';
import type { Question, QuestionParts } from '../../src/availability/question.js';
import { compileQuestion } from '../../src/availability/question.js';
import { serviceActorId } from '../../src/domain/appointments/participants.js';
import type { ActorHours, KnownService } from '../../src/ports/availability-source.js';
import type { BusyEntry } from '../../src/ports/store/availability.js';

export const everyDay = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** An instant, ISO 8601. */
export const at = (text: string): number => Date.parse(text);
export const iso = (instant: number): string => new Date(instant).toISOString();

/** Half an hour with Anna, every quarter of an hour, in UTC. */
export function service(more: Partial<KnownService> = {}): KnownService {
  return {
    id: 'consultation',
    title: 'Consultation',
    timezone: 'UTC',
    durations: ['PT30M'],
    grid: { step: 'PT15M' },
    requirements: [{ kind: 'agent', anyOf: ['anna'] }],
    ...more,
  };
}

/** Someone works from nine to five on every day. */
export function hoursOf(actorId: string, more: Partial<ActorHours> = {}): ActorHours {
  const weekly: ActorHours['weekly'] = [{ days: [...everyDay], from: '09:00', until: '17:00' }];
  return { actorId, timezone: 'UTC', weekly, exceptions: {}, ...more };
}

/** An appointment of half an hour with the sample service; without buffers. */
export function booked(actorId: string, start: string, more: Partial<BusyEntry> = {}): BusyEntry {
  const from = at(start);
  const span = { start: from, end: more.end ?? from + minutes(30) };
  return {
    actorId,
    ...span,
    busy: { from: span.start, to: span.end },
    blocks: true,
    appointmentId: `at ${start}`,
    serviceActorId: serviceActorId('app-1', 'consultation'),
    ...more,
  };
}

/** The sample service in the week from Monday, 4 May 2026, asked an hour before. */
export function ask(more: Partial<QuestionParts> = {}): Question {
  const from = at('2026-05-04T00:00:00Z');
  return compileQuestion({
    applicationId: 'app-1',
    service: service(),
    minBuffer: 0,
    now: from - hours(1),
    window: { from, to: from + hours(24 * 7) },
    hours: [hoursOf('anna')],
    busy: [],
    elsewhere: [],
    staleActorIds: new Set(),
    ...more,
  });
}
