import { describe, expect, it } from 'vitest';
import type { MoveInteractionCommand } from '../src/index.js';
import { agentOne, booked, clientService, type Fixture, fixture, supervisor } from './fixtures.js';
import { answerOrCode, errorOf } from './error-of.js';
import { now } from './sample-appointments.js';

type Move = Omit<MoveInteractionCommand, 'id'>;

/** Makes a move as a client service; answers the state that it led to, or the code of the error. */
function moved(base: Fixture, id: string, move: Move): Promise<string> {
  return answerOrCode(async () => {
    const { interaction } = await base.appointments.moveInteraction(clientService, { id, ...move });
    return interaction.state;
  });
}

const customer = { id: 'customer-1', type: 'CUSTOMER' } as const;
const agent = { id: 'agent-1', type: 'AGENT' } as const;
const errorData = { systemMessage: 'gateway timeout', userMessage: 'Please try again' };

describe('Moving the interaction (D14)', () => {
  it('Moving the interaction goes the ordinary way, each move one event', async () => {
    const base = fixture();
    const { id } = await booked(base);
    expect(await moved(base, id, { to: 'INITIATED', actor: customer })).toBe('INITIATED');
    base.clock.advance(1000);
    expect(await moved(base, id, { to: 'IN_PROGRESS', actor: agent })).toBe('IN_PROGRESS');
    expect(await moved(base, id, { to: 'COMPLETED' })).toBe('COMPLETED');
    const { interaction } = await base.appointments.get(agentOne, id);
    expect(interaction).toMatchObject({
      initiatedBy: { ...customer, timestamp: now },
      acceptedBy: [{ ...agent, timestamp: now + 1000 }],
    });
    expect(base.newEvents()).toEqual(Array.from({ length: 3 }, () => 'APInteractionUpdatedEvent'));
    const states = base.events().map(({ data }) => data.interactionState);
    expect(states).toEqual(['PENDING', 'INITIATED', 'IN_PROGRESS', 'COMPLETED']);
  });

  it('Moving the interaction fails with errorData, and is retried before the end', async () => {
    const base = fixture();
    const { id } = await booked(base);
    expect(await moved(base, id, { to: 'FAILED', errorData })).toBe('FAILED');
    expect((await base.appointments.get(agentOne, id)).interaction.errorData).toEqual(errorData);
    expect(await moved(base, id, { to: 'PENDING' })).toBe('PENDING');
    expect((await base.appointments.get(agentOne, id)).interaction.errorData).toBeUndefined();
  });

  it('Moving the interaction is not retried from the end on', async () => {
    const base = fixture();
    const { id, schedule } = await booked(base);
    await moved(base, id, { to: 'FAILED', errorData });
    base.clock.set(schedule.end);
    expect(await moved(base, id, { to: 'PENDING' })).toBe('invalid_state');
  });

  it('Moving the interaction takes the caller as the actor when none is named', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const accepted = await base.appointments.moveInteraction(agentOne, { id, to: 'IN_PROGRESS' });
    expect(accepted.interaction.acceptedBy).toEqual([{ id: 'agent-1', type: 'AGENT', timestamp: now }]);
  });

  it('Moving the interaction of a no-show is a correction by supervisor or client service', async () => {
    const noShow = async (): Promise<[Fixture, string]> => {
      const base = fixture();
      const { id } = await booked(base);
      await moved(base, id, { to: 'NO_SHOW' });
      base.newEvents();
      return [base, id];
    };
    const [byAgent, id] = await noShow();
    const error = await errorOf(() => byAgent.appointments.moveInteraction(agentOne, { id, to: 'COMPLETED' }));
    expect(error.code).toBe('forbidden');
    for (const by of [supervisor, clientService]) {
      const [base, ofBase] = await noShow();
      const corrected = await base.appointments.moveInteraction(by, { id: ofBase, to: 'COMPLETED' });
      expect(corrected.interaction.state).toBe('COMPLETED');
      expect(base.newEvents()).toEqual(['APInteractionUpdatedEvent']);
    }
  });

  it.each<[string, object, string]>([
    ['no errorData for FAILED', { to: 'FAILED' }, '/errorData/systemMessage'],
    ['half of the errorData', { to: 'FAILED', errorData: { systemMessage: 'x' } }, '/errorData/userMessage'],
    ['properties that are no texts', { to: 'INITIATED', properties: { a: 1 } }, '/properties'],
    ['an unknown state', { to: 'RUNNING' }, '/to'],
    ['a name of objects', { to: 'constructor' }, '/to'],
    ['CANCELLED, which only the appointment brings', { to: 'CANCELLED' }, '/to'],
    ['no state', {}, '/to'],
    ['an actor without an id', { to: 'INITIATED', actor: { type: 'AGENT' } }, '/actor/id'],
    ['an actor of another type', { to: 'INITIATED', actor: { id: 'a', type: 'ROBOT' } }, '/actor/type'],
  ])('Moving the interaction with %s is not valid', async (_what, move, pointer) => {
    const base = fixture();
    const { id } = await booked(base);
    const error = await errorOf(() => base.appointments.moveInteraction(clientService, { id, ...move } as never));
    expect(error.code).toBe('validation_failed');
    expect(error.issues.map((issue) => issue.pointer)).toContain(pointer);
    expect(base.newEvents()).toEqual([]);
  });

  it('Moving the interaction keeps of errorData and actor what the document names, and nothing else', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await moved(base, id, { to: 'INITIATED', actor: { ...customer, name: 'Maria' } as typeof customer });
    await moved(base, id, { to: 'FAILED', errorData: { ...errorData, stack: 'x' } as typeof errorData });
    const { interaction } = await base.appointments.get(agentOne, id);
    expect(interaction.initiatedBy).toEqual({ ...customer, timestamp: now });
    expect(interaction.errorData).toEqual(errorData);
  });
});

describe('Aborting (D15)', () => {
  it.each(['SCHEDULED', 'ACTIVATED'] as const)('Aborting ends what is %s, with its interaction', async (state) => {
    const base = fixture();
    const { id } = await booked(base);
    if (state === 'ACTIVATED') await base.appointments.activate(agentOne, id);
    base.newEvents();
    const aborted = await base.appointments.abort(clientService, { id, reason: 'the room burned down' });
    expect(aborted).toMatchObject({
      state: 'ABORTED',
      abortedAt: now,
      abortReason: 'the room burned down',
      interaction: { state: 'CANCELLED' },
    });
    expect(base.newEvents()).toEqual(['APAbortedEvent']);
    expect(base.events().at(-1)?.data.reason).toBe('the room burned down');
  });

  it('Aborting is final: retained and readable', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const first = await base.appointments.abort(agentOne, { id, reason: 'first' });
    expect(await base.appointments.abort(agentOne, { id, reason: 'second' })).toEqual(first);
    expect(await base.appointments.get(supervisor, id)).toEqual(first);
    expect(base.newEvents()).toEqual(['APAbortedEvent']);
  });

  it.each(['', 'x'.repeat(1001), 'a\u0000'])('Aborting needs a reason of at most 1000 characters', async (reason) => {
    const base = fixture();
    const { id } = await booked(base);
    const error = await errorOf(() => base.appointments.abort(agentOne, { id, reason }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer: '/reason' }] });
  });
});
