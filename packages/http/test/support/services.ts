import { type Caller, createScheduling } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { schedulingHttp, type SchedulingHttp, type SchedulingHttpOptions } from '../../src/index.js';

export const base = '/api/v2/appointments';
export const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
export const creation = {
  applicationId: 'app-1',
  start: '2999-01-02T09:00:00Z',
  duration: 'PT30M',
  timezone: 'UTC',
  customers: [{ username: 'ada' }],
};
export const bearer = { authorization: 'Bearer valid' };

/** The services over an empty store; the token `valid` is that of the agent. */
export function services(options: Partial<SchedulingHttpOptions> = {}): SchedulingHttp {
  const scheduling = createScheduling({ store: memoryStore(), secret: 'a secret of the tests of more than 32 bytes' });
  return schedulingHttp(scheduling, {
    authentication: { verify: (token) => (token === 'valid' ? agent : undefined) },
    ...options,
  });
}
