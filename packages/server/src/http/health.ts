import { type Scheduling, StoreError } from '@calends/core';
import type { RequestHandler } from 'express';
import { within } from '../process/within.js';

/** A worker that has not come round for so long hangs, or its store does. */
const longestPass = 60_000;
/** Probes give up after a few seconds: an answer after that is none. */
const longestCheck = 3_000;

/** What `/readyz` answers; no word about the inside beyond these. */
interface Readiness {
  readonly status: 'ready' | 'unavailable';
  readonly store: 'ok' | 'unreachable' | 'not migrated';
  /** `off`: another process does the background work. */
  readonly worker: 'ok' | 'off' | 'not running' | 'delivery stands still';
}

/** `/healthz`: the process serves. */
export const healthz: RequestHandler = (_request, response) => {
  answer(response, 200, { status: 'ok' });
};

/**
 * `/readyz`: the store answers with its migrations current, the worker of this process goes round if it is to have one,
 * with the delivery of every channel, and no shutdown has begun.
 */
export function readyz(scheduling: Scheduling, hasWorker: boolean, isStopping: () => boolean): RequestHandler {
  return async (_request, response) => {
    const store = await storeState(scheduling);
    const worker = hasWorker ? workerState(scheduling) : 'off';
    const isReady = store === 'ok' && (worker === 'ok' || worker === 'off') && !isStopping();
    const readiness: Readiness = { status: isReady ? 'ready' : 'unavailable', store, worker };
    answer(response, isReady ? 200 : 503, readiness);
  };
}

async function storeState(scheduling: Scheduling): Promise<Readiness['store']> {
  try {
    return await within(
      scheduling.check().then(() => 'ok' as const),
      longestCheck,
      'unreachable' as const,
    );
  } catch (error) {
    return error instanceof StoreError && error.code === 'schema' ? 'not migrated' : 'unreachable';
  }
}

function workerState({ workers }: Scheduling): Readiness['worker'] {
  const { running, lastPassAt, delivery } = workers.health();
  if (!running || !isRecent(lastPassAt)) return 'not running';
  return delivery.every(({ lastLookAt }) => isRecent(lastLookAt)) ? 'ok' : 'delivery stands still';
}

function isRecent(instant: number | undefined): boolean {
  return instant !== undefined && Date.now() - instant < longestPass;
}

function answer(response: Parameters<RequestHandler>[1], status: number, content: object): void {
  response.status(status).set('Cache-Control', 'no-store').json(content);
}
