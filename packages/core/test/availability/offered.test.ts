import { type AvailabilityOptions, type Caller, createScheduling } from '@calends/core';
import type { ServiceRules, Visitor } from '@calends/core/operations';
import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { answerOrCode } from '../error-of.js';

const rules: ServiceRules = {
  title: 'Check-up',
  description: 'Room 4, second floor.',
  timezone: 'Europe/Athens',
  durations: ['PT30M', 'PT1H'],
  grid: { step: 'PT15M' },
  requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
};
const offered = {
  id: 'check-up',
  title: 'Check-up',
  description: 'Room 4, second floor.',
  durations: ['PT30M', 'PT1H'],
  timezone: 'Europe/Athens',
};
const visitor: Visitor = { clientAddress: '8.8.8.8' };
const staff: Caller = { id: 'agent-1', organizationId: 'default', roles: ['ROLE_AGENT'] };
const supervisor: Caller = { ...staff, roles: ['ROLE_SUPERVISOR'] };
const customer: Caller = { ...staff, roles: ['ROLE_CUSTOMER'] };

function host(options: AvailabilityOptions = {}) {
  const { availability } = createScheduling({
    store: memoryStore(),
    secret: 'a secret of at least thirty-two bytes',
    applications: { 'app-1': {}, 'app-2': { organizationId: 'org-2' } },
    availability: { services: { 'app-1': { 'check-up': rules } }, ...options },
  });
  return {
    ...availability,
    ask: (asker: Caller | Visitor, applicationId = 'app-1') => availability.offered(asker, { applicationId }),
  };
}

it('offered services have what one chooses by, and neither who nor rules', async () => {
  expect(await host({ public: true }).ask(visitor)).toEqual([offered]);
});

it('an archived service is not offered', async () => {
  const { ask, services } = host();
  const key = { applicationId: 'app-1', serviceId: 'other' };
  await services.save(supervisor, { ...key, rules: { ...rules, title: 'Other' } });
  expect((await ask(staff)).map(({ id }) => id)).toEqual(['check-up', 'other']);
  await services.archive(supervisor, key);
  expect(await ask(staff)).toEqual([offered]);
});

it('services are offered to visitors where the host made it public, and to those that its own page lets in', async () => {
  const { ask } = host();
  expect(await answerOrCode(() => ask(visitor))).toBe('unauthenticated');
  expect(await answerOrCode(() => ask(customer))).toBe('forbidden');
  expect(await ask({ ...visitor, admitted: true })).toEqual([offered]);
});

it('staff is offered services of their own applications only', async () => {
  const { ask } = host();
  expect(await ask(staff, 'app-2')).toEqual([]);
  expect(await answerOrCode(() => ask({ ...staff, applicationIds: ['app-3'] }))).toBe('forbidden');
  expect(await answerOrCode(() => ask(staff, ''))).toBe('validation_failed');
});

it('services are not there where availability is off', async () => {
  const { availability } = createScheduling({ store: memoryStore(), secret: 'a secret of at least thirty-two bytes' });
  expect(await answerOrCode(() => availability.offered(staff, { applicationId: 'app-1' }))).toBe('not_found');
});
