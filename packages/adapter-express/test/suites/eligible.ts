import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type OpenStore, people, startHost } from '../support/host.js';
import { created } from '../support/requests.js';

/** More than two pages of the walk, and more than one chunk of the answer. */
const stored = 130;

/** The eligible operation of both families: all of them, in an answer that flows (D24, D69). */
export function eligibleSuite(name: string, open: OpenStore): void {
  describe.each([
    ['v2', '/api/v2/appointments/eligible', 'participants'],
    ['v1', '/api/appointments/eligible', 'participantIds'],
  ] as const)(`eligible of %s on ${name}`, (_, path, field) => {
    let host: Host;
    const ids: string[] = [];
    beforeAll(async () => {
      host = await startHost({ open });
      for (let made = 0; made < stored; made += 10) {
        const ten = Array.from({ length: 10 }, () => created(host, { applicationId: 'app-open' }));
        ids.push(...(await Promise.all(ten)).map(({ id }) => id));
      }
    });
    afterAll(() => host.close());

    const eligible = (method = 'GET', query = '') => host.call(method, path + query, { as: people.service });

    it('eligible answers all of them, each once, in chunks without a length', async () => {
      const { status, headers, body } = await eligible();
      expect([status, headers['transfer-encoding'], headers['content-length']]).toEqual([200, 'chunked', undefined]);
      expect(body.map(({ id }: { id: string }) => id)).toEqual([...ids].sort());
      expect(body.every((item: object) => field in item)).toBe(true);
    });

    it('eligible has the headers of every answer, and none of the body for HEAD', async () => {
      const { status, headers, text } = await eligible('HEAD');
      expect([status, text]).toEqual([200, '']);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      });
    });

    it('a fault before the first chunk is a problem', async () => {
      expect((await eligible('GET', '?timeFrame=soon')).body).toMatchObject({ code: 'validation_failed' });
      host.store.fault = new Error('broken');
      const { status, body } = await eligible();
      host.store.fault = undefined;
      expect([status, body.code]).toEqual([500, 'internal']);
      expect(host.faults.splice(0)).toEqual([expect.objectContaining({ message: 'broken' })]);
    });

    it('a fault after it ends the connection: nobody takes a part for the whole', async () => {
      host.store.statements();
      let pages = 0;
      host.store.before = (statement) => {
        if (!statement.startsWith('appointments.listEligible')) return;
        pages += 1;
        if (pages === 6) host.store.fault = new Error('broken in the middle');
      };
      const failure = await eligible().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      host.store.before = undefined;
      host.store.fault = undefined;
      expect(failure).toMatchObject({ code: 'ECONNRESET' });
      expect(host.faults.splice(0)).toEqual([expect.objectContaining({ message: 'broken in the middle' })]);
      expect((await eligible()).body).toHaveLength(stored);
    });

    it('twenty requests for eligible at once answer the same, and read page after page', async () => {
      host.store.statements();
      const answers = await Promise.all(Array.from({ length: 20 }, () => eligible()));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const pages = host.store.statements().filter((statement) => statement.startsWith('appointments.listEligible'));
      expect(pages).toHaveLength(20 * 8);
    });
  });
}
