import type { AccessProvider, AccessSubject, RoomOpening } from '../src/index.js';
import type { AccessGrant } from '../src/store.js';

/** A room service of a host: idempotent by appointment, and it counts how often it is asked. */
export class CountingRooms implements AccessProvider {
  readonly conferenceIsAppointment = false;
  readonly rooms = new Map<string, AccessGrant>();
  calls = 0;
  /** How it answers; a host's service may be down, or refuse for good. */
  mood: 'open' | 'down' | 'refuse' = 'open';

  async openRoom({ appointmentId }: AccessSubject): Promise<RoomOpening> {
    this.calls += 1;
    await Promise.resolve();
    if (this.mood === 'down') throw new Error('The room service does not answer.');
    if (this.mood === 'refuse') return { status: 'refused', reason: 'no licence' };
    const conferenceId = `conference-${String(this.rooms.size + 1)}`;
    const grant = this.rooms.get(appointmentId) ?? {
      conferenceId,
      roomUrl: `https://rooms.example.org/${conferenceId}`,
    };
    this.rooms.set(appointmentId, grant);
    return { status: 'opened', grant };
  }

  details(grant: AccessGrant, { schedule }: AccessSubject): ReturnType<AccessProvider['details']> {
    return { secureToken: `token of ${grant.conferenceId}`, roomUrl: grant.roomUrl, expires: schedule.end };
  }
}
