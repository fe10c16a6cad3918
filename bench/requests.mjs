// What is asked of both servers: the same bodies, agents and ranges, from a fixed seed.
const headers = (token) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json',
});

const day = 86_400_000;
export const firstDay = Date.UTC(2040, 0, 1);
export const agents = 50;
const bookedDays = 365;

/** A small generator of numbers below one (mulberry32), so that every run asks the same. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function appointmentBody(next) {
  return {
    applicationId: 'app-1',
    title: 'Consultation about the new contract',
    notes: 'First meeting, please bring the documents.',
    start: new Date(firstDay + Math.floor(next() * bookedDays * 96) * (day / 96)).toISOString(),
    duration: 'PT30M',
    timezone: 'Europe/Athens',
    locale: 'el-GR',
    metadata: { channel: 'web', priority: 2 },
    customers: [
      {
        contact: { primaryEmail: `customer${Math.floor(next() * 1e6)}@example.org`, primaryPhone: '+302100000000' },
        name: { firstName: 'Maria', lastName: 'Papadopoulou' },
      },
    ],
    targetAssignment: { id: `agent-${Math.floor(next() * agents)}`, type: 'AGENT' },
  };
}

export function createRequests(count, token, seed) {
  const next = numbers(seed);
  return Array.from({ length: count }, () => ({
    method: 'POST',
    path: '/api/v2/appointments/',
    headers: headers(token),
    body: JSON.stringify(appointmentBody(next)),
  }));
}

export function getRequests(count, token, ids, seed) {
  const next = numbers(seed);
  return Array.from({ length: count }, () => ({
    method: 'GET',
    path: `/api/v2/appointments/${ids[Math.floor(next() * ids.length)]}`,
    headers: headers(token),
  }));
}

/** One agent, thirty days, page of twenty, total. */
export function listRequests(count, token, seed) {
  const next = numbers(seed);
  return Array.from({ length: count }, () => {
    const from = firstDay + Math.floor(next() * (bookedDays - 30)) * day;
    const range = `${new Date(from).toISOString()},${new Date(from + 30 * day).toISOString()}`;
    const agent = `agent-${Math.floor(next() * agents)}`;
    return {
      method: 'GET',
      path: `/api/v2/appointments/?applicationId=app-1&agentId=${agent}&range=${range}&pageSize=20`,
      headers: headers(token),
    };
  });
}

/** Each appointment once: a second cancel would be a no-op and cost less. */
export function cancelRequests(ids, token) {
  return ids.map((id) => ({
    method: 'PUT',
    path: `/api/v2/appointments/${id}/cancel`,
    headers: headers(token),
    body: '{"cancelReason":"The customer called"}',
  }));
}
