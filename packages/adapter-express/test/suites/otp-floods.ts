import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CustomerHost, startCustomerHost } from '../support/customer-host.js';
import type { OpenStore } from '../support/host.js';

const path = '/api/customers/one-time-passwords';
const madeUp = (count: number) => Array.from({ length: count }, (_, index) => `made-up-${String(index)}@example.org`);

/** Floods of requests for one-time passwords (D66), on any store. */
export function otpFloodSuite(name: string, open: OpenStore): void {
  describe(`floods of code requests on ${name}`, () => {
    let host: CustomerHost;
    beforeAll(async () => {
      host = await startCustomerHost(open);
    });
    afterAll(() => host.close());

    async function codeSentTo(address: string): Promise<string> {
      for (let look = 0; look < 2000; look += 1) {
        const sent = host.email.sent.find(({ message }) => message.to.address === address);
        if (sent !== undefined) return /\d{6}/.exec(sent.message.text)?.[0] ?? '';
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error('No code was sent.');
    }
    const ask = async (username: string, applicationId = 'app-1'): Promise<number> =>
      (await host.call('POST', path, { json: { applicationId, username } })).status;

    it('140 requests for made-up addresses, with a mail server that answers nothing yet, keep nobody from a code', async () => {
      const customer = 'customer@example.org';
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      host.email.result = () => held.then(() => ({ status: 'delivered' }));
      const statuses = await Promise.all(madeUp(140).map((username) => ask(username)));
      expect(new Set([...statuses, await ask(customer)])).toEqual(new Set([204]));
      expect(host.email.sent.some(({ message }) => message.to.address === customer)).toBe(false);
      release();
      const code = await codeSentTo(customer);
      expect(host.email.sent).toHaveLength(141);
      expect((await host.book(customer, code)).status).toBe(200);
    });

    it('1,500 requests for applications that nobody configured are answered the same, and leave no row', async () => {
      host.store.statements();
      const statuses: number[] = [];
      for (let batch = 0; batch < 30; batch += 1) {
        const names = madeUp(50).map((username) => ask(username, `unknown-${String(batch)}`));
        statuses.push(...(await Promise.all(names)));
      }
      expect(statuses).toHaveLength(1500);
      expect(new Set(statuses)).toEqual(new Set([204]));
      const methods = host.store.statements().map((each) => each.split(' ')[0]);
      expect(new Set(methods)).toEqual(new Set(['customers.findChallenge']));
    });
  });
}
