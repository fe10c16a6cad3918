import type { AvailabilityRequest } from '../commands/availability.js';
import type { HoursRequest } from '../commands/hours.js';
import type { NotificationsRequest } from '../commands/notifications.js';
import type { ServicesRequest } from '../commands/services.js';
import type { TokenRequest } from '../commands/token.js';

/** Shells whose completion can be printed. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One of {@link shells}. */
export type Shell = (typeof shells)[number];

/** What the command line asks for. */
export type Asked =
  | { readonly name: 'help' | 'version'; readonly text: string }
  | { readonly name: 'serve' | 'migrate' | 'openapi' }
  | { readonly name: 'token'; readonly request: TokenRequest }
  | { readonly name: 'notifications'; readonly request: NotificationsRequest }
  | { readonly name: 'services'; readonly request: ServicesRequest }
  | { readonly name: 'hours'; readonly request: HoursRequest }
  | { readonly name: 'availability'; readonly request: AvailabilityRequest }
  | { readonly name: 'completion'; readonly shell: Shell };

/** Where a command says what it was asked for. */
export type Ask = (asked: Asked) => void;
