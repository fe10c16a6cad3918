import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, type Reply } from '../support/client.js';
import { consultation, hours, mornings, service, services, startAvailableHost } from '../support/availability.js';
import { type Host, type OpenStore, people } from '../support/host.js';

const { agent, foreign, supervisor } = people;
const foreignSupervisor = { ...supervisor, organizationId: 'org-2' };
const json = consultation;

/** What is wrong with the rules of a service, and where. */
const faultyServices: readonly (readonly [what: string, changes: object, pointer: string])[] = [
  ['a step that does not divide a day', { grid: { step: 'PT7M' } }, '/grid/step'],
  ['a step of half a minute', { grid: { step: 'PT30S' } }, '/grid/step'],
  ['no step', { grid: {} }, '/grid/step'],
  ['a zone that is none', { timezone: 'Europe/Atlantis' }, '/timezone'],
  ['an offset for a zone', { timezone: '+01:00' }, '/timezone'],
  ['no duration', { durations: [] }, '/durations'],
  ['eleven durations', { durations: Array.from({ length: 11 }, () => 'PT30M') }, '/durations'],
  ['a duration of a second', { durations: ['PT30M', 'PT1S'] }, '/durations/1'],
  ['a month for a duration', { durations: ['P1M'] }, '/durations/0'],
  ['a duration twice, written in two ways', { durations: ['PT60M', 'PT30M', 'PT1H'] }, '/durations/2'],
  [
    'two of one agent',
    { requirements: [{ kind: 'agent', anyOf: ['agent-1', 'agent-1'], count: 2 }] },
    '/requirements/0/count',
  ],
  [
    'the only agent needed twice',
    {
      requirements: [
        { kind: 'agent', anyOf: ['agent-1'] },
        { kind: 'agent', anyOf: ['agent-1'] },
      ],
    },
    '/requirements/1/anyOf',
  ],
  ['no requirement', { requirements: [] }, '/requirements'],
  ['101 agents', { requirements: [{ kind: 'agent', anyOf: range(101) }] }, '/requirements/0/anyOf'],
  [
    'an agent whom nobody knows',
    { requirements: [{ kind: 'agent', anyOf: ['agent-1', 'nobody'] }] },
    '/requirements/0/anyOf/1',
  ],
  ['an actor with a line feed', { requirements: [{ kind: 'resource', anyOf: ['a\nb'] }] }, '/requirements/0/anyOf/0'],
  ['a kind that is none', { requirements: [{ kind: 'robot', anyOf: ['a'] }] }, '/requirements/0/kind'],
  ['a buffer of two days', { bufferAfter: 'P2D' }, '/bufferAfter'],
  ['a lead time of nothing', { leadTime: {} }, '/leadTime'],
  ['a lead time of one day and a half', { leadTime: { days: 1.5 } }, '/leadTime/days'],
  ['a lead time of two forms', { leadTime: { days: 1, duration: 'PT1H' } }, '/leadTime'],
  ['a limit of one and a half', { limits: [{ per: 'agent', window: 'day', max: 1.5 }] }, '/limits/0/max'],
  ['a buffer that is null', { bufferAfter: null }, '/bufferAfter'],
  ['a horizon in the past', { horizon: { days: -1 } }, '/horizon/days'],
  ['a limit of none', { limits: [{ per: 'agent', window: 'day', max: 0 }] }, '/limits/0/max'],
  [
    'a weight for nobody',
    { assignment: { strategy: 'balanced', weights: { 'agent-1': 0 } } },
    '/assignment/weights/agent-1',
  ],
  [
    'an opening grid for two',
    { grid: { step: 'PT30M', anchor: 'opening' }, requirements: [{ ...json.requirements[0]!, count: 2 }] },
    '/grid/anchor',
  ],
  ['a field that nobody knows', { colour: 'red' }, ''],
  ['a title of 100 KB', { title: 'x'.repeat(100_000) }, '/title'],
  ['a title with a NUL', { title: 'a\0b' }, '/title'],
];

/** What is wrong with hours, and where. */
const faultyHours: readonly (readonly [what: string, rule: object, pointer: string])[] = [
  ['a rule that never opens', { from: '09:00', until: '09:00' }, '/weekly/0/until'],
  [
    'a rule that ends before it begins to hold',
    { validFrom: '2030-02-01', validUntil: '2030-01-01' },
    '/weekly/0/validUntil',
  ],
  ['every other week of no week', { everyWeeks: 2 }, '/weekly/0/validFrom'],
  ['the hour 25', { from: '25:00' }, '/weekly/0/from'],
  ['30 February', { validFrom: '2030-02-30' }, '/weekly/0/validFrom'],
  ['no day', { days: [] }, '/weekly/0/days'],
  ['a day that is none', { days: ['XX'] }, '/weekly/0/days/0'],
];

function range(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `agent-${index}`);
}

/** Services, hours and exceptions over HTTP, on any store. */
export function availabilityRulesSuite(name: string, open: OpenStore): void {
  describe(`services and hours on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startAvailableHost({ open });
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    const save = (path: string, body: unknown, headers = {}): Promise<Reply> =>
      host.call('PUT', path, { as: supervisor, json: body, headers });
    const faultsOf = ({ status, body }: Reply): unknown => [status, body.code, body.errors?.[0]?.pointer];

    it('a service is saved, shown with its version, listed, archived and offered again', async () => {
      const made = await save(service('first'), json);
      expect(made.body).toEqual({ applicationId: 'app-1', id: 'first', archived: false, rules: json, version: 1 });
      expect(made.headers['etag']).toBe('"1"');
      const shown = await host.call('GET', service('first'), { as: agent });
      expect([shown.body, shown.headers['etag']]).toEqual([made.body, '"1"']);
      expect((await save(service('first'), { ...json, title: 'Advice' })).body.version).toBe(2);
      expect((await host.call('DELETE', service('first'), { as: supervisor })).status).toBe(204);
      const archived = (await host.call('GET', `${services}?applicationId=app-1`, { as: agent })).body.services;
      expect(archived).toMatchObject([{ id: 'first', archived: true, version: 3, rules: { title: 'Advice' } }]);
      expect((await save(service('first'), json)).body).toMatchObject({ archived: false, version: 4 });
    });

    it('hours and exceptions are saved, listed and removed', async () => {
      const closed = { open: [] };
      const path = `${hours}/agent-1`;
      const saved: { readonly version: number } = (await save(path, mornings)).body;
      expect(saved).toEqual({ actorId: 'agent-1', rules: mornings, version: expect.any(Number) });
      const { version } = (await save(path, mornings, { 'if-match': `"${saved.version}"` })).body;
      expect(version).toBe(saved.version + 1);
      expect((await host.call('GET', path, { as: agent })).headers['etag']).toBe(`"${version}"`);
      expect((await host.call('GET', hours, { as: agent })).body).toMatchObject({ hours: [{ actorId: 'agent-1' }] });
      const day = await save(`${path}/exceptions/2030-12-24`, closed);
      expect(day.body).toEqual({ actorId: 'agent-1', date: '2030-12-24', rules: closed, version: expect.any(Number) });
      await save(`${path}/exceptions/2031-01-06`, { open: [{ from: '13:00', until: '24:00' }] });
      const dates = async (query = ''): Promise<string[]> =>
        (await host.call('GET', `${path}/exceptions${query}`, { as: agent })).body.exceptions.map(
          ({ date }: { readonly date: string }) => date,
        );
      expect(await dates()).toEqual(['2030-12-24', '2031-01-06']);
      expect(await dates('?from=2030-12-25')).toEqual(['2031-01-06']);
      expect(await dates('?until=2030-12-24')).toEqual(['2030-12-24']);
      const remove = (at: string) => host.call('DELETE', at, { as: supervisor });
      expect((await remove(`${path}/exceptions/2030-12-24`)).status).toBe(204);
      expect((await remove(`${path}/exceptions/2030-12-24`)).status).toBe(404);
      expect((await remove(path)).status).toBe(204);
      expect((await host.call('GET', path, { as: agent })).status).toBe(404);
    });

    it('a change of a service that is meant for another version is refused, and the right one is taken', async () => {
      await save(service('versions'), json);
      expect((await save(service('not-there'), json, { 'if-match': '*' })).status).toBe(412);
      const stale = await save(service('versions'), json, { 'if-match': '"7"' });
      expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
      expect((await save(service('versions'), json, { 'if-match': '"1"' })).body.version).toBe(2);
      const gone = await host.call('DELETE', service('versions'), { as: supervisor, headers: { 'if-match': '"1"' } });
      expect(gone.status).toBe(412);
      const exception = `${hours}/agent-2/exceptions/2030-05-01`;
      await save(`${hours}/agent-2`, mornings);
      await save(exception, { open: [] });
      expect((await save(exception, { open: [] }, { 'if-match': '"9"' })).status).toBe(412);
      expect((await save(exception, { open: [] }, { 'if-match': 'x' })).status).toBe(400);
    });

    it.each([
      ['hours', `${hours}/agent-3`, mornings],
      ['an exception', `${hours}/agent-2/exceptions/2030-05-02`, { open: [] }],
    ])('a change meant for %s that were removed is refused by those saved in their place', async (_, path, rules) => {
      await save(`${hours}/agent-2`, mornings);
      const first = await save(path, rules);
      await host.call('DELETE', path, { as: supervisor });
      const later = await save(path, rules);
      const old = { 'if-match': first.headers['etag'] ?? '' };
      expect(await save(path, rules, old)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
      expect((await host.call('DELETE', path, { as: supervisor, headers: old })).status).toBe(412);
      expect((await save(path, rules, { 'if-match': later.headers['etag'] ?? '' })).status).toBe(200);
    });

    it('a service that the client has is 304, one that was saved again or archived is shown, and hours always are', async () => {
      const get = (path: string, tag: string) =>
        host.call('GET', path, { as: agent, headers: { 'if-none-match': tag } });
      await save(service('kept'), json);
      expect((await get(service('kept'), '"1"')).status).toBe(304);
      await save(service('kept'), json);
      expect((await get(service('kept'), '"1"')).body.version).toBe(2);
      await host.call('DELETE', service('kept'), { as: supervisor });
      expect((await get(service('kept'), '"2"')).body.archived).toBe(true);
      const { version }: { readonly version: number } = (await save(`${hours}/agent-3`, mornings)).body;
      expect((await get(`${hours}/agent-3`, `"${version}"`)).status).toBe(200);
    });

    it('a service is saved once for a key, and the key is refused for another', async () => {
      const headers = { 'idempotency-key': 'service-1' };
      const first = await save(service('keyed'), json, headers);
      const again = await save(service('keyed'), json, headers);
      expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
      expect(again.headers['etag']).toBe('"1"');
      expect((await save(service('keyed'), { ...json, title: 'x' }, headers)).status).toBe(422);
    });

    it.each(faultyServices)('a service with %s is 400 and says where', async (_, changes, pointer) => {
      expect(faultsOf(await save(service('faulty'), { ...json, ...changes }))).toEqual([
        400,
        'validation_failed',
        pointer,
      ]);
      expect((await host.call('GET', service('faulty'), { as: agent })).status).toBe(404);
    });

    it.each(faultyHours)('hours with %s are 400 and name the rule', async (_, changes, pointer) => {
      const weekly = [{ ...mornings.weekly[0], ...changes }];
      expect(faultsOf(await save(`${hours}/agent-3`, { ...mornings, weekly }))).toEqual([
        400,
        'validation_failed',
        pointer,
      ]);
    });

    it('hours of no zone, and an exception that never opens or is on no day, are 400 and say where', async () => {
      expect(faultsOf(await save(`${hours}/agent-3`, { ...mornings, timezone: 'x' }))).toEqual([
        400,
        'validation_failed',
        '/timezone',
      ]);
      await save(`${hours}/agent-3`, mornings);
      const shift = { open: [{ from: '09:00', until: '09:00' }] };
      expect(faultsOf(await save(`${hours}/agent-3/exceptions/2030-05-01`, shift))).toEqual([
        400,
        'validation_failed',
        '/open/0/until',
      ]);
      const { status, body } = await save(`${hours}/agent-3/exceptions/2030-02-30`, { open: [] });
      expect([status, body.errors]).toMatchObject([400, [{ parameter: 'date', code: 'invalid_format' }]]);
    });

    it('a zone is kept and answered in the letter case of its list, of a service and of hours (D5)', async () => {
      const zoned = await save(service('zoned'), { ...json, timezone: 'eUROPE/athens' });
      const kept = await host.call('GET', service('zoned'), { as: agent });
      expect([zoned.body.rules.timezone, kept.body.rules.timezone]).toEqual(['Europe/Athens', 'Europe/Athens']);
      const own = await save(`${hours}/agent-2`, { ...mornings, timezone: 'asia/CALCUTTA' });
      expect(own.body.rules.timezone).toBe('Asia/Calcutta');
      await save(`${hours}/agent-2`, mornings);
    });

    const [noService, noHours] = ['There is no such service.', 'There are no such hours.'];
    const noException = 'There is no such exception.';
    it.each([
      ['GET', service('nothing'), noService],
      ['DELETE', service('nothing'), noService],
      ['GET', `${services}/%00?applicationId=app-1`, noService],
      ['GET', `${services}/${'x'.repeat(65)}?applicationId=app-1`, noService],
      ['GET', `${hours}/nobody`, noHours],
      ['GET', `${hours}/%ed%a0%80`, noHours],
      ['DELETE', `${hours}/nobody`, noHours],
      ['DELETE', `${hours}/nobody/exceptions/2030-01-01`, noException],
      ['DELETE', `${hours}/%ed%a0%80/exceptions/2030-01-01`, noException],
      ['DELETE', `${hours}/nobody/exceptions/%00`, noException],
    ])('what is not there is 404 in one way: %s %s', async (method, path, detail) => {
      const { status, body } = await host.call(method, path, { as: supervisor });
      expect([status, body.code, body.detail]).toEqual([404, 'not_found', detail]);
    });

    it('a service without its application, or with two, is 400 with the parameter', async () => {
      for (const query of ['', '?applicationId=', '?applicationId=a&applicationId=b']) {
        const { status, body } = await host.call('GET', `${services}/first${query}`, { as: agent });
        expect([status, body.errors[0].parameter]).toEqual([400, 'applicationId']);
      }
    });

    it('services and hours of one organization are not there for another', async () => {
      await save(service('own'), json);
      await save(`${hours}/agent-1`, mornings);
      const told = async (method: string, path: string, applicationId: string) => {
        const as = foreignSupervisor;
        const { status, body } = await host.call(method, `${path}?applicationId=${applicationId}`, { as });
        return [status, body.services ?? body.detail];
      };
      for (const [method, path, answer] of [
        ['GET', services, [200, []]],
        ['GET', `${services}/own`, [404, 'There is no such service.']],
        ['DELETE', `${services}/own`, [404, 'There is no such service.']],
      ] as const) {
        expect(await told(method, path, 'app-1')).toEqual(answer);
        expect(await told(method, path, 'nobodys')).toEqual(answer);
      }
      expect((await host.call('GET', `${hours}/agent-1`, { as: foreign })).status).toBe(404);
      expect((await host.call('GET', hours, { as: foreign })).body).toEqual({ hours: [] });
      const taken = await host.call('PUT', service('own'), { as: foreignSupervisor, json });
      expect(taken.status).toBe(403);
    });

    it('what comes from settings is shown with the version 0, and cannot be changed', async () => {
      const configured = await startAvailableHost(
        { open },
        { services: { 'app-1': { fixed: json } }, hours: { 'agent-1': mornings } },
      );
      const shown = await configured.call('GET', service('fixed'), { as: agent });
      expect(shown.body).toMatchObject({ id: 'fixed', version: 0, rules: json });
      for (const [path, body] of [
        [service('fixed'), json],
        [`${hours}/agent-1`, mornings],
      ] as const) {
        const { status, body: problem } = await configured.call('PUT', path, { as: supervisor, json: body });
        expect([status, problem.code]).toEqual([409, 'invalid_state']);
      }
      await configured.close();
    });

    it('availability is not the services’ where the host did not turn it on', async () => {
      const unmounted = await startAvailableHost({ open, http: { availability: false } });
      const { text, headers } = await exchange(unmounted.port, 'GET', hours);
      expect([text.includes('urn:calends'), headers['x-request-id']]).toEqual([false, undefined]);
      await unmounted.close();
    });
  });
}
