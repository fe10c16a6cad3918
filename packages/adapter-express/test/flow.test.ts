import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doors } from './support/doors.js';
import { type Host, people, startHost, tokenOf } from './support/host.js';
import { created } from './support/requests.js';

/** Settles once something stays the same for so many turns of the event loop that nothing of it can be under way. */
async function stillness(count: () => number): Promise<number> {
  for (let quiet = 0, seen = count(); quiet < 200; seen = count()) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = count() === seen ? quiet + 1 : 0;
  }
  return count();
}

describe.each(Object.entries(doors))('a list without an end through %s (D69)', (_, door) => {
  let host: Host;
  let pages = 0;
  beforeAll(async () => {
    host = await startHost({ door });
    const { id } = await created(host, { notes: 'x'.repeat(1000) });
    const appointment = await host.store.store.appointments.find('org-1', id);
    if (appointment === undefined) throw new Error('It should be there.');
    host.store.instead = {
      appointments: {
        listEligible: (_organizationId, { limit }) => {
          pages += 1;
          return Promise.resolve(Array.from({ length: limit }, () => appointment));
        },
      },
    };
  });
  afterAll(() => host.close());

  it('a list without an end is read no faster than its client reads, and no further once the client has gone', async () => {
    const client = connect(host.port, '127.0.0.1');
    client.on('error', () => undefined).pause();
    const token = await tokenOf(people.service);
    client.write(`GET /api/v2/appointments/eligible HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
    for (; pages === 0;) await new Promise((resolve) => setImmediate(resolve));
    const full = await stillness(() => pages);
    const received = new Promise<void>((resolve) => {
      let size = 0;
      client.on('data', (chunk: Buffer) => {
        size += chunk.length;
        // More than lay between the two sides: pages were read again.
        if (size > 1_000_000 && pages > full) resolve();
      });
    });
    client.resume();
    await received;
    client.destroy();
    await stillness(() => pages);
    expect(host.faults).toEqual([]);
  });
});
