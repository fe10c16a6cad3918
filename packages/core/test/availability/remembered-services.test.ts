import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import type { FindQuery, ServiceRules } from '../../src/operations.js';
import { wrapStore } from '../../src/store.js';
import { answerOrCode } from '../error-of.js';
import { supervisor } from '../fixtures.js';
import { at, available, service } from './sample-service.js';

const visit = { applicationId: 'app-1', serviceId: 'visit' };
const morning = { ...visit, from: at('09:00'), to: at('12:00') };

/** A process that has searched for a service before, the calls of its store since then, and another process over the same store. */
async function searched(rules: Partial<ServiceRules> = {}) {
  const store = memoryStore();
  const asked: string[] = [];
  const counting = wrapStore(store, (name, call) => (...given) => {
    if (name.startsWith('availability.')) asked.push(name);
    return call(...given);
  });
  const other = available({}, { store }).scheduling.availability;
  const { find } = available({}, { store: counting }).scheduling.availability;
  const save = (next: Partial<ServiceRules>) => other.services.save(supervisor, { ...visit, rules: service(next) });
  await save(rules);
  const starts = async (more: Partial<FindQuery> = {}) =>
    answerOrCode(async () => {
      const { durations } = await find(supervisor, { ...morning, ...more });
      return durations.map(({ duration, offers }) => [duration / 60_000, offers.length]);
    });
  await starts();
  asked.length = 0;
  return { asked, other, save, starts };
}

const onlyTimes = ['availability.listTimes'];

describe('A service that was looked for before', () => {
  it('a service that was looked for before is not read again: the store is asked once', async () => {
    const { asked, starts } = await searched();
    expect(await starts()).toEqual([[30, 6]]);
    expect(await starts({ agentIds: ['agent-2'], durations: ['PT30M'] })).toEqual([[30, 6]]);
    expect(asked).toEqual([...onlyTimes, ...onlyTimes]);
  });

  it('a service that was looked for before and was changed elsewhere is offered by its new rules', async () => {
    const { asked, save, starts } = await searched();
    await save({ durations: ['PT1H'], grid: { step: 'PT1H' } });
    expect(await starts()).toEqual([[60, 3]]);
    expect(asked).toEqual([...onlyTimes, 'availability.listRecords', ...onlyTimes]);
    expect(await starts()).toEqual([[60, 3]]);
    expect(asked.slice(3)).toEqual(onlyTimes);
  });

  it('a service that was looked for before and was archived elsewhere is offered no more', async () => {
    const { other, starts } = await searched();
    await other.services.archive(supervisor, visit);
    expect(await starts()).toBe('not_found');
    expect(await starts()).toBe('not_found');
  });

  it('a service that was looked for before takes at once what was added to it elsewhere: an agent, and a duration', async () => {
    const { save, starts } = await searched({ requirements: [{ kind: 'agent', anyOf: ['agent-1'] }] });
    expect(await starts({ agentIds: ['agent-2'] })).toBe('not_found');
    expect(await starts({ durations: ['PT1H'] })).toBe('validation_failed');
    await save({ durations: ['PT30M', 'PT1H'] });
    expect(await starts({ agentIds: ['agent-2'] })).toEqual([
      [30, 6],
      [60, 5],
    ]);
    await save({ durations: ['PT2H'] });
    expect(await starts({ durations: ['PT2H'] })).toEqual([[120, 3]]);
  });

  it('a service that was looked for before is read again where nothing says whether it still stands: limits, and a time that is over', async () => {
    const limited = await searched({ limits: [{ per: 'service', window: 'day', max: 100 }] });
    await limited.starts();
    expect(limited.asked).toContain('availability.listRecords');
    const { asked, starts } = await searched();
    expect(await starts({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).toEqual([[30, 0]]);
    expect(asked).toEqual(['availability.listRecords']);
  });
});
