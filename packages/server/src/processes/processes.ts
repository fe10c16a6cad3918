import cluster, { type Worker } from 'node:cluster';
import { Counter, Gauge, Registry } from 'prom-client';
import { faultFields } from '../log/fault-fields.js';
import type { Log } from '../log/log.js';
import { processorMetric } from '../metrics/metrics.js';
import { within } from '../process/within.js';
import { BackOff } from './back-off.js';
import { HandedOut } from './handed-out.js';
import { MergedFigures } from './merged-figures.js';
import { isOurs, maxTelling, type ToServing } from './messages.js';
import { saysEvery, Silence } from './silence.js';

/** A process that serves. */
interface Serving {
  readonly worker: Worker;
  readonly handedOut: HandedOut;
  isUp: boolean;
}

/**
 * The processes that serve, seen from the one that starts them: it serves nothing itself.
 *
 * The first of them is started alone: what is wrong with the surroundings is told once. One that dies is replaced, and one that says nothing
 * for a minute is killed.
 */
export class Processes {
  readonly #count: number;
  readonly #log: Log;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #serving = new Map<number, Serving>();
  readonly #backOff = new BackOff();
  readonly #figures = new MergedFigures();
  readonly #silence = new Silence();
  readonly #registry = new Registry();
  readonly #deaths: Counter;
  readonly #asked = new Set<number>();
  #stopping = false;
  #failures = 0;
  #onFirst: (code: number | undefined) => void = () => undefined;
  #onGone: () => void = () => undefined;
  #onTold: () => void = () => undefined;
  #page: Promise<string> | undefined;

  /** @param environment variables that each gets beside those of this process */
  constructor(count: number, log: Log, environment: Readonly<Record<string, string>>) {
    this.#count = count;
    this.#log = log;
    this.#environment = environment;
    this.#deaths = ownMetrics(this.#registry, () => ({
      silent: this.#asked.size,
      all: [...this.#serving.values()].filter(({ isUp }) => isUp).length,
    }));
    cluster.on('message', (worker, message: unknown) => this.#hear(worker, message));
    cluster.on('exit', (worker, code: number | null, signal: string | null) => this.#ended(worker, code, signal));
    setInterval(() => this.#killSilent(), saysEvery).unref();
    // At a second signal, after a fault, when the time is over: none is left behind.
    process.on('exit', () => {
      for (const { worker } of this.#serving.values()) worker.process.kill('SIGKILL');
    });
  }

  /** Starts them; answers once the first is up, with the exit code of one that ends before that, else nothing. */
  async start(): Promise<number | undefined> {
    const code = await new Promise<number | undefined>((resolve) => {
      this.#onFirst = resolve;
      this.#fork();
    });
    if (code === undefined) for (let more = 1; more < this.#count && !this.#stopping; more += 1) this.#fork();
    return code;
  }

  /** Has every process finish its requests and end; answers how many did not end in order. */
  async stop(): Promise<{ readonly unfinished: number }> {
    this.#stopping = true;
    const gone = new Promise<void>((resolve) => (this.#onGone = resolve));
    for (const { worker } of this.#serving.values()) worker.process.kill('SIGTERM');
    if (this.#serving.size > 0) await gone;
    return { unfinished: this.#failures };
  }

  #fork(): void {
    const worker = cluster.fork(this.#environment);
    this.#serving.set(worker.id, { worker, handedOut: new HandedOut(worker.process), isUp: false });
  }

  #ended(worker: Worker, code: number | null, signal: string | null): void {
    const { isUp = false, handedOut } = this.#serving.get(worker.id) ?? {};
    handedOut?.end();
    this.#serving.delete(worker.id);
    this.#figures.ended(worker.id);
    this.#silence.ended(worker.id);
    this.#answered(worker.id);
    const { pid } = worker.process;
    if (this.#stopping) {
      // One that was still starting has nothing to finish.
      if (isUp && code !== 0) this.#failures += 1;
      if (this.#serving.size === 0) this.#onGone();
    }
    if (this.#stopping || (worker.id === 1 && !isUp)) {
      this.#onFirst(this.#stopping ? undefined : (code ?? 1));
      return;
    }
    const againIn = this.#backOff.next(Date.now());
    this.#deaths.inc();
    this.#log.error({ process: pid, code, signal, againIn }, 'a process ended; another one takes its place');
    setTimeout(() => {
      if (!this.#stopping) this.#fork();
    }, againIn);
  }

  #hear(worker: Worker, message: unknown): void {
    const serving = this.#serving.get(worker.id);
    if (serving === undefined || !isOurs(message)) return;
    this.#silence.heard(worker.id);
    if (message.calends === 'up') {
      serving.isUp = true;
      this.#log.info({ process: worker.process.pid, of: this.#count }, 'a process is up');
      this.#onFirst(undefined);
    } else if (message.calends === 'figures') {
      this.#figures.told(worker.id, message.figures);
      this.#answered(worker.id);
    } else if (message.calends === 'askPage') {
      this.#page ??= this.#pageOfAll().finally(() => (this.#page = undefined));
      this.#page.then(
        (text) => send(worker, { calends: 'page', text }),
        (fault: unknown) => this.#log.error({ fault: faultFields(fault) }, 'metrics cannot be put together'),
      );
    }
  }

  #killSilent(): void {
    for (const id of this.#silence.next()) {
      const process = this.#serving.get(id)?.worker.process;
      // One that ends may take its time for what it has begun.
      if (process === undefined || this.#stopping) continue;
      this.#log.error({ process: process.pid }, 'a process has said nothing for a minute; it is killed');
      process.kill('SIGKILL');
    }
  }

  #answered(id: number): void {
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#onTold();
  }

  async #pageOfAll(): Promise<string> {
    const told = new Promise<void>((resolve) => (this.#onTold = resolve));
    for (const [id, { worker, isUp }] of this.#serving) {
      if (!isUp) continue;
      this.#asked.add(id);
      send(worker, { calends: 'tellFigures' });
    }
    await within(told, maxTelling, undefined);
    return this.#figures.text(await this.#registry.getMetricsAsJSON());
  }
}

/** To one that is about to end, nothing is said. */
function send(worker: Worker, message: ToServing): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** What only the process knows that starts the others; answers what counts deaths. */
function ownMetrics(registry: Registry, state: () => { readonly silent: number; readonly all: number }): Counter {
  const registers = [registry];
  processorMetric(registry);
  new Gauge({
    name: 'calends_processes',
    help: 'Processes that serve, and whether they told their figures for this page.',
    labelNames: ['figures'],
    registers,
    collect() {
      const { silent, all } = state();
      this.set({ figures: 'told' }, all - silent);
      this.set({ figures: 'silent' }, silent);
    },
  });
  return new Counter({
    name: 'calends_processes_ended_total',
    help: 'Processes that died and were replaced.',
    registers,
  });
}
