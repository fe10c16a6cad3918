import { describe, expect, it } from 'vitest';
import { isJson, takesOnlyPlainJson } from './headers.js';

describe('a body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset=utf-8; boundary=x',
    'application/json;',
    'application/json; profile="https://schemas.example/appointment#v1"; charset=utf-8',
    'application/json; x="a; b \\" c"',
    "application/json; x=!#$%&'*+.^`|~-",
  ])('a body is JSON as %s', (type) => {
    expect(isJson(type)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset',
    'application/json, text/plain',
    'application/json; x=", text/plain"',
    'application/json; x="; charset=utf-8',
    'application/json; x="; charset=utf-8"; charset=latin1',
    'application/json; x=a b',
    'application/problem+json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    `application/json; x=${'y'.repeat(10_000)}`,
  ])('a body is not JSON as %s', (type) => {
    expect(isJson(type)).toBe(false);
  });
});

describe('problems come as application/json (D36)', () => {
  it.each([
    'application/json',
    'text/html, application/json;q=0.9',
    'application/json;q=0.001',
    'application/json, application/problem+json;q=0',
    'application/problem+json; q=0.000, application/*;q=0.5',
    'application/json, application/*;q=0, */*;q=0',
    'application/json;charset=utf-8, */*;Q=0',
    'application/json;v=2;q=0, application/json',
  ])('problems come as application/json for Accept: %s', (accept) => {
    expect(takesOnlyPlainJson(accept)).toBe(true);
  });

  it.each([
    undefined,
    '*/*',
    'application/json, */*;q=0.1',
    'application/problem+json, application/json',
    'application/*',
    'text/html',
    'application/json;q=0',
    'application/json; q=0.0 , text/html',
    'application/json;q=0, */*;q=0',
    'application/json, application/problem+json;q=0.1, */*;q=0',
    'application/json;q=0, application/problem+json;q=0, */*',
    `application/json,${'x'.repeat(10_000)}`,
  ])('problems do not come as application/json for Accept: %s', (accept) => {
    expect(takesOnlyPlainJson(accept)).toBe(false);
  });
});
