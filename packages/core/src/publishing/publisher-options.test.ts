import { expect, it } from 'vitest';
import { readPublisherOptions } from './publisher-options.js';

const read = (options: Readonly<Record<string, unknown>>) =>
  readPublisherOptions('testPublisher', options, {
    url: options['url'] as string | undefined,
    given: options['client'],
    others: ['client'],
    protocols: ['test:', 'tests:'],
    faults: [],
  });

it('options of a publisher have defaults', () => {
  expect(read({ url: 'test://host' })).toEqual({ timeout: 5000, source: 'calends', place: { url: 'test://host' } });
  const client = {};
  expect(read({ client, timeout: 10, source: '/a' }).place).toBe(client);
});

it.each([
  [{}, 'either url or client must be given'],
  [{ url: 'test://host', client: {} }, 'either url or client must be given'],
  [{ url: 'http://user:hidden@host' }, 'url: must begin with test:// or tests:// and name a host'],
  [{ url: 'test://user:%hidden@host' }, 'url: must be percent-encoded'],
  [{ url: 'test://host/%zz' }, 'url: must be percent-encoded'],
  [{ url: 'test:' }, 'url: must begin with test:// or tests:// and name a host'],
  [{ url: 'test://host', timeout: 9 }, 'timeout: must be whole milliseconds from 10 to 600000'],
  [{ url: 'test://host', source: 'a b' }, 'source: must be a URI reference'],
  [{ url: 'test://host', adress: 1 }, 'unknown option adress'],
])('options of a publisher that are unusable are told: %j', (options, fault) => {
  expect(() => read(options)).toThrow(new TypeError(`testPublisher: \n  - ${fault}`));
});
