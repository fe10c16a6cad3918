import { Worker } from 'node:worker_threads';
import { NamedRows, type Outcome } from '../../sql/rows.js';
import type { Sql } from '../../sql/sql.js';
import { type ReaderAnswer, type ReaderData, readInThread, type ReaderQuestion } from './reader-thread.js';

/** Statements whose rows' names are remembered: as many as the thread keeps prepared. */
const rememberedLimit = 100;

interface Pending {
  readonly named: NamedRows;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Bundlers that keep the names of functions call this in the text of the function. */
const source = `const __name = (value) => value; (${String(readInThread)})(require('node:worker_threads'), require)`;

const lost = (): Error => new Error('aborted');

/** A thread that reads, one statement at a time. It keeps the process alive only while it is at work. */
export class Reader {
  readonly #worker: Worker;
  readonly #named = new Map<string, NamedRows>();
  #pending: Pending | undefined;
  #isOver = false;

  constructor(data: ReaderData) {
    // Without the options of the process: they may name loaders, which take longer than all that is read here.
    this.#worker = new Worker(source, { eval: true, workerData: data, execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', (answer: ReaderAnswer) => {
      this.#settle(answer);
    });
    this.#worker.on('error', (error) => {
      this.#end(error);
    });
    this.#worker.on('exit', () => {
      this.#end(lost());
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  read({ text, values }: Sql): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(lost());
        return;
      }
      this.#pending = { named: this.#namedRowsOf(text), resolve, reject };
      this.#worker.ref();
      const question: ReaderQuestion = { text, values };
      this.#worker.postMessage(question);
    });
  }

  /** Lets what is under way end, and closes its connection. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#worker.ref();
    await new Promise<void>((resolve) => {
      this.#worker.once('exit', () => {
        resolve();
      });
      this.#worker.postMessage(null);
    });
  }

  #settle(answer: ReaderAnswer): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#worker.unref();
    if ('fault' in answer) {
      const { code, message } = answer.fault;
      pending?.reject(Object.assign(new Error(message), { code }));
      return;
    }
    const { columns, rows } = answer;
    pending?.resolve({ rows: pending.named.of(columns, rows), affected: 0 });
  }

  #namedRowsOf(text: string): NamedRows {
    const known = this.#named.get(text);
    if (known !== undefined) return known;
    const named = new NamedRows();
    if (this.#named.size < rememberedLimit) this.#named.set(text, named);
    return named;
  }

  #end(error: unknown): void {
    this.#isOver = true;
    this.#pending?.reject(error);
    this.#pending = undefined;
  }
}
