import { createScheduling } from '@calends/core';
import { schedulingHttp, wholeBody } from '@calends/http';
import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { codeBlocks, read } from './documents.js';

it('the error body that the guide shows is the one that is answered', async () => {
  const [shown] = codeBlocks(read('docs/guides/errors.md')).filter(({ language }) => language === 'json');
  const body = JSON.parse(shown?.code ?? '') as { requestId: string };
  const scheduling = createScheduling({ store: memoryStore(), secret: 'a secret of at least thirty-two bytes' });
  const http = schedulingHttp(scheduling, {
    authentication: { verify: () => ({ id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] }) },
    requestIds: () => body.requestId,
  });
  const command = {
    applicationId: 'app-1',
    start: '2999-05-04T09:00:00Z',
    duration: 'PT30M',
    timezone: 'UTC',
    customers: [{ contact: { primaryEmail: 'not an address' } }],
  };
  const sent = new TextEncoder().encode(JSON.stringify(command));
  const headers: Record<string, string> = {
    authorization: 'Bearer any',
    'content-type': 'application/json',
    'content-length': String(sent.byteLength),
  };
  const answer = await http.handle({
    method: 'POST',
    path: '/api/v2/appointments/',
    query: '',
    header: (name) => headers[name],
    body: () => ({ kind: 'stream', read: () => Promise.resolve(sent) }),
  });
  expect(answer?.status).toBe(400);
  expect(JSON.parse(answer === undefined ? '' : await wholeBody(answer))).toEqual(body);
});
