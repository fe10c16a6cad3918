import { describe, expect, it } from 'vitest';
import type { Appointment, OtpAttempt, OtpVerifier, ScheduleCommand } from '../src/index.js';
import { booking, type Fixture, fixture, maria, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';

/** One-time passwords: each code is for one application and user name, and works once. */
class OneTimeCodes implements OtpVerifier {
  readonly #codes = new Map([['123456', { applicationId: 'app-1', username: 'maria@example.org' }]]);
  attempts = 0;

  verify({ code, applicationId, username }: OtpAttempt): Promise<boolean> {
    this.attempts += 1;
    const known = this.#codes.get(code);
    const right = known?.applicationId === applicationId && known.username === username;
    if (right) this.#codes.delete(code);
    return Promise.resolve(right);
  }
}

const credentials = { username: 'maria@example.org', code: '123456' };

function withCodes(options = {}): Fixture & { codes: OneTimeCodes } {
  const codes = new OneTimeCodes();
  return { ...fixture({ otpVerifier: codes, ...options }), codes };
}

const codeOf = (call: () => Promise<unknown>): Promise<string> =>
  errorOf(call).then(
    ({ code }) => code,
    () => 'done',
  );

describe('Customer-create (spec: Endpoints, rule 5; D44)', () => {
  it('schedules for the customer, who is the actor', async () => {
    const { appointments, events } = withCodes({ applications: { 'app-1': { organizationId: 'org-1' } } });
    const made = await appointments.scheduleAsCustomer(credentials, booking());
    expect(made).toMatchObject({
      state: 'SCHEDULED',
      organizationId: 'org-1',
      organizer: { id: 'system', type: 'SYSTEM' },
    });
    expect(events()).toMatchObject([
      { type: 'APCreatedEvent', actor: { id: made.participants[0]?.id, type: 'CUSTOMER', role: 'ROLE_CUSTOMER' } },
    ]);
  });

  it('Customer-create belongs to the organization of the application, else to "default"', async () => {
    expect((await withCodes().appointments.scheduleAsCustomer(credentials, booking())).organizationId).toBe('default');
  });

  it.each([
    ['the target agent', { targetAssignment: { id: 'agent-7' } }, 'agent-7'],
    ["the application's default agent", {}, 'agent-5'],
  ])('Customer-create is organized by %s (D10)', async (_who, more, organizer) => {
    const { appointments } = withCodes({ applications: { 'app-1': { defaultAgent: 'agent-5' } } });
    const made = await appointments.scheduleAsCustomer(credentials, booking(more));
    expect(made.organizer).toEqual({ id: organizer, type: 'AGENT' });
  });

  const customer = {
    username: 'maria',
    contact: { primaryEmail: 'maria@example.org', primaryPhone: '+30 690 000 0000' },
  };

  it.each([
    ['maria', 'done'],
    ['maria@example.org', 'done'],
    ['+306900000000', 'done'],
    ['eleni@example.org', 'forbidden'],
    ['Maria', 'forbidden'],
    ['', 'forbidden'],
    ['second', 'forbidden'],
    ['undefined', 'forbidden'],
  ])('Customer-create takes username, e-mail or phone of the first customer: %j is %s', async (username, expected) => {
    const { appointments } = fixture({ otpVerifier: { verify: async () => Promise.resolve(true) } });
    const command = booking({ customers: [customer, { username: 'second' }] });
    expect(await codeOf(() => appointments.scheduleAsCustomer({ username, code: '1' }, command))).toBe(expected);
  });

  it('Customer-create is unauthenticated with a wrong code, a used one, or one of another application', async () => {
    const { appointments, newEvents } = withCodes();
    const attempt = (code: string, command: ScheduleCommand = booking()): Promise<string> =>
      codeOf(() => appointments.scheduleAsCustomer({ ...credentials, code }, command));
    expect(await attempt('000000')).toBe('unauthenticated');
    expect(await attempt('123456', booking({ applicationId: 'app-2' }))).toBe('unauthenticated');
    expect(newEvents()).toEqual([]);
    expect(await attempt('123456')).toBe('done');
    expect(await attempt('123456')).toBe('unauthenticated');
    expect(newEvents()).toEqual(['APCreatedEvent']);
  });

  it('Customer-create uses no code up for a body that is not valid, or for a stranger', async () => {
    const { appointments, codes } = withCodes();
    expect(await codeOf(() => appointments.scheduleAsCustomer(credentials, booking({ title: 'x'.repeat(201) })))).toBe(
      'validation_failed',
    );
    const strangers = booking({ customers: [{ username: 'eleni' }] });
    expect(await codeOf(() => appointments.scheduleAsCustomer(credentials, strangers))).toBe('forbidden');
    expect(codes.attempts).toBe(0);
  });

  it('Customer-create recognises and confirms of its customers only what the code proved (D62, D64)', async () => {
    const { appointments } = fixture({ otpVerifier: { verify: async () => Promise.resolve(true) } });
    const command = booking({ customers: [customer, { username: 'second' }] });
    const [byName] = (await appointments.scheduleAsCustomer({ username: 'maria', code: '1' }, command)).participants;
    const credentialsByMail = { username: 'maria@example.org', code: '1' };
    const byMail = (await appointments.scheduleAsCustomer(credentialsByMail, command)).participants;
    expect([byName?.confirmed, byName?.toldOver]).toEqual([false, []]);
    expect(byMail.map(({ confirmed, toldOver }) => [confirmed, toldOver])).toEqual([
      [false, ['EMAIL']],
      [false, []],
    ]);
    expect(byMail.map(({ identity }) => typeof identity)).toEqual(['string', 'undefined']);
    expect(byMail[0]?.identity).not.toBe(byName?.identity);
  });

  it('Customer-create of which staff changes the title and names the customer is confirmed in the one event of the update', async () => {
    const { appointments, newEvents } = withCodes();
    const staff = { ...supervisor, organizationId: 'default' };
    const made = await appointments.scheduleAsCustomer(credentials, booking());
    const id = made.participants[0]?.id ?? '';
    newEvents();
    const after = await appointments.update(staff, { id: made.id, title: 'Other', customer: { id } });
    expect(after.participants).toEqual([{ id, type: 'CUSTOMER', identity: expect.any(String) as string }]);
    expect(newEvents()).toEqual(['APUpdatedEvent']);
    await appointments.update(staff, { id: made.id, customer: { id } });
    expect(newEvents()).toEqual([]);
  });

  it.each(['agent', 'nobody'])('Customer-create has no customer %s to confirm', async (participantId) => {
    const { appointments } = withCodes();
    const staff = { ...supervisor, organizationId: 'default' };
    const { id } = await appointments.scheduleAsCustomer(credentials, booking({ targetAssignment: { id: 'agent' } }));
    expect(await codeOf(() => appointments.confirmParticipant(staff, { id, participantId }))).toBe('not_found');
  });

  it('Customer-create without a verifier is refused', async () => {
    const { appointments } = fixture();
    expect(await codeOf(() => appointments.scheduleAsCustomer(credentials, booking()))).toBe('unauthenticated');
  });

  it('Customer-create works once: of 50 in parallel with one code one succeeds', async () => {
    const base = withCodes();
    const calls = Array.from({ length: 50 }, () =>
      codeOf(() => base.appointments.scheduleAsCustomer(credentials, booking())),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'unauthenticated')).toHaveLength(49);
    expect((await base.appointments.list({ ...supervisor, organizationId: 'default' }, {})).total).toBe(1);
  });

  it('Customer-create with an Idempotency-Key is replayed to who knows the same code, though it is used up', async () => {
    const { appointments, codes } = withCodes();
    const options = { idempotency: { key: 'k', operation: 'basic' } };
    const book = (code: string): Promise<Appointment> =>
      appointments.scheduleAsCustomer({ ...credentials, code }, booking({ customers: [maria] }), options);
    const first = await book('123456');
    expect(await book('123456')).toEqual(first);
    expect(codes.attempts).toBe(1);
    expect(await codeOf(() => book('000000'))).toBe('unauthenticated');
  });
});
