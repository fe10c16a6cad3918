import { CalendsError, type ErrorCode, errorCodes } from '@calends/core';
import { StoreError } from '@calends/core/store';
import { problems, problemSchema } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { toProblem } from './to-problem.js';

describe('an error of the library as a problem', () => {
  it.each(errorCodes)('%s has the status of the catalogue and a body that the contract knows', (code) => {
    const { status, headers, body } = toProblem(new CalendsError(code, 'A sentence.'), { requestId: 'request-1' });
    expect(status).toBe(problems[code].status);
    expect(problemSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ status, code, requestId: 'request-1' });
    expect(headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'x-request-id': 'request-1',
    });
    expect(headers['Retry-After']).toBe(
      ['unavailable', 'rate_limited', 'idempotency_in_progress'].includes(code) ? '1' : undefined,
    );
    expect(headers['WWW-Authenticate']).toBe(code === 'unauthenticated' ? 'Bearer realm="calends"' : undefined);
  });

  it.each<[string, unknown, ErrorCode]>([
    ['an error of the host', new Error('password=hunter2'), 'internal'],
    ['a text', 'password=hunter2', 'internal'],
    ['nothing', undefined, 'internal'],
    ['null', null, 'internal'],
    ['a code of a later version', new CalendsError('password=hunter2' as never, 'password=hunter2'), 'internal'],
    ['a code that objects have', new CalendsError('constructor' as never, 'password=hunter2'), 'internal'],
    ['an unexpected fault of a store', new StoreError('unexpected', 'password=hunter2'), 'internal'],
    ['a store that does not answer', new StoreError('unavailable', 'password=hunter2'), 'unavailable'],
  ])('%s says nothing of its own text', (_, error, code) => {
    const answer = toProblem(error);
    expect(answer.body.code).toBe(code);
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  it('an error of the library as a problem has the status that the operation answers with, where there are two', () => {
    const error = new CalendsError('invalid_state', 'It is over.');
    expect(toProblem(error, { operation: 'activateAppointment' }).status).toBe(400);
    expect(toProblem(error, { operation: 'cancelAppointment' }).status).toBe(409);
  });

  it('an error of the library as a problem is refused with a misspelt name of what is known of the call', () => {
    const context = { opration: 'activateAppointment' } as object;
    expect(() => toProblem(new Error('x'), context)).toThrow(
      new TypeError('toProblem: unknown option opration; did you mean operation?'),
    );
  });

  it.each([undefined, 'a b', '<script>', 'x'.repeat(129)])(
    'an error of the library as a problem makes a request id in the place of %j',
    (requestId) => {
      const { body } = toProblem(new Error('x'), requestId === undefined ? {} : { requestId });
      expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
