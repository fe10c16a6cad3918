import type { CustomerSession } from '@calends/core/operations';
import type { Request, Response } from 'express';

/** What the cookie holds: the bearer token, and the appointment that it is for. */
export interface Session {
  readonly appointmentId: string;
  readonly token: string;
}

const names = { session: 'calends_session', zone: 'calends_zone' } as const;
/** Browsers take such a name only over https, from neighbours too; `__Host-` would not allow a path. */
const securePrefix = '__Secure-';
const maxCookieLength = 4096;
/** Of one name: ours, and what a neighbour put beside it. */
const maxSessions = 4;

/** The cookies of the pages, for the path under which they are mounted. */
export class SessionCookie {
  readonly #secure: boolean;

  constructor(secure: boolean) {
    this.#secure = secure;
  }

  /** The sessions that the browser brings, one as a rule; whether they hold is told by the library. */
  read(request: Request): readonly Session[] {
    return this.#valuesOf(request, 'session')
      .slice(0, maxSessions)
      .flatMap((value) => {
        const dot = value.indexOf('~');
        return dot < 0 ? [] : { appointmentId: value.slice(0, dot), token: value.slice(dot + 1) };
      });
  }

  /** The zone that the browser named when the session began. */
  zone(request: Request): string | undefined {
    const [value] = this.#valuesOf(request, 'zone');
    return value === undefined ? undefined : decoded(value);
  }

  begin(request: Request, response: Response, session: CustomerSession, zone: string | undefined): void {
    const expires = new Date(session.expiresAt);
    const settings = { ...this.#settings(request), expires };
    response.cookie(this.#nameOf('session'), `${session.appointmentId}~${session.token}`, {
      ...settings,
      encode: String,
    });
    if (zone !== undefined) response.cookie(this.#nameOf('zone'), zone, settings);
  }

  end(request: Request, response: Response): void {
    response.clearCookie(this.#nameOf('session'), this.#settings(request));
    response.clearCookie(this.#nameOf('zone'), this.#settings(request));
  }

  #settings(request: Request) {
    return {
      path: request.baseUrl === '' ? '/' : request.baseUrl,
      httpOnly: true,
      sameSite: 'strict',
      secure: this.#secure,
    } as const;
  }

  #nameOf(cookie: keyof typeof names): string {
    return `${this.#secure ? securePrefix : ''}${names[cookie]}`;
  }

  #valuesOf(request: Request, cookie: keyof typeof names): readonly string[] {
    const header = request.get('cookie');
    if (header === undefined || header.length > 4 * maxCookieLength) return [];
    const start = `${this.#nameOf(cookie)}=`;
    const pairs = header.split(';').map((each) => each.trim());
    return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
  }
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
