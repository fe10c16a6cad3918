import { index } from '../schema/columns.js';
import type { Addition } from '../schema/table.js';
import { takesLong } from '../tables/people.js';

/** Times that take an actor for long. There are few of them; all others lie within a day of what they meet. */
export const longTimes: Addition = {
  table: 'calends_actors',
  columns: [],
  indices: [
    // Answers busy times alone.
    index(
      'actors_long_times',
      ['organization_id', 'actor_id', 'start_at', 'appointment_id', 'end_at', 'blocks', 'busy_from', 'busy_to'],
      { where: takesLong() },
    ),
  ],
};
