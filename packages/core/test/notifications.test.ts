import { describe, expect, it } from 'vitest';
import type { NotificationSortField } from '../src/store.js';
import type { NotificationListQuery } from '../src/operations.js';
import { fixture, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';

const { notifications } = fixture().scheduling;
const query: NotificationListQuery<NotificationSortField> = { applicationId: 'app-1' };

describe('Notifications, while nothing plans any', () => {
  it('notifications are empty pages with the default sorting (D30, D31)', async () => {
    const page = { items: [], total: 0, pageCount: 0, pageNumber: 1, pageSize: 20, sortOrder: 'desc' };
    expect(await notifications.listStatuses(supervisor, query)).toEqual({ ...page, sortField: 'createdAt' });
    const events = await notifications.listEvents(supervisor, { applicationId: 'app-1' });
    expect(events).toEqual({ ...page, sortField: 'timestamp' });
  });

  it.each<[string, Partial<typeof query>, string]>([
    ['no application', { applicationId: '' }, '/applicationId'],
    ['from = to', { from: '2030-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' }, '/to'],
    ['from after to', { from: '2030-01-02T00:00:00Z', to: '2030-01-01T00:00:00Z' }, '/to'],
    ['a from without a zone', { from: '2030-01-02T00:00:00' }, '/from'],
    ['an unknown sort field', { sortField: 'title' as 'id' }, '/sortField'],
    ['a page size of 101', { pageSize: 101 }, '/pageSize'],
  ])('notifications are refused with %s (D35)', async (_what, more, pointer) => {
    const error = await errorOf(() => notifications.listStatuses(supervisor, { ...query, ...more }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer }] });
  });

  it('notifications of an application that the token may not use are forbidden (D34)', async () => {
    const limited = { ...supervisor, applicationIds: ['app-2'] };
    for (const call of [
      () => notifications.listStatuses(limited, query),
      () => notifications.listEvents(limited, { applicationId: 'app-1' }),
      () => notifications.pollProperties(limited, 'app-1'),
    ]) {
      expect((await errorOf(call)).code).toBe('forbidden');
    }
  });

  it('notifications have the system defaults for polling (D58)', async () => {
    const values = Object.entries(await notifications.pollProperties(supervisor, 'unknown'));
    expect(Object.fromEntries(values.map(([name, { value }]) => [name, value]))).toEqual({
      enabled: 'true',
      initialDelay: 'PT15S',
      interval: 'PT1M',
      backoffFactor: '2',
      maxInterval: 'PT15M',
      maxAttempts: '10',
      timeout: 'PT24H',
    });
    expect(new Set(values.map(([, { source }]) => source))).toEqual(new Set(['SYSTEM_DEFAULT']));
  });

  it('notifications have sixteen webhook types, and nothing to retry', async () => {
    expect(notifications.webhookTypes()).toHaveLength(16);
    expect((await errorOf(() => notifications.retry(supervisor, 'any'))).code).toBe('not_found');
  });
});
