import { describe, expect, it } from 'vitest';
import { minutes } from '@calends/model';
import { agent, caller, customer, end, inState, interaction, now, start } from '../../../test/sample-appointments.js';
import { codeOrValue } from '../../../test/error-of.js';
import type { Caller } from '../calls/caller.js';
import { type ApplicationSettings, defaultApplicationSettings } from '../../settings/application-settings.js';
import { accessPolicy, authorize, denialOf, denialOfChange, type RecordOperation } from './access-policy.js';
import type { Appointment } from './appointment.js';

// The sample appointment is organized by agent-1 and assigned to agent-2.
const organizer = caller('ROLE_AGENT', { id: 'agent-1' });
const assigned = caller('ROLE_AGENT', { id: 'agent-2' });
const stranger = caller('ROLE_AGENT', { id: 'agent-3' });
const supervisor = caller('ROLE_SUPERVISOR', { id: 'supervisor-1' });
const clientService = caller('ROLE_CLIENT_SERVICE', { id: 'service-1' });
const client = caller('ROLE_CUSTOMER', { id: 'customer-1' });
const agentAndSupervisor = caller(['ROLE_AGENT', 'ROLE_SUPERVISOR'], { id: 'agent-3' });

type Settings = Partial<ApplicationSettings>;

function verdict(
  operation: RecordOperation,
  who: Caller,
  settings: Settings = {},
  appointment: Appointment = inState('ACTIVATED'),
  at = now,
): string {
  const question = { caller: who, appointment, settings: { ...defaultApplicationSettings, ...settings }, now: at };
  return (denialOf(operation, question) ?? denialOfChange(operation, question))?.code ?? 'allowed';
}

const operations = Object.keys(accessPolicy) as RecordOperation[];
const onRecords = operations.filter((operation) => operation !== 'reassign');

describe('"Agents see only their own appointments" (D23)', () => {
  it('"Agents see only their own appointments" is asked on get, update, activate, reassign, reschedule, delete and cancel', () => {
    const named = ['get', 'update', 'activate', 'reassign', 'reschedule', 'delete', 'cancel'];
    expect(operations).toEqual(expect.arrayContaining(named));
  });

  const rows: readonly [string, Caller, string, string][] = [
    ['the organizer', organizer, 'allowed', 'allowed'],
    ['the assigned agent', assigned, 'allowed', 'allowed'],
    ['an agent who is neither', stranger, 'not_assigned', 'allowed'],
    ['a supervisor', supervisor, 'allowed', 'allowed'],
    ['a client service', clientService, 'allowed', 'allowed'],
    ['an agent who is a supervisor too', agentAndSupervisor, 'allowed', 'allowed'],
  ];
  const cells = onRecords.flatMap((operation) => rows.map(([who, by, on, off]) => ({ operation, who, by, on, off })));

  it.each(cells)('$operation by $who: on $on, off $off', ({ operation, by, on, off }) => {
    expect(verdict(operation, by)).toBe(on);
    expect(verdict(operation, by, { agentsSeeOnlyOwnAppointments: false })).toBe(off);
  });
});

describe('Reassigning is for supervisors, and for agents when the application lets them (spec: Authentication)', () => {
  const off = { agentsSeeOnlyOwnAppointments: false };
  const enabled = { agentReassignmentEnabled: true };

  it.each<[string, Caller, Settings, string]>([
    ['a supervisor', supervisor, {}, 'allowed'],
    ['an agent', organizer, {}, 'forbidden'],
    ['an agent', organizer, enabled, 'allowed'],
    ['an agent who is neither organizer nor assigned', stranger, enabled, 'not_assigned'],
    ['an agent who is neither organizer nor assigned', stranger, { ...enabled, ...off }, 'allowed'],
    ['a client service', clientService, enabled, 'forbidden'],
    ['a customer', client, enabled, 'forbidden'],
    ['an agent who is a supervisor too', agentAndSupervisor, {}, 'allowed'],
  ])(
    'reassigning is for supervisors, and for agents when the application lets them: %s',
    (_who, by, settings, expected) => {
      expect(verdict('reassign', by, settings)).toBe(expected);
    },
  );
});

describe('After IN_PROGRESS an agent must be in acceptedBy or be the assigned one (D23)', () => {
  const accepted = { id: 'agent-3', type: 'AGENT', timestamp: now } as const;
  const running = (state: 'IN_PROGRESS' | 'COMPLETED', more = {}): Appointment =>
    inState('ACTIVATED', { interaction: interaction(state, { acceptedBy: [accepted] }), ...more });
  const off = { agentsSeeOnlyOwnAppointments: false };

  it.each<[string, Caller, string]>([
    ['who accepted', stranger, 'allowed'],
    ['who is assigned', assigned, 'allowed'],
    ['who only organized it', organizer, 'not_assigned'],
    ['another', caller('ROLE_AGENT', { id: 'agent-4' }), 'not_assigned'],
    ['a supervisor', supervisor, 'allowed'],
    ['a client service', clientService, 'allowed'],
  ])('an agent after IN_PROGRESS must have accepted or be assigned: %s', (_who, by, expected) => {
    for (const state of ['IN_PROGRESS', 'COMPLETED'] as const) {
      expect(verdict('update', by, off, running(state))).toBe(expected);
    }
  });

  it('the organizer counts as assigned where no agent participates', () => {
    expect(verdict('update', organizer, {}, running('IN_PROGRESS', { participants: [customer] }))).toBe('allowed');
  });

  it('accepting is not asked for before IN_PROGRESS', () => {
    expect(verdict('update', stranger, off)).toBe('allowed');
  });
});

describe('A token limited to some applications (D34, D40)', () => {
  it.each(operations)('%s under a token limited to some applications is for these only', (operation) => {
    const limited = (applicationIds: readonly string[]): Caller => ({ ...supervisor, applicationIds });
    expect(verdict(operation, limited(['app-1', 'app-2']))).toBe('allowed');
    expect(verdict(operation, limited(['app-2']))).toBe('forbidden');
    expect(verdict(operation, limited([]))).toBe('forbidden');
  });
});

describe('A customer', () => {
  it('a customer gets, moves and cancels, and the host moves the interaction for them; everything else is for others', () => {
    const allowed = operations.filter((operation) => verdict(operation, client) === 'allowed');
    expect(allowed.sort()).toEqual(['cancel', 'get', 'interact', 'reschedule']);
    expect(verdict('update', client)).toBe('forbidden');
  });

  it.each([
    ['PENDING', 'allowed'],
    ['INITIATED', 'allowed'],
    ['IN_PROGRESS', 'forbidden'],
  ] as const)('a customer cancels while the interaction is %s: %s (D16)', (state, expected) => {
    const appointment = inState('ACTIVATED', { interaction: interaction(state) });
    expect(verdict('cancel', client, {}, appointment)).toBe(expected);
    expect(verdict('cancel', assigned, {}, appointment)).toBe('allowed');
  });

  const cutoff = minutes(60);

  it.each<[string, RecordOperation, Settings, string]>([
    ['cancels', 'cancel', { customerCancelCutoff: cutoff }, 'outside_cancellation_window'],
    ['reschedules', 'reschedule', { customerRescheduleCutoff: cutoff }, 'outside_reschedule_window'],
  ])(
    'a customer %s until the cut-off before the start; staff are not bound (D21)',
    (_what, operation, settings, code) => {
      const at = (who: Caller, time: number): string => verdict(operation, who, settings, inState('SCHEDULED'), time);
      expect(at(client, start - cutoff)).toBe('allowed');
      expect(at(client, start - cutoff + 1)).toBe(code);
      expect(at(client, end)).toBe(code);
      for (const staff of [organizer, supervisor, clientService]) expect(at(staff, end)).toBe('allowed');
      expect(verdict(operation, client, {}, inState('SCHEDULED'), end)).toBe('allowed');
    },
  );

  it('a customer reschedules so often as the application allows; staff are not bound (D21)', () => {
    const moved = (times: number): Appointment => inState('SCHEDULED', { customerReschedules: times });
    const twice = { customerMaxReschedules: 2 };
    expect(verdict('reschedule', client, twice, moved(1))).toBe('allowed');
    expect(verdict('reschedule', client, twice, moved(2))).toBe('reschedule_limit');
    expect(verdict('reschedule', client, { customerMaxReschedules: 0 }, moved(0))).toBe('reschedule_limit');
    expect(verdict('reschedule', client, {}, moved(4))).toBe('allowed');
    expect(verdict('reschedule', client, {}, moved(5))).toBe('reschedule_limit');
    expect(verdict('reschedule', client, { customerMaxReschedules: null }, moved(99))).toBe('allowed');
    expect(verdict('reschedule', organizer, twice, moved(99))).toBe('allowed');
  });

  it('a customer with another role besides counts as the widest of them (D34)', () => {
    const both = caller(['ROLE_CUSTOMER', 'ROLE_AGENT'], { id: 'agent-2' });
    const running = inState('ACTIVATED', { interaction: interaction('IN_PROGRESS'), participants: [agent('agent-2')] });
    expect(verdict('cancel', both, {}, running)).toBe('allowed');
  });
});

describe('A denial', () => {
  it('a denial is an error with the code of the first rule that says no', () => {
    const question = { caller: stranger, appointment: inState('ACTIVATED'), settings: defaultApplicationSettings, now };
    expect(codeOrValue(() => authorize('get', question))).toBe('not_assigned');
    expect(codeOrValue(() => authorize('reassign', question))).toBe('forbidden');
    expect(codeOrValue(() => authorize('get', { ...question, caller: organizer }))).toBeUndefined();
  });
});
