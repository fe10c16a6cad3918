import { type OperationId, operations } from '@calends/http-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, Reply } from '../support/client.js';
import {
  availability,
  consultation,
  holds,
  hours,
  mornings,
  openService,
  service,
  services,
  startAvailableHost,
} from '../support/availability.js';
import { faultyTokens, type Host, type OpenStore, people } from '../support/host.js';
import { unknownId } from '../support/requests.js';

/** How an operation is asked so that it succeeds, and so that it does not. */
interface Asked {
  readonly path: string;
  readonly json?: unknown;
  /** Another body, for the same key. */
  readonly otherJson?: unknown;
  readonly otherPath?: string;
  readonly invalid: Call & { readonly path?: string };
  /** Absent where an answer is never missing. */
  readonly missing?: string;
  /** What comes from settings, or is taken. */
  readonly refused?: string;
  /** What must be there. */
  readonly before?: (host: Host) => Promise<unknown>;
}

const day = 'applicationId=app-1&serviceId=consultation&from=2030-01-02T00:00:00Z&to=2030-01-03T00:00:00Z';
const at = 'applicationId=app-1&serviceId=consultation&start=2030-01-02T08:00:00Z&duration=PT30M';
const hold = { applicationId: 'app-1', serviceId: 'consultation', start: '2030-01-03T08:00:00Z', duration: 'PT30M' };
const closed = { open: [] };
const badKey = { headers: { 'idempotency-key': 'a b' } };
const exception = (actorId: string): string => `${hours}/${actorId}/exceptions/2030-05-01`;
const put = (path: string, json: unknown) => (host: Host) => host.call('PUT', path, { as: people.supervisor, json });

const asked: Readonly<Partial<Record<OperationId, Asked>>> = {
  findTimes: {
    path: `${availability}?${day}`,
    invalid: { path: availability },
    missing: `${availability}?${day.replace('consultation', 'nothing')}`,
  },
  explainTime: {
    path: `${availability}/explain?${at}`,
    invalid: { path: `${availability}/explain` },
    missing: `${availability}/explain?${at.replace('consultation', 'nothing')}`,
  },
  holdTime: {
    path: holds,
    json: hold,
    otherJson: { ...hold, start: '2030-01-03T09:00:00Z' },
    invalid: { json: { ...hold, start: 'soon' } },
  },
  releaseHold: {
    path: `${holds}/${unknownId}`,
    invalid: { path: `${holds}/x?applicationId=` },
    missing: `${holds}/${unknownId}`,
  },
  listServices: { path: `${services}?applicationId=app-1`, invalid: { path: services } },
  getService: {
    path: service('consultation'),
    invalid: { path: `${services}/consultation` },
    missing: service('nothing'),
  },
  saveService: {
    path: service('saved'),
    json: consultation,
    otherJson: { ...consultation, title: 'Other' },
    invalid: { raw: '{"a":' },
    missing: service('%00'),
    refused: service('fixed'),
  },
  archiveService: {
    path: service('archived'),
    otherPath: service('consultation'),
    invalid: badKey,
    missing: service('nothing'),
    refused: service('fixed'),
    before: put(service('archived'), consultation),
  },
  listHours: { path: hours, invalid: {} },
  getHours: { path: `${hours}/agent-1`, invalid: {}, missing: `${hours}/nobody` },
  saveHours: {
    path: `${hours}/agent-2`,
    json: mornings,
    otherJson: { ...mornings, weekly: [] },
    invalid: { json: { ...mornings, timezone: 'x' } },
    missing: `${hours}/%00`,
    refused: `${hours}/agent-3`,
  },
  removeHours: {
    path: `${hours}/room-1`,
    otherPath: `${hours}/room-2`,
    invalid: badKey,
    missing: `${hours}/nobody`,
    refused: `${hours}/agent-3`,
    before: put(`${hours}/room-1`, mornings),
  },
  listExceptions: { path: `${hours}/agent-1/exceptions`, invalid: { path: `${hours}/agent-1/exceptions?from=soon` } },
  saveException: {
    path: exception('agent-1'),
    json: closed,
    otherJson: { open: [{ from: '09:00', until: '10:00' }] },
    invalid: { json: { open: 'never' } },
    missing: exception('nobody'),
    refused: exception('agent-3'),
  },
  removeException: {
    path: exception('agent-2'),
    otherPath: exception('agent-1'),
    invalid: badKey,
    missing: exception('nobody'),
    refused: exception('agent-3'),
    before: put(exception('agent-2'), closed),
  },
};

/** Every operation on availability answers every status that it declares, and no other, on any store. */
export function availabilityStatusSuite(name: string, open: OpenStore): void {
  describe(`statuses of availability on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      const fixed = { services: { 'app-1': { fixed: consultation } }, hours: { 'agent-3': mornings } };
      host = await startAvailableHost({ open }, fixed);
      await openService(host, 'consultation');
    });
    afterAll(() => host.close());

    for (const { id, method, path, success, statuses, additiveStatuses, body } of operations) {
      const given = asked[id];
      if (given === undefined) continue;
      const send = (call: Parameters<Host['call']>[2] & { readonly path?: string }): Promise<Reply> =>
        host.call(method, call.path ?? given.path, {
          as: people.supervisor,
          ...(given.json === undefined || call.raw !== undefined ? {} : { json: given.json }),
          ...call,
        });
      const withoutToken = (): Promise<Reply> => host.call(method, given.path);
      const done = async (): Promise<Reply> => {
        if (id === 'releaseHold') {
          const held = await host.call('POST', holds, {
            as: people.supervisor,
            json: { ...hold, start: '2030-01-04T08:00:00Z' },
          });
          return send({ path: `${holds}/${String(held.body.id)}` });
        }
        await given.before?.(host);
        return send({});
      };
      const taken = async (): Promise<Reply> => {
        for (let actors = 0; actors < 2; actors += 1) await send({});
        return send({});
      };
      const scenes: Readonly<Record<number, () => Promise<Reply>>> = {
        [success.status]: done,
        304: () => send({ headers: { 'if-none-match': '*' } }),
        400: () => send(given.invalid),
        401: withoutToken,
        403: () => send({ as: people.admin }),
        404: () =>
          id === 'holdTime' ? send({ json: { ...hold, serviceId: 'nothing' } }) : send({ path: given.missing ?? '' }),
        409: () => (id === 'holdTime' ? taken() : send({ path: given.refused ?? '' })),
        412: () => send({ headers: { 'if-match': '"99"' } }),
        413: () => send({ raw: `"${'x'.repeat(300_000)}"` }),
        415: () => send({ raw: 'x', headers: { 'content-type': 'text/plain' } }),
        422: async () => {
          const headers = { 'idempotency-key': `twice-${id}` };
          await given.before?.(host);
          // The other body first: a time that was taken by the scene before is no answer to keep.
          await send({ headers, ...(given.otherJson === undefined ? {} : { json: given.otherJson }) });
          return send({ headers, ...(given.otherPath === undefined ? {} : { path: given.otherPath }) });
        },
        500: () => send({ as: faultyTokens.fault }),
        503: () => send({ as: faultyTokens.busy }),
      };
      // 429: of a limiter, and of holds (free times). No list is missing where availability is on; hours take nothing that is malformed.
      const isReachable = (status: number): boolean =>
        status !== 429 &&
        (status !== 404 || given.missing !== undefined || id === 'holdTime') &&
        (status !== 400 || Object.keys(given.invalid).length > 0);
      const wanted = [...statuses, ...additiveStatuses].filter(isReachable);

      it.each(wanted)(`${method} ${path} answers %d`, async (status) => {
        const reply = await scenes[status]!();
        expect(reply.status, reply.text).toBe(status);
        if (body === undefined) expect(wanted).not.toContain(413);
      });
    }

    it('every operation on availability has its scenes', () => {
      const ours = operations.filter(({ family }) => family === 'availability');
      expect(Object.keys(asked)).toEqual(ours.map(({ id }) => id));
    });
  });
}
