import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { MergedFigures } from './merged-figures.js';
import type { Figures } from './messages.js';

/** What a process tells that has served so many requests and sees so many waiting. */
async function figuresOf(requests: number, waiting: number): Promise<Figures> {
  const registers = [new Registry()];
  new Counter({ name: 'requests', help: 'h', labelNames: ['route'], registers }).inc({ route: '/' }, requests);
  const took = new Histogram({ name: 'took', help: 'h', buckets: [1, 2], registers });
  for (let request = 0; request < requests; request += 1) took.observe(1.5);
  new Gauge({ name: 'waiting', help: 'h', aggregator: 'max', registers }).set(waiting);
  return registers[0]!.getMetricsAsJSON();
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => /^\w/.test(line));

describe('The figures of several processes', () => {
  it('the figures of several processes are added up; what each sees of the same is the worst of them', async () => {
    const merged = new MergedFigures();
    merged.told(1, await figuresOf(2, 7));
    merged.told(2, await figuresOf(3, 5));
    expect(linesOf(await merged.text([]))).toEqual([
      'requests{route="/"} 5',
      'took_bucket{le="1"} 0',
      'took_bucket{le="2"} 5',
      'took_bucket{le="+Inf"} 5',
      'took_sum 7.5',
      'took_count 5',
      'waiting 7',
    ]);
  });

  it('the figures of several processes are the latest of each, and never become less when one ends', async () => {
    const merged = new MergedFigures();
    merged.told(1, await figuresOf(2, 7));
    merged.told(1, await figuresOf(4, 9));
    merged.told(2, await figuresOf(3, 5));
    for (const process of [1, 3]) merged.ended(process);
    const text = await merged.text([]);
    expect(linesOf(text)).toContain('requests{route="/"} 7');
    expect(linesOf(text)).toContain('took_count 7');
    expect(linesOf(text)).toContain('waiting 5');
    merged.ended(2);
    merged.told(4, await figuresOf(1, 0));
    for (let times = 0; times < 2; times += 1) {
      expect(linesOf(await merged.text([]))).toContain('requests{route="/"} 8');
    }
  });
});
