import { AggregatorRegistry } from 'prom-client';
import type { Figures } from './messages.js';

/**
 * The figures of several processes as those of one server: counts are added up, and never become less where a process is silent
 * or has ended, since a count that falls is taken for a restart of everything.
 */
export class MergedFigures {
  readonly #last = new Map<number, Figures>();
  #ended: readonly Figures[] = [];

  /** What a process told; it holds until it tells again. */
  told(process: number, figures: Figures): void {
    this.#last.set(process, figures);
  }

  /** Keeps what an ended process had counted; what it measured is over. */
  ended(process: number): void {
    const last = this.#last.get(process);
    this.#last.delete(process);
    if (last !== undefined) this.#ended = [...this.#ended, last.filter(({ type }) => counts.includes(String(type)))];
  }

  /** All of it in the text format of Prometheus, with what the first process counts itself. */
  async text(ofFirst: Figures): Promise<string> {
    if (this.#ended.length > 1) this.#ended = [await aggregate(this.#ended).getMetricsAsJSON()];
    return aggregate([...this.#last.values(), ofFirst, ...this.#ended]).metrics();
  }
}

const counts: readonly string[] = ['counter', 'histogram'];

function aggregate(figures: readonly Figures[]) {
  return AggregatorRegistry.aggregate(figures.map((each) => [...each]));
}
