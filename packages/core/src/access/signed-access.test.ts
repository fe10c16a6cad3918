import { decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { hours, lastInstant, minutes } from '@calends/model';
import { end, start } from '../../test/sample-appointments.js';
import type { AccessDetails, AccessSubject } from '../ports/access-provider.js';
import { deriveKey } from '../support/secrets.js';
import { signedAccess, type SignedAccessOptions } from './signed-access.js';

const secret = 'a secret of at least thirty-two bytes';
const options: SignedAccessOptions = { secret, roomBaseUrl: 'https://rooms.example.org/join/' };
const subject: AccessSubject = {
  organizationId: 'org-1',
  applicationId: 'app-1',
  appointmentId: 'appointment-1',
  leadTime: minutes(30),
  schedule: { start, end, timezone: 'Europe/Athens' },
};

async function accessOf(of: Partial<AccessSubject> = {}, given = options): Promise<AccessDetails> {
  const provider = signedAccess(given);
  const described = { ...subject, ...of };
  const opening = await provider.openRoom(described);
  if (opening.status !== 'opened') throw new Error('The room should have been opened.');
  return provider.details(opening.grant, described);
}

const verify = (token: string, at: number, key = deriveKey(secret, 'access-token')): ReturnType<typeof jwtVerify> =>
  jwtVerify(token, key, { issuer: 'calends', audience: 'calends:join', currentDate: new Date(at), typ: 'JWT' });

describe('The options of the built-in access provider', () => {
  it.each([
    [{ ...options, secrt: secret }, 'signedAccess: unknown option secrt; did you mean secret?'],
    [{ roomBaseUrl: options.roomBaseUrl }, 'signedAccess: secret: must be given'],
    [{ secret }, 'signedAccess: roomBaseUrl: must be given'],
  ])('The options of the built-in access provider are told where they are wrong: %#', (given, fault) => {
    expect(() => signedAccess(given as SignedAccessOptions)).toThrow(new TypeError(fault));
  });
});

describe('The secure token (D41)', () => {
  it('the secure token is a signed compact token that an independent library verifies', async () => {
    const { secureToken } = await accessOf();
    const kid = expect.stringMatching(/^[\w-]{8}$/) as string;
    expect(decodeProtectedHeader(secureToken)).toEqual({ alg: 'HS256', typ: 'JWT', kid });
    await expect(verify(secureToken, start)).resolves.toBeDefined();
  });

  it('the secure token is bound to appointment, organization and conference, nbf = start − lead, exp = end + PT1H', async () => {
    const { secureToken } = await accessOf();
    const { payload } = await verify(secureToken, start);
    expect(payload).toEqual({
      iss: 'calends',
      aud: 'calends:join',
      sub: 'appointment-1',
      organizationId: 'org-1',
      conferenceId: 'appointment-1',
      nbf: (start - minutes(30)) / 1000,
      exp: (end + hours(1)) / 1000,
    });
  });

  it('the secure token ends no later than the last second of the year 9999 (D3)', async () => {
    const schedule = { ...subject.schedule, start: lastInstant - minutes(45), end: lastInstant - minutes(30) };
    const { secureToken, expires } = await accessOf({ schedule });
    expect(expires).toBe(lastInstant);
    const { payload } = await verify(secureToken, schedule.start);
    expect(payload.exp).toBe(Math.floor(lastInstant / 1000));
  });

  it.each([
    ['before the lead', start - minutes(30) - 1000, false],
    ['from the lead on', start - minutes(30), true],
    ['until one hour after the end', end + hours(1) - 1000, true],
    ['one hour after the end', end + hours(1), false],
  ])('the secure token %s is valid: %s', async (_when, at, valid) => {
    const { secureToken } = await accessOf();
    const outcome = await verify(secureToken, at).then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(valid);
  });

  it("the secure token takes its application's lead", async () => {
    const { secureToken } = await accessOf({ leadTime: minutes(5) });
    const { payload } = await verify(secureToken, start);
    expect(payload.nbf).toBe((start - minutes(5)) / 1000);
  });

  it('the secure token does not hold with another secret, another purpose, or an altered claim', async () => {
    const { secureToken } = await accessOf();
    const [head = '', claims = '', signature = ''] = secureToken.split('.');
    const foreign = Buffer.from(claims, 'base64url').toString().replace('org-1', 'org-2');
    const altered = [head, Buffer.from(foreign).toString('base64url'), signature].join('.');
    await expect(verify(altered, start)).rejects.toThrow();
    await expect(verify(secureToken, start, deriveKey(secret, 'room-ticket'))).rejects.toThrow();
    await expect(verify(secureToken, start, deriveKey(`${secret}!`, 'access-token'))).rejects.toThrow();
  });

  it('the secure token has only whole seconds, whatever the milliseconds of the schedule', async () => {
    const schedule = { start: start + 1, end: end + 999, timezone: 'UTC' };
    const { secureToken } = await accessOf({ schedule });
    const { payload } = await verify(secureToken, start);
    expect([payload.nbf, payload.exp].every(Number.isInteger)).toBe(true);
  });
});

describe('The room address (D41)', () => {
  const ticketOf = async (of: Partial<AccessSubject> = {}, given = options): Promise<string> => {
    const { roomUrl } = await accessOf(of, given);
    expect(roomUrl.startsWith('https://rooms.example.org/join/')).toBe(true);
    return roomUrl.slice('https://rooms.example.org/join/'.length);
  };

  it('the room address is the base with a 128-bit opaque ticket', async () => {
    const ticket = await ticketOf();
    expect(ticket).toMatch(/^[\w-]+$/);
    expect(Buffer.from(ticket, 'base64url')).toHaveLength(16);
  });

  it('the room address survives a reschedule, while the expiry moves', async () => {
    const schedule = { start: start + hours(48), end: end + hours(48), timezone: 'UTC' };
    const [before, after] = [await accessOf(), await accessOf({ schedule })];
    expect(after.roomUrl).toBe(before.roomUrl);
    expect(before.expires).toBe(end + hours(1));
    expect(after.expires).toBe(end + hours(49));
    expect(after.secureToken).not.toBe(before.secureToken);
  });

  it('the room address is the same for two activations at once', async () => {
    expect(await ticketOf()).toBe(await ticketOf());
  });

  it('the room address differs by appointment, by organization and by secret', async () => {
    const tickets = [
      await ticketOf(),
      await ticketOf({ appointmentId: 'appointment-2' }),
      await ticketOf({ organizationId: 'org-2' }),
      await ticketOf({ organizationId: 'org-1', appointmentId: '","appointment-1' }),
      await ticketOf({}, { ...options, secret: `${secret}!` }),
    ];
    expect(new Set(tickets).size).toBe(tickets.length);
  });

  it('the room address stays when the keys that sign are rotated, which the secure token tells by its key id', async () => {
    const signingKeys = [{ id: 'key-2', secret: 'the present key of at least thirty-two bytes' }];
    const [before, after] = [await accessOf(), await accessOf({}, { ...options, signingKeys })];
    expect(after.roomUrl).toBe(before.roomUrl);
    expect(decodeProtectedHeader(after.secureToken).kid).toBe('key-2');
    await expect(verify(after.secureToken, start)).rejects.toThrow();
    await expect(
      verify(after.secureToken, start, deriveKey(signingKeys[0]!.secret, 'access-token')),
    ).resolves.toBeDefined();
  });
});
