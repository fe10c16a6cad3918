import { randomUUID } from 'node:crypto';

const safe = /^[\w.~-]{1,128}$/;

/** Makes the id of a request that brings none. */
export type RequestIds = () => string;

export const randomRequestIds: RequestIds = () => randomUUID();

/** The client's own id when it can be logged and answered as it is, else a new one. */
export function requestIdOf(sent: string | undefined, make: RequestIds): string {
  return sent !== undefined && safe.test(sent) ? sent : made(make);
}

/** A maker of the host that fails, or makes what no header can carry, must not cost the answer. */
function made(make: RequestIds): string {
  try {
    const id = make();
    return safe.test(id) ? id : randomRequestIds();
  } catch {
    return randomRequestIds();
  }
}
