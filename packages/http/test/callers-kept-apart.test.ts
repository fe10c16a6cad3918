import { type Caller, createScheduling, type Role } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { callerFromClaims, type HttpRequest, type HttpResponse, jwtVerifier, schedulingHttp } from '../src/index.js';
import { agent, base, creation } from './support/services.js';

const secret = 'a secret of the tests of more than 32 bytes';
const other: Caller = { id: 'agent-2', organizationId: 'org-2', roles: ['ROLE_AGENT'] };

const tokenOf = ({ id, organizationId, roles }: Caller): Promise<string> =>
  new SignJWT({ sub: id, organizationId, roles })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(Buffer.from(secret));

const library = () => createScheduling({ store: memoryStore(), secret });

/** The id of the appointment that was created. */
const idOf = (answer: HttpResponse | undefined): string =>
  (JSON.parse(answer?.body as string) as { readonly id: string }).id;

/** A request to create an appointment; `meanwhile` happens while its body is on the way. */
function creating(caller: HttpRequest['caller'], meanwhile: () => void, token?: string): HttpRequest {
  const headers: Readonly<Record<string, string | undefined>> = {
    'content-type': 'application/json',
    authorization: token,
  };
  const body = Buffer.from(JSON.stringify(creation));
  return {
    method: 'POST',
    path: base,
    query: '',
    caller,
    header: (name) => headers[name],
    body: () => ({
      kind: 'stream',
      read: async () => {
        meanwhile();
        return body;
      },
    }),
  };
}

it('A remembered token stays that of its caller where `claims` answers one object again and again', async () => {
  const shared = { roles: [] as Role[] };
  const claims = (given: Readonly<Record<string, unknown>>): Caller => {
    const { roles, ...named } = callerFromClaims(given) ?? other;
    shared.roles.splice(0, shared.roles.length, ...roles);
    return Object.assign(shared, named);
  };
  const { verify } = jwtVerifier({ secret, claims });
  const supervisor: Caller = { ...other, roles: ['ROLE_SUPERVISOR'] };
  const [first, second] = [await tokenOf(agent), await tokenOf(supervisor)];
  await verify(first);
  await verify(second);
  expect([await verify(first), await verify(second)]).toEqual([agent, supervisor]);
});

it('A remembered token stays that of its caller whatever is done to the answer of the verifier', async () => {
  const { verify } = jwtVerifier({ secret });
  const token = await tokenOf(agent);
  const told = await verify(token);
  expect(() => Object.assign(told ?? {}, other)).toThrow(TypeError);
  expect(() => (told?.roles as Role[] | undefined)?.push('ROLE_SUPERVISOR')).toThrow(TypeError);
  expect(await verify(token)).toEqual(agent);
});

it.each(['caller', 'verify'] as const)(
  'A request is of whom the host named before its body came, whatever becomes of the object after: of %s',
  async (by) => {
    const scheduling = library();
    const shared = { ...agent, roles: [...agent.roles] };
    const authentication = by === 'caller' ? 'host' : { verify: () => shared };
    const http = schedulingHttp(scheduling, { authentication });
    const caller = by === 'caller' ? () => ({ caller: shared, by: 'header' as const }) : undefined;
    const becomesAnother = (): void => {
      shared.roles.length = 0;
      Object.assign(shared, other);
    };
    const answer = await http.handle(creating(caller, becomesAnother, by === 'verify' ? 'Bearer x' : undefined));
    expect(answer?.status).toBe(200);
    const id = idOf(answer);
    await expect(scheduling.appointments.get(agent, id)).resolves.toMatchObject({ id });
    await expect(scheduling.appointments.get(other, id)).rejects.toMatchObject({ code: 'not_found' });
  },
);

it('A caller whose fields answer anew each time they are read is read once', async () => {
  const organizations = ['org-1', 'org-2', 'org-3', 'org-4'];
  const changing: Caller = {
    ...agent,
    get organizationId() {
      return organizations.shift() ?? 'org-5';
    },
  };
  const scheduling = library();
  const http = schedulingHttp(scheduling, { authentication: { verify: () => changing } });
  const answer = await http.handle(creating(undefined, () => undefined, 'Bearer x'));
  const id = idOf(answer);
  await expect(scheduling.appointments.get(agent, id)).resolves.toMatchObject({ id });
});
