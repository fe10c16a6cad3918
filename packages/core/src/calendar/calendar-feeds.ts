import type { Caller } from '../caller.js';
import type { Instant } from '../appointments/instant.js';

/** The secret address of an agent's calendar feed. */
export interface CalendarFeedLink {
  /** Last part of the address; whoever knows it can read the feed. */
  readonly code: string;
  readonly issuedAt: Instant;
}

/** An agent's appointments as an iCalendar file (RFC 5545). */
export interface CalendarFeed {
  /** `text/calendar; charset=utf-8`. */
  readonly body: string;
  /** Strong, quoted (RFC 9110); changes with the content alone. */
  readonly etag: string;
}

/** Signed, revocable calendar feeds of agents. */
export interface CalendarFeedOperations {
  /** Issues the feed address of an agent; an earlier one ends. Agents for themselves, supervisors for everybody, else `forbidden`. */
  issue(caller: Caller, query: { readonly agentId: string }): Promise<CalendarFeedLink>;
  /** Ends the feed address of an agent; does nothing when there is none. */
  revoke(caller: Caller, query: { readonly agentId: string }): Promise<void>;
  /**
   * The feed behind an address: appointments from 30 days ago to a year ahead, the 1,000 earliest, without customers'
   * data. Rejects with `not_found` for whatever is not valid.
   */
  read(code: string): Promise<CalendarFeed>;
}
