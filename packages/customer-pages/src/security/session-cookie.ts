import type { CustomerSession } from '@calends/core';
import type { Request, Response } from 'express';

/** What the cookie holds: the bearer token, and the appointment that it is for. */
export interface Session {
  readonly appointmentId: string;
  readonly token: string;
}

const sessionName = 'calends_session';
const zoneName = 'calends_zone';
const longestCookie = 4096;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The cookies of the pages, for the path under which they are mounted. */
export class SessionCookie {
  readonly #secure: boolean | undefined;

  constructor(secure: boolean | undefined) {
    this.#secure = secure;
  }

  /** The session that the browser brings, if there is one; whether it holds is told by the library. */
  read(request: Request): Session | undefined {
    const value = cookieOf(request, sessionName);
    const dot = value?.indexOf('~') ?? -1;
    return value === undefined || dot < 0
      ? undefined
      : { appointmentId: value.slice(0, dot), token: value.slice(dot + 1) };
  }

  /** The zone that the browser named when the session began. */
  zone(request: Request): string | undefined {
    const value = cookieOf(request, zoneName);
    return value === undefined ? undefined : decoded(value);
  }

  begin(request: Request, response: Response, session: CustomerSession, zone: string | undefined): void {
    const expires = new Date(session.expiresAt);
    const settings = { ...this.#settings(request), expires };
    response.cookie(sessionName, `${session.appointmentId}~${session.token}`, { ...settings, encode: String });
    if (zone !== undefined) response.cookie(zoneName, zone, settings);
  }

  end(request: Request, response: Response): void {
    response.clearCookie(sessionName, this.#settings(request));
    response.clearCookie(zoneName, this.#settings(request));
  }

  #settings(request: Request) {
    return {
      path: request.baseUrl === '' ? '/' : request.baseUrl,
      httpOnly: true,
      sameSite: 'strict',
      secure: this.#secure ?? !loopback.test(hostOf(request)),
    } as const;
  }
}

/** The host name that the browser asked for. */
function hostOf(request: Request): string {
  return (request.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
}

function cookieOf(request: Request, name: string): string | undefined {
  const header = request.get('cookie');
  if (header === undefined || header.length > 4 * longestCookie) return undefined;
  const pair = header.split(';').find((each) => each.trimStart().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1);
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
