// Sends a fixed number of requests over so many connections and tells how many were answered in a second.
import autocannon from 'autocannon';
import { createRequests } from './requests.mjs';

/**
 * @param {{ url: string, connections: number, requests: readonly object[], expected: number }} load
 *   every request is sent once; `expected` is the only status that counts as success
 */
export async function measure({ url, connections, requests, expected }) {
  let next = 0;
  const load = autocannon({
    url,
    connections,
    amount: requests.length,
    timeout: 30,
    requests: [{ setupRequest: (request) => ({ ...request, ...requests[next++ % requests.length] }) }],
  });
  const started = process.hrtime.bigint();
  let ended = started;
  // The load itself looks only once a second whether it is done.
  load.on('response', () => (ended = process.hrtime.bigint()));
  const result = await load;
  const seconds = Number(ended - started) / 1e9;
  const good = result.statusCodeStats[expected]?.count ?? 0;
  if (good !== requests.length) {
    throw new Error(`${good} of ${requests.length} answered ${expected}: ${JSON.stringify(result.statusCodeStats)}`);
  }
  return { perSecond: requests.length / seconds, p99: result.latency.p99 };
}

/** Books so many appointments, twenty at a time, and tells their ids. */
export async function book({ url, token, count, seed }) {
  const ids = [];
  const requests = createRequests(count, token, seed);
  const lanes = Array.from({ length: 20 }, async () => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const response = await fetch(url + request.path, request);
      if (response.status !== 200) throw new Error(`booking answered ${response.status}`);
      ids.push((await response.json()).id);
    }
  });
  await Promise.all(lanes);
  return ids;
}

/** The middle of an odd or even number of figures. */
export function median(figures) {
  const sorted = [...figures].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
