import { describe, expect, it } from 'vitest';
import type { OtpVerifier } from '../../src/index.js';
import { answerOrCode } from '../error-of.js';
import { agentOne, booked, booking, customerOf, fixture } from '../fixtures.js';

describe('An answer of a part of the host that is none', () => {
  const silent = { verify: (): Promise<boolean> => Promise.resolve(false) } satisfies OtpVerifier;

  it.each<[unknown, string]>([
    [true, 'SCHEDULED'],
    [{ sentTo: { email: 'maria@example.org' } }, 'SCHEDULED'],
    [{ sentTo: undefined }, 'SCHEDULED'],
    [false, 'unauthenticated'],
    ['spent', 'unauthenticated'],
    [undefined, 'internal'],
    [null, 'internal'],
    [{}, 'internal'],
    [[], 'internal'],
    [{ valid: false }, 'internal'],
    [{ sentTo: {}, ok: false }, 'internal'],
    ['true', 'internal'],
    [1, 'internal'],
    [{ sentTo: null, consumption: null }, 'SCHEDULED'],
    [{ sentTo: { email: null } }, 'SCHEDULED'],
    [{ sentTo: { email: 5 } }, 'internal'],
    [{ sentTo: 'maria@example.org' }, 'internal'],
    [{ sentTo: ['maria@example.org'] }, 'internal'],
    [{ consumption: {} }, 'internal'],
    [{ consumption: true }, 'internal'],
    [{ challengeId: 'c' }, 'internal'],
    [{ consumption: { subject: 's', challengeId: 'c', at: '2030-05-06' } }, 'internal'],
  ])('an answer of the host that is none is no proof of a one-time password: %j is %s', async (verdict, expected) => {
    const { appointments } = fixture({ otpVerifier: { ...silent, verify: () => Promise.resolve(verdict as boolean) } });
    const credentials = { username: 'maria@example.org', code: '123456' };
    const answer = await answerOrCode(() => appointments.scheduleAsCustomer(credentials, booking()));
    expect(typeof answer === 'string' ? answer : answer.state).toBe(expected);
  });

  it.each([[undefined], [null]])(
    'an answer of the host that is none is a manage proof that does not hold: %s',
    async (proven) => {
      const base = fixture({ manageProofVerifier: { verify: () => Promise.resolve(proven as undefined) } });
      const { id } = await booked(base);
      const customer = { ...agentOne, roles: ['ROLE_CUSTOMER'], manage: { ticketId: 't', token: 't' } } as const;
      expect(await answerOrCode(() => base.appointments.cancel(customer, { id }))).toBe('stale_ticket');
    },
  );

  it.each<[unknown]>([
    [true],
    [{}],
    [{ participantId: 5 }],
    [{ participantId: 'p', guard: {} }],
    [{ participantId: 'p', guard: 'nonce' }],
    [{ participantId: 'p', guard: { kind: 'CALENDAR_FEED', subjectId: 's', holderId: 'h', nonce: 'n' } }],
    [{ participantId: 'p', guard: { kind: 'MANAGE', subjectId: 's', holderId: 'h' } }],
    [{ participantId: 'p', guard: { kind: 'MANAGE', subjectId: 's', holderId: 'h', nonce: 'n', session: '0' } }],
  ])('an answer of the host that is none is no manage proof: %j', async (proven) => {
    const base = fixture({ manageProofVerifier: { verify: () => Promise.resolve(proven as undefined) } });
    const { id } = await booked(base);
    const customer = { ...agentOne, roles: ['ROLE_CUSTOMER'], manage: { ticketId: 't', token: 't' } } as const;
    expect(await answerOrCode(() => base.appointments.cancel(customer, { id }))).toBe('internal');
    expect((await base.appointments.get(agentOne, id)).state).toBe('SCHEDULED');
  });

  it('an answer of the host that is none may be null where a manage proof has no guard: it is asked again before the commit', async () => {
    const proven: unknown[] = [];
    const base = fixture({
      manageProofVerifier: {
        verify: ({ appointmentId }) => {
          proven.push(appointmentId);
          return Promise.resolve({ participantId: participant, guard: null as unknown as undefined });
        },
      },
    });
    const made = await booked(base);
    const { id } = made;
    const participant = customerOf(made);
    const customer = { ...agentOne, roles: ['ROLE_CUSTOMER'], manage: { ticketId: 't', token: 't' } } as const;
    expect((await base.appointments.cancel(customer, { id })).state).toBe('CANCELLED');
    expect(proven).toEqual([id, id]);
  });
});
