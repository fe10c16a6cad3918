import type { CustomerSession } from '@calends/core/operations';
import type { Request, Response } from 'express';
import type { Cookies } from './cookies.js';

/** What the cookie holds: the bearer token, and the appointment that it is for. */
export interface Session {
  readonly appointmentId: string;
  readonly token: string;
}

const names = { session: 'calends_session', zone: 'calends_zone' } as const;
/** Of one name: ours, and what a neighbour put beside it. */
const maxSessions = 4;

/** The session of a customer who has opened a manage link. */
export class SessionCookie {
  readonly #cookies: Cookies;

  constructor(cookies: Cookies) {
    this.#cookies = cookies;
  }

  /** The sessions that the browser brings, one as a rule; whether they hold is told by the library. */
  read(request: Request): readonly Session[] {
    return this.#cookies
      .read(request, names.session)
      .slice(0, maxSessions)
      .flatMap((value) => {
        const dot = value.indexOf('~');
        return dot < 0 ? [] : { appointmentId: value.slice(0, dot), token: value.slice(dot + 1) };
      });
  }

  /** The zone that the browser named when the session began. */
  zone(request: Request): string | undefined {
    const [value] = this.#cookies.read(request, names.zone);
    return value === undefined ? undefined : decoded(value);
  }

  begin(request: Request, response: Response, session: CustomerSession, zone: string | undefined): void {
    const expires = new Date(session.expiresAt);
    this.#cookies.set(request, response, names.session, `${session.appointmentId}~${session.token}`, { expires });
    if (zone !== undefined) this.#cookies.set(request, response, names.zone, encodeURIComponent(zone), { expires });
  }

  end(request: Request, response: Response): void {
    for (const name of Object.values(names)) this.#cookies.clear(request, response, name);
  }
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
