import type { Instant } from '@calends/model';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import { type Appointment, isLive } from './appointment.js';
import { holdsPersonalData } from './participants.js';

/** What the worker does by itself when its time has come. */
export type DueStep = 'activate' | 'markNoShow' | 'abortFailed' | 'removePersonalData';

interface TimedStep {
  readonly step: DueStep;
  readonly at: Instant;
}

/** Everything that still lies ahead of an appointment by itself (D14, D15, D18; decisions, Across all). */
function stepsAhead(appointment: Appointment, settings: ApplicationSettings, now: Instant): readonly TimedStep[] {
  return [...lifecycleSteps(appointment, settings, now), ...retentionSteps(appointment, settings)].sort(
    (one, other) => one.at - other.at,
  );
}

/** The end of the time for which customers' personal data is kept, in every state. */
function retentionSteps(appointment: Appointment, { customerRetention }: ApplicationSettings): readonly TimedStep[] {
  return customerRetention === undefined || !holdsPersonalData(appointment)
    ? []
    : [{ step: 'removePersonalData', at: appointment.schedule.end + customerRetention }];
}

/** When an appointment is activated by itself (D18); `undefined` when it is already, never will be, or only by a call. */
export function activatesAt(
  { state, schedule }: Appointment,
  { autoActivation: { enabled, leadTime } }: ApplicationSettings,
): Instant | undefined {
  return state === 'SCHEDULED' && enabled ? schedule.start - leadTime : undefined;
}

function lifecycleSteps(appointment: Appointment, settings: ApplicationSettings, now: Instant): readonly TimedStep[] {
  if (!isLive(appointment)) return [];
  const { end } = appointment.schedule;
  const steps: TimedStep[] = [];
  const activation = activatesAt(appointment, settings);
  // A room for an appointment that is over helps nobody: after an outage it goes straight to its end.
  if (activation !== undefined && now < end) steps.push({ step: 'activate', at: activation });
  const { state } = appointment.interaction;
  if (state === 'PENDING' || state === 'INITIATED') {
    steps.push({ step: 'markNoShow', at: end + settings.noShowGrace });
  } else if (state === 'FAILED') {
    steps.push({ step: 'abortFailed', at: end });
  }
  return steps;
}

/** When the worker must look at an appointment next; null = never. */
export function nextWakeAt(appointment: Appointment, settings: ApplicationSettings, now: Instant): Instant | null {
  return stepsAhead(appointment, settings, now)[0]?.at ?? null;
}

/** Tells whether an appointment should have been activated by itself by now (D18). */
export function isActivationDue(appointment: Appointment, settings: ApplicationSettings, now: Instant): boolean {
  return dueStep(appointment, settings, now) === 'activate';
}

/** What is due now, if anything. */
export function dueStep(appointment: Appointment, settings: ApplicationSettings, now: Instant): DueStep | undefined {
  return stepsAhead(appointment, settings, now).find(({ at }) => at <= now)?.step;
}
