import { describe, expect, it } from 'vitest';
import { webhookNotifier, type WebhookNotifierOptions } from '../src/index.js';
import { certificate } from './support/certificate.js';

describe('the options', () => {
  it.each([
    [{ timeOut: 1 }, 'unknown option timeOut; did you mean timeout?'],
    [{ timeout: 0 }, 'timeout: must be whole milliseconds from 1 to 600000'],
    [{ timeout: '15' }, 'timeout: must be whole milliseconds from 1 to 600000'],
    [{ connectTimeout: 1.5 }, 'connectTimeout: must be whole milliseconds from 1 to 600000'],
    [{ connectTimeout: Infinity }, 'connectTimeout: must be whole milliseconds from 1 to 600000'],
    [{ ca: 'no certificate' }, 'ca: must be certificates in PEM form'],
    [{ ca: [certificate, ''] }, 'ca: must be certificates in PEM form'],
    [{ ca: [] }, 'ca: must be certificates in PEM form'],
    [{ ca: null }, 'ca: must be certificates in PEM form'],
    [{ resolve: 'dns' }, 'resolve: must be a function'],
    [{ clock: {} }, 'clock: must have now'],
    [{ clock: null }, 'clock: must have now'],
  ])('the options %o are refused', (options, fault) => {
    expect(() => webhookNotifier(options as WebhookNotifierOptions)).toThrow(
      new TypeError(`webhookNotifier: \n  - ${fault}`),
    );
  });

  it.each([null, 15_000, [{ timeout: 1 }]])('%j is refused in the place of options', (options) => {
    const making = () => webhookNotifier(options as WebhookNotifierOptions);
    expect(making).toThrow(new TypeError('webhookNotifier: options: must be an object.'));
  });

  it('the options have defaults', async () => {
    const notifier = webhookNotifier();
    expect([notifier.timeout, notifier.capability]).toEqual([15_000, 'idempotent']);
    await notifier.close();
  });
});
