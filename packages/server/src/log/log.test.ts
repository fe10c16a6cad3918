import { describe, expect, it } from 'vitest';
import { createLog } from './log.js';

describe('The log', () => {
  it('the log tells that it is flushed when the last line is written, not before', async () => {
    const log = createLog('info');
    log.info('a line of the log test');
    let flushed = false;
    const flushing = new Promise<void>((resolve) => {
      log.flush(() => {
        flushed = true;
        resolve();
      });
    });
    expect(flushed).toBe(false);
    await flushing;
  });
});
