// Queues that others use for such work, with jobs that do nothing.
import { Queue, Worker } from 'bullmq';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import Redis from 'ioredis';

const silent = new Logger(() => () => undefined);

/** graphile-worker with a local batch; answers jobs a second. */
export async function graphileWorker(url, count) {
  const utilities = await makeWorkerUtils({ connectionString: url, logger: silent });
  await utilities.migrate();
  const specs = Array.from({ length: count }, (_, id) => ({ identifier: 'nothing', payload: { id } }));
  for (let first = 0; first < count; first += 5000) await utilities.addJobs(specs.slice(first, first + 5000));
  let done = 0;
  const began = performance.now();
  let finished;
  const all = new Promise((resolve) => (finished = resolve));
  const runner = await run({
    connectionString: url,
    logger: silent,
    noHandleSignals: true,
    concurrency: 24,
    preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: {
      nothing: () => {
        done += 1;
        if (done === count) finished();
      },
    },
  });
  await all;
  const took = performance.now() - began;
  await runner.stop();
  await utilities.release();
  return (count * 1000) / took;
}

/** BullMQ on Redis with 50 slots; answers jobs a second. */
export async function bullMq(redisUrl, count) {
  const connect = () => new Redis(redisUrl, { maxRetriesPerRequest: null });
  const [forQueue, forWorker] = [connect(), connect()];
  const name = `calends-bench-${process.pid}-${Date.now()}`;
  const queue = new Queue(name, { connection: forQueue });
  const jobs = Array.from({ length: count }, (_, id) => ({ name: 'nothing', data: { id } }));
  for (let first = 0; first < count; first += 5000) await queue.addBulk(jobs.slice(first, first + 5000));
  let done = 0;
  let finished;
  const all = new Promise((resolve) => (finished = resolve));
  const began = performance.now();
  const worker = new Worker(
    name,
    async () => {
      done += 1;
      if (done === count) finished();
    },
    { connection: forWorker, concurrency: 50 },
  );
  worker.on('error', (error) => {
    throw error;
  });
  await all;
  const took = performance.now() - began;
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  await Promise.all([forQueue.quit(), forWorker.quit()]);
  return (count * 1000) / took;
}
