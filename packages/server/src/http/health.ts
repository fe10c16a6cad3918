import { CalendsError, MissingKeyError, type Scheduling } from '@calends/core';
import { StoreError, type StoreErrorReason, type StoreReport } from '@calends/core/store';
import type { RequestHandler } from 'express';
import { adviceOnSteps, shortWords } from '../database/store-words.js';
import { sharedFor } from '../process/shared-for.js';
import { within } from '../process/within.js';

/** A worker that has not come round for so long hangs, or its store does. */
const maxPass = 60_000;
/** Probes give up after a few seconds: an answer after that is none. */
const maxCheck = 3_000;
/** Anybody may ask, as often as they like, and a look at the store takes several statements: one answers all who ask for so long. */
const lookHolds = 1_000;
/** Milliseconds between clocks of two machines that are kept by NTP, and the time of an answer. */
const clockTolerance = 5_000;

/** What `/readyz` answers; no word about the inside beyond these. */
interface Readiness {
  readonly status: 'ready' | 'unavailable';
  readonly store:
    | 'ok'
    | 'unreachable'
    | 'not migrated'
    | 'engine refused'
    | 'another secret'
    | (typeof shortWords)[StoreErrorReason];
  /** Name, version, what the library holds of it (D72), and the servers that it is made of. */
  readonly engine?: string;
  /** Milliseconds, where it is more than a few seconds (D80); never makes it unready. */
  readonly clockAheadBy?: number;
  /** How each of `CALENDS_READERS` stood when it was last asked; never makes it unready, for the database itself answers then. */
  readonly readers?: readonly string[];
  /** `off`: another process does the background work. */
  readonly worker: 'ok' | 'off' | 'not running' | 'delivery stands still';
  /** What the server runs with and better did not; never makes it unready. */
  readonly warnings: readonly string[];
}

/** `/healthz`: the process serves. */
export const healthz: RequestHandler = (_request, response) => {
  answer(response, 200, { status: 'ok' });
};

/** How readiness is told. */
export interface ReadinessPage {
  readonly hasWorker: boolean;
  readonly isStopping: () => boolean;
  readonly warnings: readonly string[];
  /** Whether more than the status is told. */
  readonly inDetail: boolean;
  /** Milliseconds that never go back. Default: the run time's. */
  readonly now?: () => number;
}

/**
 * `/readyz`: the store answers with its migrations current and takes writes as far as is known, the worker of this process goes round if it is to have one,
 * with the delivery of every channel, and no shutdown has begun.
 */
export function readyz(
  scheduling: Scheduling,
  { hasWorker, isStopping, warnings, inDetail, now = () => performance.now() }: ReadinessPage,
): RequestHandler {
  const look = sharedFor(lookHolds, now, () => storeState(scheduling));
  return async (_request, response) => {
    const { store, warnings: told = [], ...found } = await look();
    const worker = hasWorker ? workerState(scheduling) : 'off';
    const isReady = store === 'ok' && (worker === 'ok' || worker === 'off') && !isStopping();
    const status = isReady ? 'ready' : 'unavailable';
    const details: Readiness = { status, store, worker, warnings: [...warnings, ...told], ...found };
    answer(response, isReady ? 200 : 503, inDetail ? details : { status });
  };
}

type Engine = NonNullable<StoreReport['engine']>;

/** What a check told. */
type Checked = Pick<Readiness, 'store' | 'engine' | 'readers' | 'clockAheadBy'> & Partial<Pick<Readiness, 'warnings'>>;

const wordsFor = ({ name, version, standing, topology }: Engine): string =>
  `${name} ${version} (${standing})${topology === undefined ? '' : `, ${topology}`}`;

async function storeState(scheduling: Scheduling): Promise<Checked> {
  try {
    return await within(
      scheduling.check().then(({ store: { engine, readers, warnings = [], waiting }, clockAheadBy }): Checked => {
        const isOff = clockAheadBy !== undefined && Math.abs(clockAheadBy) > clockTolerance;
        return {
          store: 'ok',
          ...(engine === undefined ? {} : { engine: wordsFor(engine) }),
          ...(readers === undefined ? {} : { readers }),
          warnings: [...warnings, ...adviceOnSteps(waiting)],
          ...(isOff ? { clockAheadBy } : {}),
        };
      }),
      maxCheck,
      { store: 'unreachable' },
    );
  } catch (error) {
    if (CalendsError.is(error) && error.cause instanceof MissingKeyError) return { store: 'another secret' };
    if (!(error instanceof StoreError)) return { store: 'unreachable' };
    if (error.reason !== undefined) return { store: shortWords[error.reason] };
    if (error.code === 'engine') return { store: 'engine refused' };
    return { store: error.code === 'schema' ? 'not migrated' : 'unreachable' };
  }
}

function workerState({ workers }: Scheduling): Readiness['worker'] {
  const { running, lastPassAt, delivery } = workers.health();
  if (!running || !isRecent(lastPassAt)) return 'not running';
  return delivery.every(({ lastLookAt }) => isRecent(lastLookAt)) ? 'ok' : 'delivery stands still';
}

function isRecent(instant: number | undefined): boolean {
  return instant !== undefined && Date.now() - instant < maxPass;
}

function answer(response: Parameters<RequestHandler>[1], status: number, content: object): void {
  response.status(status).set('Cache-Control', 'no-store').json(content);
}
