import { type Scheduling, StoreError } from '@calends/core';
import type { RequestHandler } from 'express';
import { setTimeout } from 'node:timers/promises';

/** A worker that has not come round for so long hangs, or its store does. */
const longestPass = 60_000;
/** Probes give up after a few seconds: an answer after that is none. */
const longestCheck = 3_000;

/** What `/readyz` answers; no word about the inside beyond these. */
interface Readiness {
  readonly status: 'ready' | 'unavailable';
  readonly store: 'ok' | 'unreachable' | 'not migrated';
  readonly worker: 'ok' | 'not running';
}

/** `/healthz`: the process serves. */
export const healthz: RequestHandler = (_request, response) => {
  answer(response, 200, { status: 'ok' });
};

/** `/readyz`: the store answers with its migrations current, the worker goes round, and no shutdown has begun. */
export function readyz(scheduling: Scheduling, isStopping: () => boolean): RequestHandler {
  return async (_request, response) => {
    const store = await storeState(scheduling);
    const worker = workerState(scheduling);
    const isReady = store === 'ok' && worker === 'ok' && !isStopping();
    const readiness: Readiness = { status: isReady ? 'ready' : 'unavailable', store, worker };
    answer(response, isReady ? 200 : 503, readiness);
  };
}

async function storeState(scheduling: Scheduling): Promise<Readiness['store']> {
  const probe = new AbortController();
  try {
    return await Promise.race([
      scheduling.check().then(() => 'ok' as const),
      setTimeout(longestCheck, 'unreachable' as const, { signal: probe.signal }),
    ]);
  } catch (error) {
    return error instanceof StoreError && error.code === 'schema' ? 'not migrated' : 'unreachable';
  } finally {
    probe.abort();
  }
}

function workerState({ workers }: Scheduling): Readiness['worker'] {
  const { running, lastPassAt } = workers.health();
  return running && lastPassAt !== undefined && Date.now() - lastPassAt < longestPass ? 'ok' : 'not running';
}

function answer(response: Parameters<RequestHandler>[1], status: number, content: object): void {
  response.status(status).set('Cache-Control', 'no-store').json(content);
}
