import type { Registry } from 'prom-client';
import { within } from '../process/within.js';
import { isOurs, maxTelling, type ToFirst } from './messages.js';
import { saysEvery } from './silence.js';

/** A little longer than the first process waits for the others, in milliseconds. */
const maxWait = maxTelling + 500;

/** Tells the first process something; where it is gone, this one is about to end as well. */
function tell(message: ToFirst): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Tells the first process that this one serves, and from then on that it goes on. */
export function tellUp(): void {
  tell({ calends: 'up' });
  setInterval(() => tell({ calends: 'goingOn' }), saysEvery).unref();
}

/**
 * The metrics of all processes, for one of them: tells the first process its own figures when it is asked.
 *
 * @returns asks for the page of all, once however many ask at a time; `undefined` when there is no answer in time
 */
export function figuresOfAll(registry: Registry): () => Promise<string | undefined> {
  let hear: (text: string) => void = () => undefined;
  let asked: Promise<string | undefined> | undefined;
  process.on('message', (message) => {
    if (!isOurs(message)) return;
    if (message.calends === 'page') hear(message.text);
    else if (message.calends === 'tellFigures')
      void registry.getMetricsAsJSON().then((figures) => tell({ calends: 'figures', figures }));
  });
  return () => {
    asked ??= within(
      new Promise<string>((resolve) => {
        hear = resolve;
        tell({ calends: 'askPage' });
      }),
      maxWait,
      undefined,
    ).finally(() => (asked = undefined));
    return asked;
  };
}
