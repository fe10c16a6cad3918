import type { NotificationsRequest } from '../commands/notifications.js';
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
  | { readonly name: 'completion'; readonly shell: Shell };

/** Where a command says what it was asked for. */
export type Ask = (asked: Asked) => void;
