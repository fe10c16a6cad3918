import { expect, it } from 'vitest';
import { isWellFormedId } from '@calends/model';
import { codeOrValue } from '../../test/error-of.js';
import { checkedIds, type Ids, randomIds } from './random.js';

it('an id is UUIDv7 text made by the library, later ones sorted after earlier ones', () => {
  const made = Array.from({ length: 100 }, () => randomIds.next());
  expect(made.every(isWellFormedId)).toBe(true);
  expect(made.every((id) => id[14] === '7')).toBe(true);
  expect(made).toEqual([...made].sort());
  expect(new Set(made).size).toBe(100);
});

const uuid = '019a3f5c-0000-7000-8000-00000000000a';

it.each<[string, unknown]>([
  ['no string', 7],
  ['nothing', undefined],
  ['a string that is no UUID', 'appointment-1'],
  ['a UUID in capitals', uuid.toUpperCase()],
  ['a UUID and more', `${uuid}\n`],
])('a source of ids that gives %s is told when it is first asked', (_what, given) => {
  const ids = checkedIds({ next: () => given } as Ids);
  expect(codeOrValue(() => ids.next())).toBe('internal');
});

it('a source of ids that gives one twice is told the second time', () => {
  const ids = checkedIds({ next: () => uuid });
  expect(ids.next()).toBe(uuid);
  expect(codeOrValue(() => ids.next())).toBe('internal');
});

it('ids of a source that gives new ones are as it gives them, and the own source is asked without a check', () => {
  let count = 0;
  const made = () => `019a3f5c-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
  const ids = checkedIds({ next: made });
  expect([ids.next(), ids.next()].map((id) => id.slice(-1))).toEqual(['1', '2']);
  expect(checkedIds(randomIds)).toBe(randomIds);
});
