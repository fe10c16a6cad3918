import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import type { Signal } from '../src/index.js';
import { mariasAddress, otpFixture, type OtpFixture, wrong } from './customers/otp-fixture.js';
import { answerOrCode } from './error-of.js';
import { booking, supervisor } from './fixtures.js';
import { caller } from './sample-appointments.js';

type SecuritySignal = Extract<Signal, { type: 'security' }>;
const isSecurity = (signal: Signal): signal is SecuritySignal => signal.type === 'security';
const told = ({ signals }: OtpFixture): readonly SecuritySignal[] => signals.filter(isSecurity);
const from = { source: '8.8.8.8', correlationId: 'request-1' } as const;

async function book({ appointments }: OtpFixture, code: string, applicationId = 'app-1'): Promise<unknown> {
  return answerOrCode(() =>
    appointments.scheduleAsCustomer({ username: mariasAddress, code }, booking({ applicationId }), from),
  );
}

const refusedBookings = async ({ scheduling }: OtpFixture) => {
  const { items } = await scheduling.audit.list(supervisor);
  return items.filter(({ outcome }) => outcome !== 'done');
};

describe('Security events (D66)', () => {
  it('Security events tell a wrong code from one that nobody can have, with application and address', async () => {
    const base = otpFixture();
    await base.request(mariasAddress);
    const code = base.mailedCode();
    for (let guess = 0; guess < 6; guess += 1) await book(base, wrong(code));
    expect(told(base).map(({ kind }) => kind)).toEqual([...Array<string>(5).fill('wrongCode'), 'spentCode']);
    expect(told(base)[0]).toMatchObject({
      organizationId: 'org-1',
      applicationId: 'app-1',
      source: '8.8.8.8',
      requestId: 'request-1',
    });
    expect(JSON.stringify(told(base))).not.toContain('maria');
  });

  it('Security events leave one line of the audit record for bookings that were refused again and again, without an appointment', async () => {
    const base = otpFixture();
    for (let guess = 0; guess < 10; guess += 1) await book(base, '123456');
    await base.scheduling.close();
    const [line, ...more] = await refusedBookings(base);
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      applicationId: 'app-1',
      operation: 'scheduleAsCustomer',
      outcome: 'unauthenticated',
      proof: 'otp',
      actor: null,
      version: null,
    });
    expect(line?.appointmentId).toBeUndefined();
    base.clock.advance(10_000);
    await base.scheduling.workers.runOnce();
    expect(await base.scheduling.audit.verify(supervisor)).toMatchObject({ intact: true, entries: 1 });
  });

  it('Security events leave no line for applications that nobody configured', async () => {
    const base = otpFixture({ store: memoryStore() });
    for (let number = 0; number < 50; number += 1) await book(base, '123456', `made-up-${String(number)}`);
    await base.scheduling.close();
    expect(told(base)).toHaveLength(50);
    expect(told(base).every(({ applicationId }) => applicationId === undefined)).toBe(true);
    expect(base.calls.filter(({ method }) => method === 'audit.recordRefusals')).toEqual([]);
  });

  it.each(['', 'x', 'a.b.c', 'A'.repeat(74)])('Security events tell of a link that opens nothing: %j', async (code) => {
    const base = otpFixture();
    const answer = await answerOrCode(() => base.scheduling.customers.exchangeManageLink(code, from));
    expect(answer).toBe('stale_ticket');
    expect(told(base)).toMatchObject([{ kind: 'refusedLink', source: '8.8.8.8', requestId: 'request-1' }]);
  });

  it('Security events tell of a link that was revoked, and of claims that do not hold any more', async () => {
    const base = otpFixture();
    const made = await base.appointments.schedule(supervisor, booking());
    const participantId = made.participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
    const query = { appointmentId: made.id, participantId };
    const { code } = await base.scheduling.customers.issueManageLink(supervisor, query);
    const { caller: customer } = await base.scheduling.customers.exchangeManageLink(code);
    await base.scheduling.customers.revokeManageLink(supervisor, query);
    expect(told(base)).toEqual([]);
    await answerOrCode(() => base.scheduling.customers.exchangeManageLink(code));
    await answerOrCode(() => base.appointments.get(customer, made.id, from));
    await answerOrCode(() => base.appointments.get(caller('ROLE_CUSTOMER', { conferenceId: 'x' }), made.id));
    expect(told(base).map(({ kind }) => kind)).toEqual(['refusedLink', 'refusedProof', 'refusedProof']);
    expect(told(base)[1]).toMatchObject({ organizationId: 'org-1', source: '8.8.8.8' });
  });

  it('Security events do not tell of what staff may not: that is in the audit record', async () => {
    const base = otpFixture();
    const made = await base.appointments.schedule(supervisor, booking());
    await answerOrCode(() => base.appointments.update(caller('ROLE_CUSTOMER'), { id: made.id, title: 'x' }));
    expect(told(base)).toEqual([]);
  });
});
