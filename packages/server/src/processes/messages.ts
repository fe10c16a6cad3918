import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The figures of a process, as they travel. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What the first process says to those that serve. */
export type ToServing = { readonly calends: 'tellFigures' } | { readonly calends: 'page'; readonly text: string };

/** What they say to it. */
export type ToFirst =
  | { readonly calends: 'up' }
  | { readonly calends: 'goingOn' }
  | { readonly calends: 'figures'; readonly figures: Figures }
  | { readonly calends: 'askPage' };

/** How long a process may take to tell its figures, in milliseconds: longer than the store of a scrape may take. */
export const maxTelling = 3_500;

/** Libraries may send messages of their own over the same channel. */
export function isOurs(message: unknown): message is ToServing | ToFirst {
  return typeof message === 'object' && message !== null && 'calends' in message;
}
