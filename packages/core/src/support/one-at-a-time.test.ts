import { describe, expect, it } from 'vitest';
import { OneAtATime } from './one-at-a-time.js';

/** A task that waits until it is told to end. */
function task(log: string[], name: string): { run: () => Promise<string>; end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async (): Promise<string> => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end: () => end() };
}

/** Lets everything run that does not wait for something else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('Tasks of one key', () => {
  it('Tasks of one key run one after the other in the order of their calls', async () => {
    const log: string[] = [];
    const queue = new OneAtATime();
    const [first, second, third] = [task(log, '1'), task(log, '2'), task(log, '3')];
    const results = [first, second, third].map(({ run }) => queue.run('key', run));
    third.end();
    second.end();
    await settle();
    expect(log).toEqual(['1 begins']);
    first.end();
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
    expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
  });

  it('Tasks of one key go on when an earlier one fails', async () => {
    const queue = new OneAtATime();
    const failing = queue.run('key', () => Promise.reject(new Error('no')));
    const following = queue.run('key', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    await expect(following).resolves.toBe('yes');
  });

  it('Tasks of one key do not wait for tasks of another key', async () => {
    const log: string[] = [];
    const queue = new OneAtATime();
    const [slow, quick] = [task(log, 'slow'), task(log, 'quick')];
    const waiting = queue.run('one', slow.run);
    quick.end();
    await queue.run('other', quick.run);
    expect(log).toEqual(['slow begins', 'quick begins', 'quick ends']);
    slow.end();
    await waiting;
  });
});
