import type { LinkSource } from '../ports/link-source.js';
import type { UseCaseContext } from '../use-case/context.js';
import { accessSubject } from '../use-case/room.js';
import { currentManageUrl } from './manage-link-operations.js';

/** Links of messages where the host has none of its own: the room once it is open, and the manage link (D45). */
export function builtInLinks(context: UseCaseContext): LinkSource {
  return {
    linksFor: async ({ appointment, participantId }) => {
      const manage = await currentManageUrl(context, appointment, participantId);
      if (appointment.state !== 'ACTIVATED') return { manage };
      const settings = await context.applications.settingsOf(appointment.applicationId);
      const { roomUrl } = await context.accessProvider.details(
        appointment.access,
        accessSubject(appointment, settings),
      );
      return { join: roomUrl, manage };
    },
  };
}
