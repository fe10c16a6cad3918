import type { AppointmentOperations } from '../scheduling.js';
import { notFound, presentAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { asShownTo, customerProof } from '../use-case/customer-proof.js';
import { withRefusalsNoted } from '../use-case/noted-refusals.js';
import { authorize } from './access-policy.js';
import { isWellFormedId } from './well-formed-id.js';

/** Reads one appointment (spec: Endpoints, rule 9; D42, D43). */
export function getAppointment(context: UseCaseContext): AppointmentOperations['get'] {
  return async (caller, id, options) => {
    const proof = await customerProof(context, caller, id, 'get', options);
    if (!isWellFormedId(id)) throw notFound();
    const call = { caller, appointmentId: id, operation: 'get', proof, options } as const;
    return withRefusalsNoted(context, call, async () => {
      const found = await context.store.findAppointment(caller.organizationId, id);
      const appointment = presentAppointment(found, { proof, options });
      const settings = await context.applications.settingsOf(appointment.applicationId);
      authorize('get', { caller, appointment, settings, now: context.clock.now() });
      return asShownTo(proof, appointment);
    });
  };
}
