import { operations } from '@calends/http-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doors } from './support/doors.js';
import { type Host, people, startHost } from './support/host.js';
import { oneTimePassword, unknownId } from './support/requests.js';

const taking = operations.filter(({ body }) => body !== undefined);
const kilobyte = 1024;

describe.each(Object.entries(doors))('the limit of a body through %s (D8, D66)', (_door, door) => {
  let host: Host;
  let small: Host;
  let large: Host;
  const turnedOn = { oneTimePasswords: true, customerSessions: true, availability: true };
  beforeAll(async () => {
    const scheduling = { availability: {} };
    host = await startHost({ door, scheduling, http: turnedOn });
    small = await startHost({ door, scheduling, http: { ...turnedOn, bodyLimit: kilobyte } });
    large = await startHost({ door, scheduling, http: { ...turnedOn, bodyLimit: 512 * kilobyte } });
  });
  afterAll(() => Promise.all([host, small, large].map((each) => each.close())));

  /** The status for a body of so many bytes; each is JSON, and none is what the operation takes. */
  async function statusFor(to: Host, { id, method, path }: (typeof operations)[number], bytes: number) {
    const asCustomer = id.startsWith('createAppointmentAsCustomer');
    // A query that lacks what it must have is told before the body is read.
    const query = id === 'saveService' ? '?applicationId=app-1' : '';
    const { status } = await to.call(method, path.replaceAll(/\{\w+\}/g, unknownId) + query, {
      raw: `"${'x'.repeat(bytes - 2)}"`,
      ...(asCustomer ? { headers: oneTimePassword('u') } : { as: caller(id) }),
    });
    return status;
  }
  const caller = (id: string) => (id.startsWith('createAppointment') ? people.agent : people.supervisor);

  it.each(taking.map((operation) => [operation.id, operation] as const))(
    '%s takes as many bytes as it declares, and answers 413 to one more',
    async (_, operation) => {
      expect(await statusFor(host, operation, operation.bodyLimit)).toBe(400);
      expect(await statusFor(host, operation, operation.bodyLimit + 1)).toBe(413);
    },
  );

  it.each(taking.map((operation) => [operation.id, operation] as const))(
    'a host may lower the limit of %s, and raise that of whole appointments only',
    async (id, operation) => {
      expect(await statusFor(small, operation, kilobyte)).toBe(400);
      expect(await statusFor(small, operation, kilobyte + 1)).toBe(413);
      const isWhole = /^(create|update)Appointment(V1)?$/.test(id);
      expect(await statusFor(large, operation, operation.bodyLimit + 1)).toBe(isWhole ? 400 : 413);
    },
  );
});
