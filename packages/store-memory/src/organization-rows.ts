import { type ActorRelation, isLive, type WindowCountQuery } from '@calends/core/store';
import { entry } from './maps.js';
import { actorKey, type AppointmentRow, byEnd, byId, byStart } from './appointment-row.js';
import { SortedList } from './sorted-list.js';

/** The live appointments of one application, for counting in windows without looking at each. */
interface LiveRows {
  readonly byStart: SortedList<AppointmentRow>;
  readonly byEnd: SortedList<AppointmentRow>;
}

/** The appointments of one organization with their indexes. */
export class OrganizationRows {
  readonly #byId = new Map<string, AppointmentRow>();
  readonly #byStart = new SortedList(byStart);
  /** Those that can be activated, by id. */
  readonly scheduled = new SortedList(byId);
  readonly #byActor = new Map<string, SortedList<AppointmentRow>>();
  readonly #live = new Map<string, LiveRows>();

  get size(): number {
    return this.#byId.size;
  }

  /** All rows by start, then id. */
  get inOrder(): readonly AppointmentRow[] {
    return this.#byStart.items;
  }

  find(appointmentId: string): AppointmentRow | undefined {
    return this.#byId.get(appointmentId);
  }

  /** The rows that the actor index has under this relation, by start, then id. */
  ofActor(relation: ActorRelation, actorId: string): SortedList<AppointmentRow> | undefined {
    return this.#byActor.get(actorKey(relation, actorId));
  }

  /** How many start in `from ≤ start < to` (D27). */
  countStarting({ applicationId, windows }: WindowCountQuery): readonly number[] {
    const byStart = this.#live.get(applicationId)?.byStart;
    const startBefore = (instant: number) =>
      byStart?.countWhile(({ appointment }) => appointment.schedule.start < instant) ?? 0;
    return windows.map(({ from, to }) => Math.max(0, startBefore(to) - startBefore(from)));
  }

  /**
   * How many intersect the window (D29): all that start before its end, without those that have ended by its
   * beginning, which all started before its end.
   */
  countOverlapping({ applicationId, windows }: WindowCountQuery): readonly number[] {
    const live = this.#live.get(applicationId) ?? newLiveRows();
    return windows.map(({ from, to }) => {
      const started = live.byStart.countWhile(({ appointment }) => appointment.schedule.start < to);
      const ended = live.byEnd.countWhile(({ appointment }) => appointment.schedule.end <= from);
      return Math.max(0, started - ended);
    });
  }

  add(row: AppointmentRow): void {
    const { appointment, actors } = row;
    this.#byId.set(appointment.id, row);
    this.#byStart.add(row);
    if (appointment.state === 'SCHEDULED') this.scheduled.add(row);
    for (const { relation, actorId } of actors) {
      entry(this.#byActor, actorKey(relation, actorId), () => new SortedList(byStart)).add(row);
    }
    if (isLive(appointment)) {
      const live = entry(this.#live, appointment.applicationId, newLiveRows);
      live.byStart.add(row);
      live.byEnd.add(row);
    }
  }

  remove(row: AppointmentRow): void {
    const { appointment, actors } = row;
    this.#byId.delete(appointment.id);
    this.#byStart.remove(row);
    if (appointment.state === 'SCHEDULED') this.scheduled.remove(row);
    for (const { relation, actorId } of actors) {
      const key = actorKey(relation, actorId);
      const rows = this.#byActor.get(key);
      rows?.remove(row);
      if (rows?.isEmpty === true) this.#byActor.delete(key);
    }
    const live = this.#live.get(appointment.applicationId);
    live?.byStart.remove(row);
    live?.byEnd.remove(row);
    if (live?.byStart.isEmpty === true) this.#live.delete(appointment.applicationId);
  }
}

const newLiveRows = (): LiveRows => ({ byStart: new SortedList(byStart), byEnd: new SortedList(byEnd) });
