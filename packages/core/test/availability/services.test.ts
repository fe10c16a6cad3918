import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/index.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, clientService, fixture, foreignSupervisor, supervisor } from '../fixtures.js';
import { caller } from '../sample-appointments.js';
import { available, service } from './sample-service.js';

const customer = caller('ROLE_CUSTOMER', { id: 'maria' });
const admin = caller('ROLE_ADMIN', { id: 'admin-1' });
const key = { applicationId: 'app-1', serviceId: 'visit' };
const exception = { actorId: 'agent-7', date: '2030-05-07' };
const hours = { timezone: 'Europe/Athens', weekly: [{ days: ['MO' as const], from: '09:00', until: '17:00' }] };

describe('Services and hours', () => {
  it('services and hours are kept with versions, read back, and counted up by each change', async () => {
    const { services, hours: kept } = available().scheduling.availability;
    const saved = await services.save(supervisor, { ...key, rules: service() });
    expect(saved).toEqual({ applicationId: 'app-1', id: 'visit', rules: service(), archived: false, version: 1 });
    const again = await services.save(supervisor, { ...key, rules: service({ title: 'Visit' }) });
    expect(again).toMatchObject({ version: 2, rules: { title: 'Visit' } });
    expect(await services.get(agentOne, key)).toEqual(again);
    expect((await services.list(clientService, key)).map(({ id, version }) => [id, version])).toEqual([
      ['talk', 0],
      ['visit', 2],
    ]);
    const { version } = await kept.save(supervisor, { actorId: 'agent-7', rules: hours });
    expect(await kept.save(supervisor, { actorId: 'agent-7', rules: hours })).toMatchObject({ version: version + 1 });
    const closed = await kept.saveException(supervisor, { ...exception, exception: { open: [] } });
    expect(closed).toEqual({ ...exception, exception: { open: [] }, version: expect.any(Number) });
    expect(await kept.listExceptions(agentOne, { actorId: 'agent-7' })).toEqual([closed]);
    expect(await kept.listExceptions(agentOne, { actorId: 'agent-7', from: '2030-05-08' })).toEqual([]);
    expect((await kept.list(agentOne)).map(({ actorId }) => actorId)).toEqual(['agent-1', 'agent-2', 'agent-7']);
    await kept.removeException(supervisor, exception);
    await kept.remove(supervisor, { actorId: 'agent-7' });
    expect(await answerOrCode(() => kept.get(agentOne, { actorId: 'agent-7' }))).toBe('not_found');
  });

  it.each([['title'], ['description']] as const)(
    'services and hours have texts that bookings and pages take, as over HTTP: %s',
    async (name) => {
      const { services } = available().scheduling.availability;
      for (const text of ['a\u0000', '\ud800', 'a\u001b[31m']) {
        const rules = service({ [name]: text });
        const { issues } = await errorOf(() => services.save(supervisor, { ...key, rules }));
        expect(issues).toMatchObject([{ pointer: `/${name}`, code: 'invalid_characters' }]);
        expect(() => fixture({ availability: { services: { 'app-1': { visit: rules } } } })).toThrow(
          `availability.services.app-1.visit.${name}: Must not contain control characters`,
        );
      }
    },
  );

  it('an archived service is listed and not offered, and saving offers it again', async () => {
    const { availability } = available().scheduling;
    const { services } = availability;
    await services.save(supervisor, { ...key, rules: service() });
    await services.archive(supervisor, key);
    await services.archive(supervisor, key);
    expect(await services.get(agentOne, key)).toMatchObject({ archived: true, version: 2 });
    const query = { ...key, from: '2030-05-07T00:00:00Z', to: '2030-05-08T00:00:00Z' };
    expect(await answerOrCode(() => availability.find(supervisor, query))).toBe('not_found');
    expect(await services.save(supervisor, { ...key, rules: service() })).toMatchObject({
      archived: false,
      version: 3,
    });
  });

  it('a change over another version is refused, and one over this version is not', async () => {
    const { services } = available().scheduling.availability;
    const saveOver = (expectedVersions: CallOptions['expectedVersions']) =>
      answerOrCode(() => services.save(supervisor, { ...key, rules: service() }, { expectedVersions }));
    const save = (...versions: number[]) => saveOver(versions);
    expect(await saveOver('any')).toBe('version_mismatch');
    expect(await save(1)).toBe('version_mismatch');
    expect(await save(0)).toMatchObject({ version: 1 });
    expect(await save(0)).toBe('version_mismatch');
    expect(await save(7, 1)).toMatchObject({ version: 2 });
    expect(await saveOver('any')).toMatchObject({ version: 3 });
  });

  it('a change meant for what was removed is refused by what was saved in its place', async () => {
    const { hours: kept } = available().scheduling.availability;
    const removed = await kept.save(supervisor, { actorId: 'agent-7', rules: hours });
    const day = await kept.saveException(supervisor, { ...exception, exception: { open: [] } });
    await kept.removeException(supervisor, exception);
    await kept.remove(supervisor, { actorId: 'agent-7' });
    await kept.save(supervisor, { actorId: 'agent-7', rules: hours });
    const again = await kept.saveException(supervisor, { ...exception, exception: { open: [] } });
    const meantFor = ({ version }: { readonly version: number }) => ({ expectedVersions: [version] });
    const late: readonly (() => Promise<unknown>)[] = [
      () => kept.save(supervisor, { actorId: 'agent-7', rules: hours }, meantFor(removed)),
      () => kept.remove(supervisor, { actorId: 'agent-7' }, meantFor(removed)),
      () => kept.saveException(supervisor, { ...exception, exception: { open: [] } }, meantFor(day)),
      () => kept.removeException(supervisor, exception, meantFor(day)),
    ];
    for (const call of late) expect(await answerOrCode(call)).toBe('version_mismatch');
    expect(await kept.listExceptions(agentOne, { actorId: 'agent-7' })).toEqual([again]);
  });

  it.each([
    ['least', 0, 1],
    ['most', 255, 2 ** 48],
  ])('hours begin at a version that an entity tag can name where the %s is drawn', async (_which, byte, version) => {
    const secureRandom = { bytes: (length: number) => new Uint8Array(length).fill(byte) };
    const { hours: kept } = available({}, { secureRandom }).scheduling.availability;
    expect(await kept.save(supervisor, { actorId: 'agent-7', rules: hours })).toMatchObject({ version });
  });

  it('a change has a line in the audit record, and a repeated key none', async () => {
    const { scheduling } = available();
    const options = { idempotency: { key: 'k', operation: 'saveService' } };
    const { services, hours: kept } = scheduling.availability;
    await services.save(supervisor, { ...key, rules: service() }, options);
    await services.save(supervisor, { ...key, rules: service() }, options);
    await kept.save(supervisor, { actorId: 'agent-7', rules: hours });
    const { items } = await scheduling.audit.list(supervisor);
    expect(items.map(({ operation, applicationId }) => [operation, applicationId]).sort()).toEqual([
      ['saveHours', ''],
      ['saveService', 'app-1'],
    ]);
  });

  it.each([
    ['an agent', agentOne, 'forbidden'],
    ['a client service', clientService, 'forbidden'],
    ['a customer', customer, 'forbidden'],
    ['an administrator', admin, 'forbidden'],
    ['a token of another application', { ...supervisor, applicationIds: ['app-2'] }, 'forbidden'],
  ])('services are not changed by %s', async (_who, by, code) => {
    const { services } = available().scheduling.availability;
    expect(await answerOrCode(() => services.save(by, { ...key, rules: service() }))).toBe(code);
  });

  it.each([
    ['a customer', customer],
    ['an administrator', admin],
  ])('services and hours are not read by %s', async (_who, by) => {
    const { services, hours: kept } = available().scheduling.availability;
    expect(await answerOrCode(() => services.list(by, key))).toBe('forbidden');
    expect(await answerOrCode(() => kept.list(by))).toBe('forbidden');
  });

  it('another organization sees nothing of what is in tables', async () => {
    const { services, hours: kept } = available({}, { availability: { services: {}, hours: {} } }).scheduling
      .availability;
    await services.save(supervisor, { ...key, rules: service() });
    await kept.save(supervisor, { actorId: 'agent-7', rules: hours });
    expect(await services.list(foreignSupervisor, key)).toEqual([]);
    expect(await kept.list(foreignSupervisor)).toEqual([]);
    expect(await answerOrCode(() => services.get(foreignSupervisor, key))).toBe('not_found');
  });

  it('what stands in settings cannot be changed', async () => {
    const { services, hours: kept } = available().scheduling.availability;
    const talk = { applicationId: 'app-1', serviceId: 'talk' };
    expect(await answerOrCode(() => services.archive(supervisor, talk))).toBe('invalid_state');
    expect(await answerOrCode(() => kept.remove(supervisor, { actorId: 'agent-1' }))).toBe('invalid_state');
  });

  it.each<[string, object, string]>([
    ['a grid that does not divide a day', { grid: { step: 'PT7M' } }, '/grid/step'],
    ['a zone that is none', { timezone: 'Mars/Olympus' }, '/timezone'],
    ['a duration of seconds', { durations: ['PT30M', 'PT30S'] }, '/durations/1'],
    [
      'an agent whom the directory does not know',
      { requirements: [{ kind: 'agent', anyOf: ['agent-1', 'x y'] }] },
      '/requirements/0/anyOf/1',
    ],
    ['a field of its own', { color: 'red' }, ''],
  ])('a service with %s is refused by the place of the fault, which is not repeated', async (_what, more, pointer) => {
    const { services } = available().scheduling.availability;
    const error = await errorOf(() => services.save(supervisor, { ...key, rules: { ...service(), ...more } }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer }] });
    expect(JSON.stringify(error.issues)).not.toMatch(/PT7M|Mars|PT30S|x y|color|red/);
  });

  it.each<[string, object, string]>([
    ['a rule that never opens', { weekly: [{ days: ['MO'], from: '09:00', until: '09:00' }] }, '/weekly/0/until'],
    [
      'days that end before they begin',
      { weekly: [{ days: ['MO'], from: '09:00', until: '10:00', validFrom: '2030-02-01', validUntil: '2030-01-01' }] },
      '/weekly/0/validUntil',
    ],
    [
      'days that lie outside their range',
      {
        weekly: [
          {
            days: ['MO'],
            from: '09:00',
            until: '10:00',
            validFrom: '2030-05-07',
            validUntil: '2030-05-19',
            everyWeeks: 2,
          },
        ],
      },
      '/weekly/0/days',
    ],
    ['a day that is none', { weekly: [{ days: ['XX'], from: '09:00', until: '10:00' }] }, '/weekly/0/days/0'],
  ])('hours with %s are refused by the place of the fault', async (_what, more, pointer) => {
    const { hours: kept } = available().scheduling.availability;
    const rules = { ...hours, ...more };
    const error = await errorOf(() => kept.save(supervisor, { actorId: 'agent-7', rules }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer }] });
  });

  it('a service is not saved, read or archived without an id', async () => {
    const { services } = available().scheduling.availability;
    // As a host without types writes it.
    const asked = { applicationId: 'app-1' } as typeof key;
    for (const call of [
      () => services.save(supervisor, { ...asked, rules: service() }),
      () => services.get(supervisor, asked),
      () => services.archive(supervisor, asked),
    ]) {
      expect(await errorOf(call)).toMatchObject({
        code: 'validation_failed',
        issues: [{ pointer: '/serviceId', code: 'required' }],
      });
    }
    expect(await services.list(supervisor, key)).toHaveLength(1);
  });

  it('an exception needs hours, and a date that is one', async () => {
    const { hours: kept } = available().scheduling.availability;
    const save = (date: string) =>
      answerOrCode(() => kept.saveException(supervisor, { actorId: 'agent-7', date, exception: { open: [] } }));
    expect(await save('2030-02-30')).toBe('validation_failed');
    expect(await save('2030-02-28')).toBe('not_found');
  });

  it('an exception that is not there is told as that, where the hours are', async () => {
    const { hours: kept } = available().scheduling.availability;
    await kept.save(supervisor, { actorId: 'agent-7', rules: hours });
    expect(await errorOf(() => kept.removeException(supervisor, exception))).toMatchObject({
      code: 'not_found',
      message: 'There is no such exception.',
    });
  });

  it('every operation is unknown where availability is off', async () => {
    const { availability } = fixture().scheduling;
    expect(await answerOrCode(() => availability.services.list(supervisor, key))).toBe('not_found');
    expect(await answerOrCode(() => availability.hours.list(supervisor))).toBe('not_found');
    const query = { ...key, from: '2030-05-07T00:00:00Z', to: '2030-05-08T00:00:00Z' };
    expect(await answerOrCode(() => availability.find(supervisor, query))).toBe('not_found');
  });

  it('a source of the host takes the place of settings and tables, and is not written to', async () => {
    const own = { id: 'own', ...service() };
    const availabilitySource = { serviceOf: () => own, servicesOf: () => [own], hoursOf: () => [] };
    const { services, hours: kept } = available({}, { availabilitySource }).scheduling.availability;
    expect(await services.list(agentOne, key)).toMatchObject([{ id: 'own', version: 0 }]);
    expect(await kept.list(agentOne)).toEqual([]);
    expect(await answerOrCode(() => kept.get(agentOne, { actorId: 'agent-1' }))).toBe('not_found');
    expect(await answerOrCode(() => services.save(supervisor, { ...key, rules: service() }))).toBe('invalid_state');
    expect(await answerOrCode(() => kept.save(supervisor, { actorId: 'agent-7', rules: hours }))).toBe('invalid_state');
  });
});
