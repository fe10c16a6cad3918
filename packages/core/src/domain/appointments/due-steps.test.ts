import { describe, expect, it } from 'vitest';
import { type AppointmentState, type InteractionState, minutes } from '@calends/model';
import { end, inState, interaction, start } from '../../../test/sample-appointments.js';
import { type ApplicationSettings, defaultApplicationSettings } from '../../settings/application-settings.js';
import { dueStep, nextWakeAt } from './due-steps.js';

const lead = start - minutes(30);
const grace = end + minutes(15);
const early = start - minutes(120);

interface Row {
  readonly state: AppointmentState;
  readonly interaction: InteractionState;
  readonly automatic?: boolean;
  /** When the worker looks at it, by the time of asking. */
  readonly wakes: number | null;
  /** What is due at `start − lead`, at `end`, and at `end + grace`. */
  readonly due: readonly [string, string, string];
}

const nothing = ['-', '-', '-'] as const;
const noShowLast = ['-', '-', 'markNoShow'] as const;
const activateFirst = ['activate', '-', 'markNoShow'] as const;

// By hand from D14 (no-show), D15 (abort of what stayed failed) and D18 (automatic activation).
const rows: readonly Row[] = [
  { state: 'SCHEDULED', interaction: 'PENDING', wakes: lead, due: activateFirst },
  { state: 'SCHEDULED', interaction: 'INITIATED', wakes: lead, due: activateFirst },
  { state: 'SCHEDULED', interaction: 'PENDING', automatic: false, wakes: grace, due: noShowLast },
  { state: 'SCHEDULED', interaction: 'FAILED', wakes: lead, due: ['activate', 'abortFailed', 'abortFailed'] },
  { state: 'SCHEDULED', interaction: 'FAILED', automatic: false, wakes: end, due: ['-', 'abortFailed', 'abortFailed'] },
  { state: 'ACTIVATED', interaction: 'PENDING', wakes: grace, due: noShowLast },
  { state: 'ACTIVATED', interaction: 'INITIATED', wakes: grace, due: noShowLast },
  { state: 'ACTIVATED', interaction: 'IN_PROGRESS', wakes: null, due: nothing },
  { state: 'ACTIVATED', interaction: 'COMPLETED', wakes: null, due: nothing },
  { state: 'ACTIVATED', interaction: 'NO_SHOW', wakes: null, due: nothing },
  { state: 'ACTIVATED', interaction: 'FAILED', wakes: end, due: ['-', 'abortFailed', 'abortFailed'] },
  { state: 'CANCELLED', interaction: 'CANCELLED', wakes: null, due: nothing },
  { state: 'CANCELLED', interaction: 'FAILED', wakes: null, due: nothing },
  { state: 'ABORTED', interaction: 'CANCELLED', wakes: null, due: nothing },
];

describe('The worker', () => {
  it.each(rows)('the worker looks at $state with $interaction (automatic: $automatic) when something is due', (row) => {
    const appointment = inState(row.state, { interaction: interaction(row.interaction) });
    const autoActivation = { enabled: row.automatic ?? true, leadTime: minutes(30) };
    const settings: ApplicationSettings = { ...defaultApplicationSettings, autoActivation };
    const at = (now: number): string => dueStep(appointment, settings, now) ?? '-';
    expect(nextWakeAt(appointment, settings, early)).toBe(row.wakes);
    expect([at(lead), at(end), at(grace)]).toEqual(row.due);
    expect(at(lead - 1)).toBe('-');
    expect([at(end - 1), at(grace - 1)]).toEqual([row.due[0], row.due[1]]);
  });

  it('the worker activates at start − leadTime, which an application may set (D18)', () => {
    const settings = { ...defaultApplicationSettings, autoActivation: { enabled: true, leadTime: minutes(5) } };
    expect(nextWakeAt(inState('SCHEDULED'), settings, early)).toBe(start - minutes(5));
  });

  it('the worker marks a no-show at end + grace, which an application may set (D14)', () => {
    const settings = { ...defaultApplicationSettings, noShowGrace: 0 };
    expect(nextWakeAt(inState('ACTIVATED'), settings, early)).toBe(end);
  });

  it('the worker opens no room for an appointment that is over already', () => {
    expect(nextWakeAt(inState('SCHEDULED'), defaultApplicationSettings, end)).toBe(grace);
  });
});
