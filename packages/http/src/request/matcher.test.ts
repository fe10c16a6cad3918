import { operations } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { createMatcher } from './matcher.js';

const match = createMatcher(operations);

function found(method: string, path: string): string | undefined {
  const result = match(method, path);
  if (result === undefined) return undefined;
  return result.kind === 'operation' ? [result.operation.id, ...result.segments].join(' ') : `Allow: ${result.allow}`;
}

describe('the matcher', () => {
  it('the matcher finds every operation of the catalogue under its own method and path, with and without trailing slash', () => {
    for (const operation of operations) {
      const path = operation.path.replaceAll(/\{\w+\}/g, 'some-id');
      const bare = path.endsWith('/') ? path.slice(0, -1) : path;
      const expected = [operation.id, ...operation.pathParameters.map(() => 'some-id')].join(' ');
      expect(found(operation.method, bare)).toBe(expected);
      expect(found(operation.method, `${bare}/`)).toBe(expected);
    }
  });

  it.each([
    ['GET', '/api/v2/appointments/count', 'countAppointments'],
    ['GET', '/api/v2/appointments/eligible/', 'listEligibleAppointments'],
    ['GET', '/api/v2/appointments/activate', 'getAppointment activate'],
    ['HEAD', '/api/v2/appointments/count', 'countAppointments'],
    ['GET', '/api/v2/appointments/%63ount', 'getAppointment %63ount'],
    ['GET', '/api/v2/hours/exceptions', 'getHours exceptions'],
    ['PUT', '/api/v2/hours/a/exceptions/b/', 'saveException a b'],
  ])('names win over parameters: %s %s is %s', (method, path, expected) => {
    expect(found(method, path)).toBe(expected);
  });

  it.each([
    ['PATCH', '/api/v2/appointments', 'Allow: GET, HEAD, POST, PUT'],
    ['POST', '/api/v2/appointments/count', 'Allow: GET, HEAD'],
    ['GET', '/api/v2/appointments/x/cancel', 'Allow: PUT'],
    ['GET', '/api/appointments/basic', 'Allow: POST'],
    ['get', '/api/v2/appointments/count', 'Allow: GET, HEAD'],
  ])('a known path with a method that it does not have says which it has: %s %s', (method, path, expected) => {
    expect(found(method, path)).toBe(expected);
  });

  it.each([
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/api/v2/appointments/a/b'],
    ['PUT', '/api/appointments/x/cancel'],
    ['GET', '/api/v2/appointments//'],
    ['PUT', '/api/v2/hours//exceptions/b'],
    ['PUT', '/api/v2/hours/a/exceptions/b/c'],
    ['GET', '/api/calendar-feeds/aXics'],
    ['GET', '//api/v2/appointments'],
    ['GET', '/API/v2/appointments'],
    ['GET', '/api/v3/appointments'],
    ['OPTIONS', '/api/v2/appointments'],
  ])('the matcher leaves to the host what is not in the documents: %s %s', (method, path) => {
    expect(found(method, path)).toBeUndefined();
  });

  it('the matcher cannot be made of two operations with one method and path', () => {
    const get = { method: 'GET', path: '/a/{id}' } as const;
    expect(() => createMatcher([get, { method: 'GET', path: '/a/{other}/' }])).toThrow('is there twice');
  });
});
