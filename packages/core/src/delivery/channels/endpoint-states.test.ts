import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { hours, seconds } from '@calends/model';
import { now } from '../../../test/sample-appointments.js';
import type { EndpointKey } from '../../ports/store/notifications.js';
import { endpointKeyOf, EndpointStates } from './endpoint-states.js';

function states() {
  const inner = memoryStore().notifications;
  const reads: EndpointKey[] = [];
  const store = {
    ...inner,
    findEndpoint: (key: EndpointKey) => {
      reads.push(key);
      return inner.findEndpoint(key);
    },
  };
  const clock = { at: now, now: () => clock.at };
  const process = () => new EndpointStates(store, clock, { observe: () => undefined });
  return { reads, clock, endpoints: process(), enabledElsewhere: (key: EndpointKey) => process().enable(key) };
}

const keyOf = (organizationId: string, applicationId: string, id: string): EndpointKey =>
  endpointKeyOf({ organizationId, applicationId }, { id, label: id, url: 'https://crm.example/hooks', secret: '' });

describe('What is known of an endpoint', () => {
  it('what is known of an endpoint is answered at once and read once a second at most, as long as nothing changes', async () => {
    const { endpoints, reads, clock } = states();
    const key = keyOf('org-1', 'app-1', 'crm');
    expect(await endpoints.isDisabled(key)).toBe(false);
    expect([endpoints.isDisabled(key), endpoints.record(key, 'delivered')]).toEqual([false, undefined]);
    expect(reads).toHaveLength(1);
    clock.at += seconds(1);
    expect(endpoints.isDisabled(key)).toBe(false);
    await endpoints.record(key, 'delivered');
    expect(endpoints.record(key, 'delivered')).toBeUndefined();
    expect(reads).toHaveLength(2);
  });

  it('what is known of an endpoint is read again when the clock has gone back', async () => {
    const { endpoints, clock, enabledElsewhere } = states();
    const key = keyOf('org-1', 'app-1', 'crm');
    clock.at += hours(2);
    await endpoints.record(key, 'gone');
    clock.at -= hours(2);
    await enabledElsewhere(key);
    expect(await endpoints.isDisabled(key)).toBe(false);
  });

  it('what is known of an endpoint holds for no other whose ids make the same text when they are joined', async () => {
    const { endpoints } = states();
    const gone = keyOf('a', 'b 1', 'c');
    await endpoints.record(gone, 'gone');
    expect(await endpoints.isDisabled(gone)).toBe(true);
    for (const other of [keyOf('ab', ' 1', 'c'), keyOf('a', 'b ', '1c'), keyOf('a b', '1', 'c')]) {
      expect(await endpoints.isDisabled(other)).toBe(false);
    }
  });
});
