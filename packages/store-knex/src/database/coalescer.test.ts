import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tracer } from '@calends/core';
import type { SpanName, SpanSettings } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import { Coalescer, type Coalescing } from './coalescer.js';

/** A batch that was sent and waits for its end. */
interface Sent {
  readonly jobs: readonly string[];
  readonly end: (answers?: readonly (string | Promise<string>)[]) => void;
  readonly fail: (error: Error) => void;
}

type Options = Partial<Omit<Coalescing<string, string>, 'perform'>>;

function coalescing(options: Options = {}): { sent: Sent[]; coalescer: Coalescer<string, string> } {
  const sent: Sent[] = [];
  const perform = (jobs: readonly string[]): Promise<readonly (string | Promise<string>)[]> =>
    new Promise((resolve, reject) => {
      sent.push({
        jobs,
        end: (answers = jobs.map((job) => job.toUpperCase())) => {
          resolve(answers);
        },
        fail: reject,
      });
    });
  return { sent, coalescer: new Coalescer({ lanes: 1, limit: 100, patience: 0, ...options, perform }) };
}

const jobsOf = (sent: readonly Sent[]): readonly (readonly string[])[] => sent.map(({ jobs }) => jobs);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('calls under pressure', () => {
  it('calls go out at once, alone, when nothing is under way', () => {
    const { sent, coalescer } = coalescing();
    void coalescer.submit('a');
    expect(jobsOf(sent)).toEqual([['a']]);
  });

  it('calls under pressure go out together when they had to wait, each with its own answer', async () => {
    const { sent, coalescer } = coalescing();
    const answers = Promise.all(['a', 'b', 'c'].map((job) => coalescer.submit(job)));
    sent[0]?.end();
    await turn();
    expect(jobsOf(sent)).toEqual([['a'], ['b', 'c']]);
    sent[1]?.end();
    expect(await answers).toEqual(['A', 'B', 'C']);
  });

  it('calls under pressure use a free lane at once when nobody is to be patient', () => {
    const { sent, coalescer } = coalescing({ lanes: 2 });
    for (const job of ['a', 'b', 'c']) void coalescer.submit(job);
    expect(jobsOf(sent)).toEqual([['a'], ['b']]);
  });

  it('calls under pressure open another lane when more wait than patience allows', () => {
    const { sent, coalescer } = coalescing({ lanes: 3, patience: 2 });
    for (const job of ['a', 'b', 'c', 'd', 'e']) void coalescer.submit(job);
    expect(jobsOf(sent)).toEqual([['a'], ['b', 'c', 'd']]);
  });

  it('calls under pressure never exceed the limit of a batch', async () => {
    const { sent, coalescer } = coalescing({ limit: 2 });
    for (const job of ['a', 'b', 'c', 'd']) void coalescer.submit(job);
    sent[0]?.end();
    await turn();
    sent[1]?.end();
    await turn();
    expect(jobsOf(sent)).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('calls of the same key never share a batch, and keep their order', async () => {
    const { sent, coalescer } = coalescing({ keysOf: (job) => job.split('').slice(1) });
    for (const job of ['0', '1x', '2xy', '3y', '4z', '5x']) void coalescer.submit(job);
    for (const index of [0, 1, 2, 3]) {
      sent[index]?.end();
      await turn();
    }
    // 3y waits behind 2xy although y is free in the first batch: it came later.
    expect(jobsOf(sent)).toEqual([['0'], ['1x', '4z'], ['2xy'], ['3y', '5x']]);
  });

  it('calls of one turn of the event loop go out together where the work keeps the thread', async () => {
    const { sent, coalescer } = coalescing({ gathersTurn: true });
    for (const job of ['a', 'b', 'c']) void coalescer.submit(job);
    expect(sent).toEqual([]);
    await turn();
    expect(jobsOf(sent)).toEqual([['a', 'b', 'c']]);
  });

  it('calls of one turn go out once, however many lanes have opened for them', async () => {
    const { sent, coalescer } = coalescing({ gathersTurn: true, lanes: 3 });
    for (const job of ['a', 'b', 'c']) void coalescer.submit(job);
    await turn();
    await turn();
    expect(jobsOf(sent)).toEqual([['a', 'b', 'c']]);
  });

  it('all fail with a batch that fails, and the next ones go out', async () => {
    const { sent, coalescer } = coalescing({ gathersTurn: true });
    const outcomes = Promise.allSettled(['a', 'b'].map((job) => coalescer.submit(job)));
    await turn();
    sent[0]?.fail(new Error('broken'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    void coalescer.submit('c');
    await turn();
    expect(jobsOf(sent)).toEqual([['a', 'b'], ['c']]);
  });

  it('calls under pressure may fail by themselves within a batch', async () => {
    const { sent, coalescer } = coalescing({ gathersTurn: true });
    const outcomes = Promise.allSettled(['a', 'b'].map((job) => coalescer.submit(job)));
    await turn();
    sent[0]?.end([Promise.reject(new Error('only a')), 'B']);
    expect(await outcomes).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'B' }]);
  });
});

describe('in traces, calls', () => {
  const request = new AsyncLocalStorage<string>();

  /** Calls of three requests, of which two have to wait, and what the work took itself for. */
  async function performed(traced?: Coalescing<string, string>['traced']): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    const perform = async (jobs: readonly string[]): Promise<readonly string[]> => {
      seen.push([jobs, request.getStore()]);
      await turn();
      return jobs;
    };
    const coalescer = new Coalescer<string, string>({ lanes: 1, limit: 2, patience: 0, traced, perform });
    await Promise.all(['a', 'b', 'c', 'd'].map((job) => request.run(`request of ${job}`, () => coalescer.submit(job))));
    return seen;
  }

  it('calls that go out alone in traces are work of their request, joined ones of none', async () => {
    expect(await performed()).toEqual([
      [['a'], 'request of a'],
      [['b', 'c'], undefined],
      [['d'], 'request of d'],
    ]);
  });

  it('calls in traces have a span each, and what they were joined to has links to them', async () => {
    const begun: { name: string; in: string | undefined; links: readonly string[] | undefined }[] = [];
    const ended: string[] = [];
    const tracer: Tracer = {
      startActiveSpan: (name: string, { links }: SpanSettings, work) => {
        const spanId = `${name} ${String(begun.length)}`;
        begun.push({
          name,
          in: request.getStore(),
          links: links?.map(({ context }: { context: SpanName }) => context.spanId),
        });
        return work({
          spanContext: () => ({ traceId: 'a trace', spanId, traceFlags: 1 }),
          setAttribute: () => undefined,
          setStatus: () => undefined,
          end: () => void ended.push(spanId),
        });
      },
    };
    await performed({ tracer, name: 'commit' });
    expect(begun).toEqual([
      ...['a', 'b', 'c', 'd'].map((job) => ({
        name: 'calends.store.commit',
        in: `request of ${job}`,
        links: undefined,
      })),
      {
        name: 'calends.store.commit.joined',
        in: undefined,
        links: ['calends.store.commit 1', 'calends.store.commit 2'],
      },
    ]);
    expect(ended).toHaveLength(5);
  });
});
