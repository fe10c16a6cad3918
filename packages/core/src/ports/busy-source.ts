import type { TimeWindow } from '@calends/model';

/** Whose time is asked for, and in which window. */
export interface BusySourceQuery {
  readonly organizationId: string;
  readonly actorIds: readonly string[];
  readonly window: TimeWindow;
}

/** A time in which an actor is busy elsewhere; one of no length takes none. */
export interface BusyElsewhere extends TimeWindow {
  readonly actorId: string;
}

/**
 * Knows what else takes the time of actors: another calendar of the host.
 *
 * Asked before a commit and no guard of it: what becomes busy in between is not seen. It gets a second; then its actors are
 * not offered (`SOURCE_STALE`), unless the host says `availability.whenBusySourceFails: 'open'`.
 */
export interface BusySource {
  busy(query: BusySourceQuery): Promise<readonly BusyElsewhere[]> | readonly BusyElsewhere[];
}
