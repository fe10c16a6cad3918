import { describe, expect, it } from 'vitest';
import { limits } from '@calends/model';
import { errorOf } from '../../test/error-of.js';
import { InputIssues } from '../domain/calls/input.js';
import { pageOf, readPage, storedPage } from './page.js';

const fields = ['start', 'title'] as const;
const standard = { field: 'start', order: 'asc' } as const;

async function faultsOf(asked: object): Promise<readonly string[]> {
  const issues = new InputIssues();
  readPage(asked, fields, standard, issues);
  return errorOf(() => issues.throwIfAny()).then(
    (error) => error.issues.map(({ pointer, code }) => `${pointer} ${code}`),
    () => [],
  );
}

describe('A page (D30, D31)', () => {
  it('a page has 20 of at most 100 by default, the first one, in the default order', () => {
    expect([limits.pageSize, limits.pageSizeMax]).toEqual([20, 100]);
    expect(readPage({}, fields, standard, new InputIssues())).toEqual({
      sortField: 'start',
      sortOrder: 'asc',
      pageNumber: 1,
      pageSize: 20,
    });
  });

  it.each([
    { pageSize: 1 },
    { pageSize: 100 },
    { pageNumber: 1 },
    { pageNumber: limits.pageNumberMax },
    { sortField: 'title' },
  ])('the page %j is taken', async (asked) => {
    expect(await faultsOf(asked)).toEqual([]);
  });

  const sizes = [0, -1, 101, 1.5, NaN, Infinity, 1e3, 9.2e18, '20', null];
  const numbers = [0, -1, 1.5, NaN, Infinity, 2 ** 53, 9.2e18, '1'];

  it.each(sizes.filter((size) => size !== null))('pageSize %s is refused', async (pageSize) => {
    expect(await faultsOf({ pageSize })).toEqual(['/pageSize out_of_range']);
  });

  it.each(numbers)('pageNumber %s is refused', async (pageNumber) => {
    expect(await faultsOf({ pageNumber })).toEqual(['/pageNumber out_of_range']);
  });

  it.each(['createdAt', 'Start', 'users.password', "start'--", '__proto__', ''])(
    'sortField %j is refused',
    async (sortField) => {
      expect(await faultsOf({ sortField })).toEqual(['/sortField invalid_value']);
    },
  );

  it.each(['ASC', 'descending', ''])('sortOrder %j is refused', async (sortOrder) => {
    expect(await faultsOf({ sortOrder })).toEqual(['/sortOrder invalid_value']);
  });

  it('a store is asked for no page whose offset is not exact', () => {
    const farthest = { ...readPage({}, fields, standard, new InputIssues()), pageNumber: limits.pageNumberMax };
    expect(storedPage(farthest)).toEqual({ ...farthest, pageNumber: 90_071_992_547_409 });
  });

  it.each([
    [0, 0],
    [1, 1],
    [20, 1],
    [21, 2],
  ])('a page of %i entities in all are %i pages of 20', (total, pageCount) => {
    const page = readPage({}, fields, standard, new InputIssues());
    expect(pageOf({ items: [], total }, page)).toEqual({ ...page, items: [], total, pageCount });
  });
});
