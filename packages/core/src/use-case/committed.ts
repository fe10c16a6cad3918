import type { Appointment } from '../appointments/appointment.js';
import type { DomainEvent } from '../appointments/events.js';
import type { CustomerProfile } from '../customers/profile.js';

/** What a commit has written, as far as something follows from it. */
export interface Committed {
  readonly organizationId: string;
  /** Absent where nothing changed but an answer was kept. */
  readonly event: DomainEvent | undefined;
  /** True when messages were planned. */
  readonly plansMessages: boolean;
  /** Notifications that were being sent when they were taken back. */
  readonly sending?: readonly string[] | undefined;
  /** What may make messages outdated that are being sent. */
  readonly change?:
    | {
        readonly before: Appointment;
        readonly next: Appointment;
        readonly customers?: readonly CustomerProfile[] | undefined;
      }
    | undefined;
}
