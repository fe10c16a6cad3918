import { describe, expect, it } from 'vitest';
import { type InteractionState, interactionStates } from '@calends/model';
import { codeOrValue } from '../../../test/error-of.js';
import { interaction, now } from '../../../test/sample-appointments.js';
import { canMove, endInteraction, moveInteraction } from './interaction.js';

const agent = { id: 'agent-1', type: 'AGENT' } as const;
const accepted = { id: 'agent-9', type: 'AGENT', timestamp: now - 1000 } as const;

// Columns as in the rows. ✓ moves, = is reached already, · is refused. Written by hand from the table of D14.
const table: Readonly<Record<InteractionState, string>> = {
  //            PEND INIT PROG COMP NOSH FAIL CANC
  PENDING: '     =    ✓    ✓    ·    ✓    ✓    ✓',
  INITIATED: '   ·    =    ✓    ·    ✓    ✓    ✓',
  IN_PROGRESS: ' ·    ·    ✓    ✓    ·    ✓    ✓',
  COMPLETED: '   ·    ·    ·    =    ·    ·    ·',
  NO_SHOW: '     ·    ·    ·    ✓    =    ·    ·',
  FAILED: '      ✓    ·    ·    ·    ·    =    ·',
  CANCELLED: '   ·    ·    ·    ·    ·    ·    =',
};

const columns: readonly InteractionState[] = [
  'PENDING',
  'INITIATED',
  'IN_PROGRESS',
  'COMPLETED',
  'NO_SHOW',
  'FAILED',
  'CANCELLED',
];

const cells = columns.flatMap((from) => {
  const marks = table[from].trim().split(/\s+/);
  return columns.map((to, index) => ({ from, to, mark: marks[index] }));
});

describe('interaction.state (D14)', () => {
  it('interaction.state has the seven states of the table', () => {
    expect([...interactionStates].sort()).toEqual([...columns].sort());
    expect(cells).toHaveLength(49);
  });

  it.each(cells)('interaction.state from $from to $to is $mark', ({ from, to, mark }) => {
    const before = interaction(from, { acceptedBy: [accepted] });
    const after = codeOrValue(() => moveInteraction(before, { to, at: now, actor: agent }));
    if (mark === '·') expect(after).toBe('invalid_state');
    else if (mark === '=') expect(after).toBe(before);
    else expect(after).toMatchObject({ state: to });
    expect(canMove(from, to)).toBe(mark === '✓');
  });
});

describe('A move sets', () => {
  const move = { at: now, actor: agent };
  const stamp = { ...agent, timestamp: now };
  const errorData = { systemMessage: 'gateway', userMessage: 'Sorry' };

  it('a move sets initiatedBy when the customer opens the channel', () => {
    const actor = { id: 'customer-1', type: 'CUSTOMER' } as const;
    const opened = moveInteraction(interaction('PENDING'), { to: 'INITIATED', at: now, actor });
    expect(opened.initiatedBy).toEqual({ ...actor, timestamp: now });
  });

  it('a move sets acceptedBy when an agent accepts; later accepts only append', () => {
    const first = moveInteraction(interaction('PENDING'), { ...move, to: 'IN_PROGRESS' });
    expect(first.acceptedBy).toEqual([stamp]);
    const other = { id: 'agent-2', type: 'AGENT' } as const;
    const second = moveInteraction(first, { to: 'IN_PROGRESS', at: now + 1, actor: other });
    expect(second.acceptedBy).toEqual([stamp, { ...other, timestamp: now + 1 }]);
    expect(second.state).toBe('IN_PROGRESS');
  });

  it('a move sets nothing when the same agent accepts again', () => {
    const running = interaction('IN_PROGRESS', { acceptedBy: [stamp] });
    expect(moveInteraction(running, { ...move, at: now + 5, to: 'IN_PROGRESS' })).toBe(running);
  });

  it('a move sets errorData on FAILED, and clears it on PENDING', () => {
    const failed = moveInteraction(interaction('IN_PROGRESS'), { ...move, to: 'FAILED', errorData });
    expect(failed.errorData).toEqual(errorData);
    const retried = moveInteraction(failed, { ...move, to: 'PENDING' });
    expect(retried.errorData).toBeUndefined();
  });

  it('a move sets properties, which are added to those there are', () => {
    const before = interaction('PENDING', { properties: { a: '1', b: '2' } });
    const after = moveInteraction(before, { ...move, to: 'INITIATED', properties: { b: '3', c: '4' } });
    expect(after.properties).toEqual({ a: '1', b: '3', c: '4' });
  });

  it('a move sets nothing else: who initiated and accepted, and custom fields stay', () => {
    const before = interaction('IN_PROGRESS', {
      initiatedBy: stamp,
      acceptedBy: [accepted],
      customFields: { topic: 'loan' },
    });
    const after = moveInteraction(before, { ...move, to: 'COMPLETED' });
    expect(after).toEqual({ ...before, state: 'COMPLETED' });
  });
});

describe('When the appointment is cancelled or aborted (D14)', () => {
  it.each<[InteractionState, InteractionState]>([
    ['PENDING', 'CANCELLED'],
    ['INITIATED', 'CANCELLED'],
    ['IN_PROGRESS', 'CANCELLED'],
    ['COMPLETED', 'COMPLETED'],
    ['NO_SHOW', 'NO_SHOW'],
    ['FAILED', 'FAILED'],
    ['CANCELLED', 'CANCELLED'],
  ])('an interaction that is %s becomes %s', (from, to) => {
    expect(endInteraction(interaction(from)).state).toBe(to);
  });
});
