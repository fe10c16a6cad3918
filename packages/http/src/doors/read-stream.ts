import type { BodyRead } from '../message.js';
import type { IncomingMessage } from 'node:http';

/** So much of a refused upload is still taken off the wire, so that its sender gets to read the answer. */
export const maxDiscarded = 16 * 1024 * 1024;

/**
 * Reads the raw body of a message; buffers no more than `limit` bytes.
 *
 * `tooLarge` leaves the rest on the wire, for {@link discardRest}; `aborted` when the client went away. How long a slow
 * client may take is for the host's server to say (`requestTimeout`).
 */
export function readStream(message: IncomingMessage, limit: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: BodyRead): void => {
      message.off('data', take).off('end', end).off('close', abort).off('error', abort);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      message.pause();
      settle('tooLarge');
    };
    const end = (): void => settle(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    const abort = (): void => settle('aborted');
    if (message.destroyed) {
      resolve('aborted');
      return;
    }
    message.on('data', take).on('end', end).on('close', abort).on('error', abort);
  });
}

/** Throws away what is left of an upload that was answered already, and hangs up on one that does not end. */
export function discardRest(message: IncomingMessage): void {
  if (message.complete || message.destroyed) return;
  let size = 0;
  message.on('error', ignore).on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxDiscarded) message.destroy();
  });
  message.resume();
}

function ignore(): void {
  // The connection broke: nobody is left who waits.
}
