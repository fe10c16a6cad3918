import type { KeyStore, NamedKey } from '@calends/core';
import { atOnce } from './at-once.js';
import type { Tables } from './commit.js';
import { ticketsOfKey, walkAppointments } from './walks.js';

/** The keys that the store names, and what names them. */
export function keyMethods({ appointments, tickets }: Pick<Tables, 'appointments' | 'tickets'>): KeyStore {
  const keys: NamedKey[] = [];
  return {
    listKeys: () => atOnce(() => [...keys].sort((one, other) => one.number - other.number)),
    addKey: (key) =>
      atOnce(() => {
        if (keys.some(({ number }) => number === key.number)) return false;
        keys.push(Object.freeze({ ...key }));
        return true;
      }),
    changeKey: (next, expected) =>
      atOnce(() => {
        const index = keys.findIndex(({ number }) => number === next.number);
        const present = keys[index];
        if (present === undefined) return false;
        if (present.quietSince !== expected.quietSince || present.keptAudit !== expected.keptAudit) return false;
        const { number, id, check } = present;
        const { quietSince, keptAudit } = next;
        keys[index] = Object.freeze({
          number,
          id,
          check,
          ...(quietSince !== undefined && { quietSince }),
          ...(keptAudit !== undefined && { keptAudit }),
        });
        return true;
      }),
    walkAppointments: (walk) => atOnce(() => walkAppointments(appointments, walk)),
    countTickets: (query) => atOnce(() => ticketsOfKey(tickets, appointments, query)),
  };
}
