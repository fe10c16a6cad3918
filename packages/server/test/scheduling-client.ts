import { defaultOrganization } from '@calends/model';
import { signToken } from '../src/secrets/sign-token.js';

/** What the servers of these tests verify tokens with. */
export const jwtSecret = 'the bearer-token secret of the server tests';
/** What signs their access tokens. */
export const accessSecret = 'the access-token secret of the server tests';
/** Both, as a server wants them. */
export const secrets = { CALENDS_JWT_SECRET: jwtSecret, CALENDS_SECRET: accessSecret };

/** Where commands look that name none. */
export const organizationId = defaultOrganization;
export const customerEmail = 'ada.lovelace@example.org';

const hour = 60 * 60_000;

/** A bearer token of an agent. */
export function agentToken(): Promise<string> {
  return signToken(
    { sub: 'agent-1', roles: ['ROLE_AGENT'], organizationId },
    { secret: jwtSecret, expected: {}, validFor: hour },
  );
}

/** Speaks to a server as one agent. */
export class SchedulingClient {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(`${this.#address}${path}`, {
      method,
      headers: {
        ...headers,
        Authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Schedules an appointment, once for each key, and answers its id; rejects when it is not acknowledged. */
  async schedule(key?: string): Promise<string> {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key };
    const response = await this.send('POST', '/api/v2/appointments/', appointment, headers);
    const { id } = (await response.json()) as { id: string };
    if (response.status !== 200) throw new Error(`Creating was answered with ${response.status}.`);
    return id;
  }

  /** Cancels an appointment; rejects when that is not acknowledged. */
  async cancel(id: string): Promise<void> {
    const response = await this.send('PUT', `/api/v2/appointments/${id}/cancel`);
    await response.arrayBuffer();
    if (response.status !== 204) throw new Error(`Cancelling was answered with ${response.status}.`);
  }
}

/** A request to schedule, far enough ahead for every clock. */
export const appointment = {
  applicationId: 'app-1',
  title: 'Consultation',
  start: '2999-05-04T09:00:00Z',
  duration: 'PT30M',
  timezone: 'Europe/Vienna',
  customers: [{ name: { firstName: 'Ada', lastName: 'Lovelace' }, contact: { primaryEmail: customerEmail } }],
};
