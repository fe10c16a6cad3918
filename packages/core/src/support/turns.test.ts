import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

/** Tasks that wait until they are told to end, and what has begun of them. */
function tasks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, task, end: (name: string) => ends.get(name)?.() };
}

/** Lets everything run that does not wait for something else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const names = (stem: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${stem}${String(index)}`);

describe('The turns of long answers', () => {
  it('the turns of long answers let further parts go one after the other, in the order of their calls', async () => {
    const { begun, task, end } = tasks();
    const turns = new Turns();
    const results = ['a', 'b', 'c'].map((name) => turns.further(task(name)));
    await settle();
    expect(begun).toEqual(['a']);
    end('a');
    await settle();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await settle();
    end('c');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
  });

  it('the turns of long answers let first parts go before further ones that wait, four at a time', async () => {
    const { begun, task, end } = tasks();
    const turns = new Turns();
    const results = [
      turns.further(task('x')),
      turns.further(task('y')),
      ...names('f', 6).map((name) => turns.first(task(name))),
    ];
    await settle();
    expect(begun).toEqual(['x', 'f0', 'f1', 'f2', 'f3']);
    end('x');
    await settle();
    expect(begun).toHaveLength(5);
    for (const name of names('f', 4)) end(name);
    await settle();
    expect(begun.slice(5)).toEqual(['f4', 'f5']);
    end('f4');
    end('f5');
    await settle();
    expect(begun.at(-1)).toBe('y');
    end('y');
    await Promise.all(results);
  });

  it('the turns of long answers let a further part go once twenty first parts have passed it', async () => {
    const order: string[] = [];
    const turns = new Turns();
    const note = (name: string) => (): void => {
      order.push(name);
    };
    const firsts = names('f', 50).map((name) => turns.first(note(name)));
    await Promise.all([...firsts, turns.further(note('further'))]);
    expect(order.indexOf('further')).toBeGreaterThanOrEqual(20);
    expect(order.indexOf('further')).toBeLessThan(25);
  });

  it.each(['first', 'further'] as const)('the turns of long answers go on when a %s part fails', async (kind) => {
    const turns = new Turns();
    const failing = Array.from({ length: 5 }, () => turns[kind](() => Promise.reject(new Error('no'))));
    const following = turns.further(() => 'yes');
    for (const each of failing) await expect(each).rejects.toThrow('no');
    await expect(following).resolves.toBe('yes');
  });

  it('the turns of long answers keep the async context of each caller', async () => {
    const turns = new Turns();
    const caller = new AsyncLocalStorage<string>();
    const run = (name: string) =>
      caller.run(name, () =>
        turns.further(() => new Promise((resolve) => setImmediate(() => resolve(caller.getStore())))),
      );
    expect(await Promise.all(['a', 'b', 'c'].map(run))).toEqual(['a', 'b', 'c']);
  });

  it('the turns of long answers are turns of the event loop, so that others come between two of them', async () => {
    const turns = new Turns();
    let others = 0;
    let isOver = false;
    const other = (): void => {
      others += 1;
      if (!isOver) setImmediate(other);
    };
    setImmediate(other);
    await Promise.all(names('p', 10).map(() => turns.further(() => undefined)));
    isOver = true;
    expect(others).toBeGreaterThanOrEqual(9);
  });
});
