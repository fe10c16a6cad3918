import { describe, expect, it, vi } from 'vitest';
import { createLog } from './log.js';
import { signalLog } from './signal-log.js';

describe('The log of signals', () => {
  it('warns of a web hook endpoint that is disabled, and says which and why', () => {
    const log = createLog('silent');
    const warn = vi.spyOn(log, 'warn');
    const names = { organizationId: 'org-1', applicationId: 'app-1', endpointId: 'crm', reason: 'it answered 410' };
    signalLog(log).observe({ type: 'endpointDisabled', ...names });
    expect(warn.mock.calls).toEqual([[names, 'web hook endpoint disabled']]);
  });
});
