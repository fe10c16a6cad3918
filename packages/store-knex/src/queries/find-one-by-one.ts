import type { Row, Session } from '../database/session.js';
import type { AppointmentKey } from '../dialects/dialect.js';

const findOne = 'select * from calends_appointments where organization_id = ? and id = ?';

/** Reads appointments with one statement each, where that is as quick as one for all. */
export async function findOneByOne(session: Session, keys: readonly AppointmentKey[]): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const { organizationId, appointmentId } of keys) {
    const { rows } = await session.run(findOne, [organizationId, appointmentId]);
    found.push(...rows);
  }
  return found;
}
