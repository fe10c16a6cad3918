import type { LinkSource } from '../ports/link-source.js';
import type { UseCaseContext } from '../use-case/context.js';
import { accessSubject } from '../use-case/room.js';
import { currentManageUrl } from './manage-link-operations.js';

/**
 * Links of messages where the host has none of its own: the customer's page (D45, D61). Where there is none, or its link was
 * revoked, the room once it is open.
 */
export function builtInLinks(context: UseCaseContext): LinkSource {
  return {
    linksFor: async ({ appointment, participantId }) => {
      const page = await currentManageUrl(context, appointment, participantId);
      if (page !== undefined || appointment.state !== 'ACTIVATED') return { page };
      const settings = await context.applications.settingsOf(appointment.applicationId);
      const { roomUrl } = await context.accessProvider.details(
        appointment.access,
        accessSubject(appointment, settings),
      );
      return { join: roomUrl };
    },
  };
}
