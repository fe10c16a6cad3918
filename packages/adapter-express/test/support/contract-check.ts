import { type Operation, operations, problemSchema } from '@calends/http-contract';
import { expect } from 'vitest';
import type { Reply } from './client.js';

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
}));

/** The operation that a request is for; names go before parameters. */
export function operationOf(method: string, path: string): Operation | undefined {
  const [bare = ''] = path.split('?');
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = patterns.filter(({ operation, pattern }) => operation.method === wanted && pattern.test(bare));
  return found.sort((one, other) => one.operation.pathParameters.length - other.operation.pathParameters.length)[0]
    ?.operation;
}

/** Every answer has a declared status, exactly the fields of its schema, and the headers of all answers. */
export function checkAnswer(method: string, path: string, reply: Reply): void {
  const operation = operationOf(method, path);
  if (operation === undefined) return;
  const declared = [...operation.statuses, ...operation.additiveStatuses];
  expect(declared, `${operation.id} does not declare ${reply.status}: ${reply.text}`).toContain(reply.status);
  const isFile = operation.success.mediaType !== undefined && reply.status < 400;
  // A file may be kept by anyone who asked for it, and must be asked for again.
  expect(reply.headers['cache-control']).toBe(isFile ? 'private, no-cache' : 'no-store');
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  expect(reply.headers['x-request-id']).toMatch(/^[\w.~-]{1,128}$/);
  expect(reply.headers['x-powered-by']).toBeUndefined();
  if (reply.status === 204 || reply.status === 304) expect(reply.text).toBe('');
  else if (isFile) expect(reply.headers['content-type']).toBe(`${operation.success.mediaType ?? ''}; charset=utf-8`);
  else if (method !== 'HEAD') checkBody(operation, reply);
}

function checkBody(operation: Operation, reply: Reply): void {
  const failed = reply.status >= 400;
  const schema = failed ? problemSchema : operation.success.schema;
  expect(reply.headers['content-type']).toBe(failed ? 'application/problem+json' : 'application/json');
  // What is written as it is read has no length beforehand (D69).
  const flows = !failed && operation.useCase === 'listEligible';
  const length = String(Buffer.byteLength(reply.text));
  // Servers behind the fetch door may write a short one as a whole.
  const framings = flows
    ? [
        [undefined, 'chunked'],
        [length, undefined],
      ]
    : [[length, undefined]];
  expect(framings).toContainEqual([reply.headers['content-length'], reply.headers['transfer-encoding']]);
  expect(schema?.parse(reply.body)).toEqual(reply.body);
  if (!failed) return;
  expect(reply.body).toMatchObject({ status: reply.status, requestId: reply.headers['x-request-id'] });
  expect(reply.body.type).toBe(`urn:calends:problem:${String(reply.body.code)}`);
}
