import { describe, expect, it, vi } from 'vitest';
import { createLog } from './log.js';
import { signalLog } from './signal-log.js';

describe('The log of signals', () => {
  it('the log of signals warns of a web hook endpoint that is disabled, and says which and why', () => {
    const log = createLog('silent');
    const warn = vi.spyOn(log, 'warn');
    const names = { organizationId: 'org-1', applicationId: 'app-1', endpointId: 'crm', reason: 'it answered 410' };
    signalLog(log).observe({ type: 'endpointDisabled', ...names });
    expect(warn.mock.calls).toEqual([[names, 'web hook endpoint disabled']]);
  });

  it('the log of signals warns of a security event, and says what, why and from where', () => {
    const log = createLog('silent');
    const warn = vi.spyOn(log, 'warn');
    const event = {
      kind: 'wrongCode',
      reason: 'the code is another one',
      applicationId: 'app-1',
      source: '8.8.8.8',
    } as const;
    signalLog(log).observe({ type: 'security', ...event });
    expect(warn.mock.calls).toEqual([[event, 'security event']]);
  });
});
