import { operations } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { routeName } from './route-name.js';

describe('the route that a log line names', () => {
  it.each(operations.map(({ id, method, path }) => [id, method, path] as const))(
    'the route that a log line names is the template of %s',
    (_id, method, path) => {
      expect(routeName(method, path.replaceAll(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057'))).toBe(path);
    },
  );

  it.each([
    ['HEAD', '/api/v2/appointments', '/api/v2/appointments/'],
    ['GET', '/healthz', '/healthz'],
    ['GET', '/metrics', '/metrics'],
    ['POST', '/callbacks/sms', '/callbacks/sms'],
    ['GET', '/docs/swagger-ui.css', '/docs/*'],
    ['GET', '/ada@example.org', 'unknown'],
    ['PATCH', '/api/v2/appointments/', 'unknown'],
    ['GET', '/api/v2/appointments/ada/example', 'unknown'],
  ])('the route that a log line names of %s %s is %s', (method, path, route) => {
    expect(routeName(method, path)).toBe(route);
  });
});
