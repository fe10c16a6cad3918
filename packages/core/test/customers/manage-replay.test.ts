import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, booked, fixture, secret, standingClock } from '../fixtures.js';
import { alteredEnds, alteredTokens, hostileTokens, type TokenKind } from './hostile-tokens.js';
import { allDone, allStale, hostCaller, manageFixture, tried } from './manage-fixture.js';
import { recorded } from './otp-fixture.js';
import { endings, misuses } from './replays.js';

const signingKeys = [{ id: 'key-1', secret: 'the first signing key of at least thirty-two bytes' }];

describe('A manage proof is refused in one wording (D42)', () => {
  it.each([...misuses, ...endings])('a manage proof is refused in one wording: %s', async (_what, replay) => {
    const base = await manageFixture();
    const link = await base.issue();
    expect((await base.appointments.get(hostCaller(link), base.made.id)).id).toBe(base.made.id);
    const { by, id } = await replay(base, link);
    base.newEvents();
    expect(await tried(base, by, id)).toEqual(allStale);
    const error = await errorOf(() => base.appointments.get(by, id));
    expect([error.message, error.issues, error.appointmentIds, error.temporary]).toEqual([
      'The manage link does not open this, or is not valid any more.',
      [],
      [],
      false,
    ]);
    expect(base.newEvents()).toEqual([]);
  });

  it('a manage proof is refused in one wording for what it does not allow, and with a join claim besides', async () => {
    const base = await manageFixture();
    const link = await base.issue();
    await base.issue();
    const both = { ...hostCaller(link), conferenceId: base.made.id };
    expect(await tried(base, both, base.made.id)).toEqual(allStale);
  });

  it('a manage proof is refused in one wording to bearer tokens that were exchanged before, too', async () => {
    const base = await manageFixture();
    const { code } = await base.issue();
    const { token } = await base.customers.exchangeManageLink(code);
    await base.issue();
    const caller = base.customers.verifyCustomerToken(token);
    if (caller === undefined) throw new Error('The token itself should still hold.');
    expect(await tried(base, caller, base.made.id)).toEqual(allStale);
  });

  it('a manage proof is refused in one wording without a look into the store where the claims alone tell', async () => {
    const { store, calls } = recorded(memoryStore());
    const base = await manageFixture({ store });
    const link = await base.issue();
    const other = await booked(base);
    calls.length = 0;
    const altered = { ...link, customerManageToken: `${link.customerManageToken.slice(0, -1)}!` };
    for (const each of [hostCaller(altered), hostCaller(link, { organizationId: 'org-2' })]) {
      expect((await errorOf(() => base.appointments.get(each, base.made.id))).code).toBe('stale_ticket');
    }
    expect((await errorOf(() => base.appointments.get(hostCaller(link), other.id))).code).toBe('stale_ticket');
    expect(calls).toEqual([]);
  });
});

describe('A hostile manage token', () => {
  const claimsOf = (token: string): Readonly<Record<string, unknown>> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Readonly<Record<string, unknown>>;

  it('a hostile manage token is refused, of every kind there is, also when it is signed with the right key', async () => {
    const base = await manageFixture({ signingKeys });
    const link = await base.issue();
    const kind: TokenKind = {
      purpose: 'manage-token',
      type: 'calends-manage+jwt',
      key: signingKeys[0]!,
      claims: claimsOf(link.customerManageToken),
      texts: ['organization', 'appointment', 'participant', 'ticket'],
      now: base.clock.now() / 1000,
    };
    const hostile = hostileTokens(kind);
    expect(hostile.length).toBeGreaterThan(100);
    const passed: string[] = [];
    for (const [fault, customerManageToken] of hostile) {
      const answer = await answerOrCode(() =>
        base.appointments.get(hostCaller({ ...link, customerManageToken }), base.made.id),
      );
      if (answer !== 'stale_ticket') passed.push(fault);
    }
    expect(passed).toEqual([]);
    expect((await base.appointments.get(hostCaller(link), base.made.id)).id).toBe(base.made.id);
  });

  it('a hostile manage token is refused with any bit of its signature altered', async () => {
    const base = await manageFixture();
    const link = await base.issue();
    const dot = link.customerManageToken.lastIndexOf('.');
    const altered = alteredTokens(link.customerManageToken).filter((token) =>
      token.startsWith(link.customerManageToken.slice(0, dot)),
    );
    expect(altered.length).toBeGreaterThanOrEqual(43 * 6);
    for (const customerManageToken of [...altered, ...alteredEnds(link.customerManageToken, 2)]) {
      const by = hostCaller({ ...link, customerManageToken });
      expect(await answerOrCode(() => base.appointments.get(by, base.made.id))).toBe('stale_ticket');
    }
  });
});

describe('Signing keys', () => {
  const further = { id: 'key-2', secret: 'the second signing key of at least thirty-two bytes' };

  it('Signing keys are rotated without a link or a room address ending, and retired with the sessions that they signed', async () => {
    const [store, clock] = [memoryStore(), standingClock()];
    const before = await manageFixture({ store, clock, signingKeys });
    const link = await before.issue();
    const { token } = await before.customers.exchangeManageLink(link.code);
    const activated = await before.appointments.activate(agentOne, before.made.id);
    const { roomUrl, secureToken } = (await before.scheduling.access.detailsOf(activated))!;
    clock.set(before.made.schedule.start);

    const between = fixture({ store, clock, signingKeys: [further, ...signingKeys] }).scheduling;
    expect(between.access.verifyJoinToken(secureToken)).toMatchObject({ appointmentId: before.made.id });
    expect((await between.appointments.get(hostCaller(link), before.made.id)).id).toBe(before.made.id);

    const after = fixture({ store, clock, signingKeys: [further] }).scheduling;
    expect((await after.access.detailsOf(activated))?.roomUrl).toBe(roomUrl);
    expect(after.access.verifyJoinToken(secureToken)).toBeUndefined();
    expect(after.customers.verifyCustomerToken(token)).toBeUndefined();
    expect((await errorOf(() => after.appointments.get(hostCaller(link), before.made.id))).code).toBe('stale_ticket');
    const { caller } = await after.customers.exchangeManageLink(link.code);
    expect((await after.appointments.get(caller, before.made.id)).id).toBe(before.made.id);
  });

  it('Signing keys of another deployment, or another secret, open nothing', async () => {
    const [store, clock] = [memoryStore(), standingClock()];
    const base = await manageFixture({ store, clock, signingKeys });
    const link = await base.issue();
    const others = fixture({ store, clock, signingKeys: [{ id: 'key-1', secret: further.secret }] });
    expect(await tried(others, hostCaller(link), base.made.id)).toEqual(allStale);
    const elsewhere = fixture({ store, clock, signingKeys, secret: `${secret}!` });
    expect(await tried(elsewhere, hostCaller(link), base.made.id)).toEqual(allStale);
    expect(await tried(base, hostCaller(link), base.made.id)).toEqual(allDone);
  });
});
