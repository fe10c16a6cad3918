import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Looks at a request before it is answered, and may give the answer headers; answers nothing itself. */
export type Look = (message: IncomingMessage, response: ServerResponse) => void;

/** A listener that lets others look at each request first. */
export function withLooks(looks: readonly Look[], answer: RequestListener): RequestListener {
  return (message, response) => {
    for (const look of looks) look(message, response);
    answer(message, response);
  };
}
