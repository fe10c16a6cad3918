import { expect, it } from 'vitest';
import { textTable } from './text-table.js';

it('a table has columns as wide as they need, and no control characters', () => {
  expect(
    textTable(
      ['ID', 'MESSAGE'],
      [
        ['long-id', ''],
        ['1', 'red\u001b[31m\nline'],
      ],
    ),
  ).toBe('ID       MESSAGE\nlong-id\n1        red [31m line\n');
});
