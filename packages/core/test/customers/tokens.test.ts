import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hours, minutes } from '@calends/model';
import { joinTokens } from '../../src/access/signed-access.js';
import { signingKeysOf } from '../../src/access/signing-keys.js';
import { type ManageContext, manageTokens } from '../../src/operations/proofs/manage-link/tokens.js';
import { end, now, start } from '../sample-appointments.js';
import { alteredEnds, alteredTokens, hostileTokens, soundToken, type TokenKind } from './hostile-tokens.js';

const current = { id: 'key-2', secret: 'the present key of at least thirty-two bytes' };
const former = { id: 'key-1', secret: 'the former key of at least thirty-two bytes' };
const keys = [current, former];
const joins = joinTokens(keys);
const manages = manageTokens(keys);
const seconds = now / 1000;

const joinClaims = {
  organizationId: 'org-1',
  appointmentId: 'appointment-1',
  conferenceId: 'conference-1',
  notBefore: now - minutes(30),
  expiresAt: now + hours(1),
};
const context: ManageContext = {
  organizationId: 'org-1',
  appointmentId: 'appointment-1',
  participantId: 'participant-1',
  ticketId: 'ticket-1',
  actions: ['get', 'reschedule', 'cancel'],
  expiresAt: now + hours(1),
};

/** Each kind of token: how it is read, what a sound one says, and how it is forged. */
const kinds: readonly (TokenKind & {
  readonly name: string;
  readonly read: (token: string, at?: number) => unknown;
})[] = [
  {
    name: 'join token',
    purpose: 'access-token',
    type: 'JWT',
    key: current,
    claims: {
      iss: 'calends',
      aud: 'calends:join',
      sub: 'appointment-1',
      organizationId: 'org-1',
      conferenceId: 'conference-1',
      nbf: seconds - 60,
      exp: seconds + 60,
    },
    texts: ['sub', 'organizationId', 'conferenceId'],
    now: seconds,
    read: (token, at = now) => joins.read(token, at),
  },
  {
    name: 'manage token',
    purpose: 'manage-token',
    type: 'calends-manage+jwt',
    key: current,
    claims: {
      iss: 'calends',
      aud: 'calends:manage',
      organization: 'org-1',
      appointment: 'appointment-1',
      participant: 'participant-1',
      ticket: 'ticket-1',
      actions: ['get'],
      exp: seconds + 60,
    },
    texts: ['organization', 'appointment', 'participant', 'ticket'],
    now: seconds,
    read: (token, at = now) => manages.read(token, at),
  },
  {
    name: "customer's bearer token",
    purpose: 'customer-token',
    type: 'calends-customer+jwt',
    key: current,
    claims: {
      iss: 'calends',
      aud: 'calends:customer',
      sub: 'participant-1',
      organizationId: 'org-1',
      ticket_id: 'ticket-1',
      customer_manage_token: 'signed',
      exp: seconds + 60,
    },
    texts: ['sub', 'organizationId', 'ticket_id', 'customer_manage_token'],
    now: seconds,
    read: (token, at = now) => manages.callerOf(token, at),
  },
];

describe.each(kinds)('A $name', (kind) => {
  const { read } = kind;

  it('a token without a fault is taken, by either active key', () => {
    expect(read(soundToken(kind))).toBeDefined();
    expect(read(soundToken({ ...kind, key: former }))).toBeDefined();
  });

  it('a token that is hostile is refused, of every kind there is', () => {
    const hostile = hostileTokens(kind);
    expect(hostile.length).toBeGreaterThan(100);
    expect(new Set(hostile.map(([, token]) => token)).size).toBe(hostile.length);
    expect(hostile.filter(([, token]) => read(token) !== undefined).map(([fault]) => fault)).toEqual([]);
  });

  it('a token is refused with any bit of any letter altered', () => {
    const token = soundToken(kind);
    const altered = alteredTokens(token);
    expect(altered.length).toBeGreaterThan(6 * (token.length - 3));
    expect(altered.filter((each) => read(each) !== undefined)).toEqual([]);
  });

  it('a token is refused with another spelling of the end of its signature', () => {
    const altered = alteredEnds(soundToken(kind), 4);
    expect(altered).toHaveLength(4 * 63);
    expect(altered.filter((each) => read(each) !== undefined)).toEqual([]);
  });

  it('a token is refused once its key is retired, and under the id of another key', () => {
    const retired = { id: 'key-0', secret: 'a retired key of at least thirty-two bytes' };
    expect(read(soundToken({ ...kind, key: retired }))).toBeUndefined();
    expect(read(soundToken({ ...kind, key: { id: current.id, secret: former.secret } }))).toBeUndefined();
    expect(read(soundToken({ ...kind, key: { id: former.id, secret: current.secret } }))).toBeUndefined();
  });

  it('a token is no token of another kind', () => {
    const others = kinds.filter(({ name }) => name !== kind.name);
    expect(others.map((other) => other.read(soundToken(kind)))).toEqual([undefined, undefined]);
  });

  it('a token holds until its last second', () => {
    const end = (kind.claims['exp'] as number) * 1000;
    expect(read(soundToken(kind), end - 1)).toBeDefined();
    expect(read(soundToken(kind), end)).toBeUndefined();
  });
});

describe('A join token', () => {
  it('a join token does not hold before its time', () => {
    const token = joins.sign({ ...joinClaims, notBefore: start, expiresAt: end });
    expect(joins.read(token, start - 1)).toBeUndefined();
    expect(joins.read(token, start)).toBeDefined();
  });

  it('a join token says what was signed, whatever it was', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const claims = fc.record({ organizationId: text, appointmentId: text, conferenceId: text });
    fc.assert(
      fc.property(claims, fc.integer({ min: 0, max: 10_000 }), (ids, ahead) => {
        const signed = { ...ids, notBefore: now - ahead * 1000, expiresAt: now + (ahead + 1) * 1000 };
        expect(joins.read(joins.sign(signed), now)).toEqual(signed);
      }),
    );
  });
});

describe('A manage token', () => {
  it('a manage token says what was signed, whatever it was', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const actions = fc.subarray(['get', 'reschedule', 'cancel'] as const);
    const contexts = fc.record({
      organizationId: text,
      appointmentId: text,
      participantId: text,
      ticketId: text,
      actions,
      expiresAt: fc.integer({ min: 1, max: 100_000 }).map((ahead) => now + ahead * 1000),
    });
    fc.assert(
      fc.property(contexts, (signed) => {
        expect(manages.read(manages.sign(signed), now)).toEqual(signed);
      }),
    );
  });

  it('a manage token allows nothing that there is no action for', () => {
    const kind = kinds[1]!;
    const claims = { ...kind.claims, actions: ['get', 'remove', '__proto__', 5, null] };
    expect(kind.read(soundToken({ ...kind, claims }))).toMatchObject({ actions: ['get'] });
    expect(kind.read(soundToken({ ...kind, claims: { ...claims, actions: 'get' } }))).toBeUndefined();
  });
});

describe("A customer's bearer token", () => {
  it("a customer's bearer token stands for the participant, with the role of customers and the manage claims", () => {
    const caller = manages.callerOf(manages.signBearer(context), now);
    expect(caller).toEqual({
      id: 'participant-1',
      organizationId: 'org-1',
      roles: ['ROLE_CUSTOMER'],
      manage: { ticketId: 'ticket-1', token: manages.sign(context) },
    });
    expect(manages.read(caller?.manage?.token ?? '', now)).toEqual(context);
  });

  it("a customer's bearer token gives no other role, whatever its claims say", () => {
    const kind = kinds[2]!;
    const claims = { ...kind.claims, roles: ['ROLE_SUPERVISOR'], applicationIds: ['app-9'] };
    const caller = kind.read(soundToken({ ...kind, claims })) as { readonly roles: readonly string[] };
    expect(caller.roles).toEqual(['ROLE_CUSTOMER']);
    expect(caller).not.toHaveProperty('applicationIds');
  });
});

describe('Keys', () => {
  it('keys rotate: a further key signs at once, the one before it verifies until it is taken out', () => {
    const [before, between, after] = [[former], [current, former], [current]].map((each) => joinTokens(each));
    const old = before!.sign(joinClaims);
    const fresh = between!.sign(joinClaims);
    expect([old, fresh].map((token) => before!.read(token, now) !== undefined)).toEqual([true, false]);
    expect([old, fresh].map((token) => between!.read(token, now) !== undefined)).toEqual([true, true]);
    expect([old, fresh].map((token) => after!.read(token, now) !== undefined)).toEqual([false, true]);
  });

  it('Keys may be named while the one that was derived from the secret still verifies', () => {
    const { secret } = former;
    const [derived] = signingKeysOf(secret, undefined);
    expect(derived).toMatchObject({ secret });
    const token = joinTokens([derived!]).sign(joinClaims);
    expect(joinTokens([current, derived!]).read(token, now)).toEqual(joinClaims);
    expect(token).not.toContain(secret);
    expect(signingKeysOf(`${secret}!`, undefined)[0]?.id).not.toBe(derived?.id);
  });

  it('Keys are needed to sign', () => {
    expect(() => joinTokens([])).toThrow(TypeError);
  });
});
