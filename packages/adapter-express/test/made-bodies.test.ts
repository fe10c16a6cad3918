import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, people, startHost } from './support/host.js';
import { creation } from './support/requests.js';

/** What a parser of a host makes of the text of this name. */
const makers: Readonly<Record<string, () => unknown>> = {
  BigInt: () => 5n,
  symbol: () => Symbol('x'),
  function: () => () => 1,
  cycle: () => {
    const itself: Record<string, unknown> = {};
    return Object.assign(itself, { again: itself });
  },
  Date: () => new Date(0),
  Map: () => new Map([['a', 1]]),
  getter: () =>
    Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('of the host');
      },
    }),
  toJSON: () => ({
    toJSON: () => {
      throw new Error('of the host');
    },
  }),
};

const reviver = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(makers, value) ? makers[value]?.() : value;

describe('A body of which a parser of the host has made what is no JSON', () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({
      build: (app, router, mount) => {
        app.use(express.json({ reviver, strict: false }));
        app.use(mount, router);
      },
    });
  });
  afterAll(() => host.close());

  const cases = Object.keys(makers).flatMap((name) => [
    [name, '/metadata', { metadata: { x: name } }] as const,
    [name, '/timezone', { timezone: name }] as const,
    [name, '/customers/0', { customers: [name] }] as const,
  ]);

  it.each(cases)(
    'a body of which a parser of the host has made what is no JSON is refused with its place: %s at %s',
    async (_name, place, more) => {
      for (const chunked of [false, true]) {
        for (const headers of [{}, { 'idempotency-key': 'k-1' }]) {
          const call = { as: people.agent, json: { ...creation(), ...more }, chunked, headers };
          const { status, body } = await host.call('POST', '/api/v2/appointments/', call);
          const [first] = body.errors as readonly { readonly pointer: string }[];
          expect(status).toBe(400);
          expect(first?.pointer.startsWith(place)).toBe(true);
          expect(JSON.stringify(body)).not.toContain('of the host');
        }
      }
      expect([host.faults, host.events]).toEqual([[], []]);
    },
  );
});
