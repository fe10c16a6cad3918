import { describe, expect, it } from 'vitest';
import type { Outcome } from './rows.js';
import { drive, run, runSingle, type Steps } from './steps.js';

const rowsOf = (...rows: readonly Record<string, unknown>[]): Outcome => ({ rows, affected: rows.length });

function* twoStatements(): Steps<readonly unknown[]> {
  const first = yield* run('first', [1]);
  const second = yield* runSingle('second', [first.affected]);
  return [first.rows, second];
}

describe('work as steps', () => {
  it('work as steps gets the outcome of each statement, awaited or not', async () => {
    const outcomes: Record<string, Outcome> = { first: rowsOf({ a: 1 }, { a: 2 }), second: rowsOf({ b: 3 }) };
    const expected = [[{ a: 1 }, { a: 2 }], { b: 3 }];
    const perform = (text: string): Outcome => outcomes[text] ?? rowsOf();
    expect(await drive(twoStatements(), ({ text }) => perform(text))).toEqual(expected);
    expect(await drive(twoStatements(), ({ text }) => Promise.resolve(perform(text)))).toEqual(expected);
  });

  it('work as steps is done before anybody else gets a turn when the driver answers at once', () => {
    const seen: string[] = [];
    void Promise.resolve().then(() => seen.push('somebody else'));
    void drive(twoStatements(), ({ text }) => {
      seen.push(text);
      return rowsOf();
    });
    expect(seen).toEqual(['first', 'second']);
  });

  it('work as steps is told of a fault where it asked for the statement, and may go on', async () => {
    function* careful(): Steps<string> {
      try {
        yield* run('first');
        return 'unreachable';
      } catch {
        yield* run('rollback');
        return 'undone';
      }
    }
    for (const broken of [
      () => {
        throw new Error('broken');
      },
      () => Promise.reject(new Error('broken')),
    ]) {
      expect(await drive(careful(), ({ text }) => (text === 'first' ? broken() : rowsOf()))).toBe('undone');
      await expect(drive(twoStatements(), broken)).rejects.toThrow('broken');
    }
  });
});
