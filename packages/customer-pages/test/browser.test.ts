import type { Appointment } from '@calends/core';
import type { Browser, Page } from 'playwright-core';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from '../../../scripts/chromium.mjs';
import { axeOn, headed, narrow, press, reach, tooSmallOn, tooWide, withPage } from './browsing.js';
import { agent, type PagesHost, startHost } from './pages-host.js';

/** Cookies end by the browser's own clock: the host's stands where none of them has ended yet. */
const clock = Date.UTC(2099, 4, 6, 8);
const start = '2099-05-08T07:30:00Z';
const hour = 3_600_000;

// A machine without the browser is named in the report; with CALENDS_REQUIRE_BROWSER=1 the run has failed before.
describe.skipIf(chromiumPath() === undefined)(
  'The customer pages in Chromium (CALENDS_TEST_CHROMIUM)',
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    let host: PagesHost;
    let base: string;
    beforeAll(async () => {
      [browser, host] = await Promise.all([startChromium(), startHost({ at: clock })]);
      base = `http://127.0.0.1:${String(host.port)}/manage`;
    });
    afterAll(async () => {
      await browser.close();
      await host.close();
    });

    const book = (title = 'First consultation'): Promise<Appointment> => host.book({ start, title });
    const codeOf = async (made: Appointment): Promise<string> => (await host.link(made)).code;

    const follow = (page: Page, name: string): Promise<void> => page.getByRole('link', { name }).click();

    it('a link opens the appointment; its code is in no address, no history and no request', async () => {
      const code = await codeOf(await book());
      await withPage(browser, {}, async (page, seen) => {
        await page.goto(`${base}/#${code}`);
        await page.waitForURL(`${base}/appointment`);
        await headed(page, 'First consultation');
        expect(await page.locator('.times dt').allTextContents()).toEqual(['When', 'Your local time']);
        expect(await addressesBack(page)).toEqual([`${base}/appointment`, 'about:blank']);
        expect(seen.requests).toContain(`POST ${base}/session`);
        expect(seen.requests.filter((request) => request.includes(code) || request.includes(' from '))).toEqual([]);
        expect(seen.console).toEqual([]);
      });
    });

    it('a link that is opened where the entry page is open already works as well', async () => {
      const code = await codeOf(await book());
      await withPage(browser, {}, async (page) => {
        await page.goto(`${base}/`);
        await page.goto(`${base}/#${code}`);
        await page.waitForURL(`${base}/appointment`);
        await page.goBack();
        await headed(page, 'Your appointment');
        expect(await page.inputValue('#code')).toBe('');
        await page.goForward();
        await headed(page, 'First consultation');
        const [last, ...others] = await addressesBack(page);
        expect([last, new Set(others)]).toEqual([`${base}/appointment`, new Set([`${base}/`, 'about:blank'])]);
      });
    });

    it.each([
      ['with JavaScript', true],
      ['without JavaScript, the code typed by hand', false],
    ])('a customer sees, moves and cancels the appointment %s', async (_name, javaScriptEnabled) => {
      const made = await book();
      const code = await codeOf(made);
      await withPage(browser, { javaScriptEnabled }, async (page, seen) => {
        await page.goto(`${base}/#${javaScriptEnabled ? code : ''}`);
        if (!javaScriptEnabled) {
          await page.getByLabel('Code from your message').fill(code);
          await press(page, 'Open my appointment');
        }
        await headed(page, 'First consultation');
        const labels = await page.locator('.times dt').allTextContents();
        expect(labels).toEqual(['When', javaScriptEnabled ? 'Your local time' : 'In UTC']);

        await follow(page, 'Choose another time');
        await page.getByLabel('New date').fill('2020-05-09');
        await press(page, 'Move appointment');
        await page.getByRole('alert').waitFor();
        await page.getByLabel('New date').fill('2099-05-09');
        await press(page, 'Move appointment');
        await page.getByText('Your appointment was moved.').waitFor();
        expect((await host.kept(made)).schedule.start).toBe(Date.parse('2099-05-09T07:30:00Z'));

        await follow(page, 'Cancel appointment');
        await page.getByLabel('Reason (optional)').fill('I am ill');
        await press(page, 'Yes, cancel it');
        await headed(page, 'Your appointment is cancelled');
        expect(await host.kept(made)).toMatchObject({ state: 'CANCELLED', cancellation: { reason: 'I am ill' } });
        expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['calends_ended']);
        const sent = seen.requests.filter((request) => request.startsWith('POST')).length;
        await page.reload();
        await headed(page, 'Your appointment is cancelled');
        await page.goBack();
        await headed(page, 'Your appointment');
        expect(seen.requests.filter((request) => request.startsWith('POST'))).toHaveLength(sent);
        // What a refused form says of itself is all: no violation of the policy, no error of the script.
        expect(seen.console.filter((text) => !text.includes('status of 400'))).toEqual([]);
      });
    });

    it('the browser downloads the calendar file', async () => {
      const code = await codeOf(await book());
      await withPage(browser, {}, async (page) => {
        await page.goto(`${base}/#${code}`);
        const download = page.waitForEvent('download');
        await follow(page, 'Add to calendar');
        expect((await download).suggestedFilename()).toBe('appointment.ics');
      });
    });

    it('the session cookie is out of reach of scripts, and signing out takes it away', async () => {
      const code = await codeOf(await book());
      await withPage(browser, {}, async (page) => {
        await page.goto(`${base}/#${code}`);
        await headed(page, 'First consultation');
        const cookies = await page.context().cookies();
        expect(cookies.map(({ name, httpOnly, sameSite, path }) => ({ name, httpOnly, sameSite, path }))).toEqual(
          ['calends_session', 'calends_zone'].map((name) => ({
            name,
            httpOnly: true,
            sameSite: 'Strict',
            path: '/manage',
          })),
        );
        expect(await page.evaluate('document.cookie')).toBe('');
        await press(page, 'Sign out');
        await headed(page, 'You are signed out');
        expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['calends_ended']);
      });
    });

    it('a page of another site can send no form for the customer', async () => {
      const made = await book();
      const action = `${base}/appointment/cancel`;
      const evil = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<form method="post" action="${action}"><button>A nice picture</button></form>`);
      });
      await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
      const code = await codeOf(made);
      await withPage(browser, {}, async (page) => {
        await page.goto(`${base}/#${code}`);
        await headed(page, 'First consultation');
        await page.goto(`http://localhost:${String((evil.address() as AddressInfo).port)}/`);
        await press(page, 'A nice picture');
        await headed(page, 'That did not work');
        expect((await host.kept(made)).state).toBe('SCHEDULED');
      });
      evil.closeAllConnections();
      await new Promise((resolve) => evil.close(resolve));
    });

    it('the keyboard alone is enough, and shows where it is', async () => {
      const made = await book();
      const code = await codeOf(made);
      await withPage(browser, { javaScriptEnabled: true }, async (page) => {
        await page.goto(`${base}/`);
        await reach(page, '#code');
        await page.keyboard.insertText(code);
        await page.keyboard.press('Enter');
        await headed(page, 'First consultation');
        await reach(page, 'a[href$="/reschedule"]');
        await page.keyboard.press('Enter');
        await headed(page, 'Choose another time');
        await reach(page, '#time');
        await page.keyboard.press('ArrowUp');
        await reach(page, 'button');
        await page.keyboard.press('Enter');
        await page.getByText('Your appointment was moved.').waitFor();
        expect((await host.kept(made)).schedule.start).toBe(made.schedule.start + hour);
        await reach(page, 'a[href$="/cancel"]');
        await page.keyboard.press('Enter');
        await headed(page, 'Cancel this appointment?');
        await reach(page, '#reason');
        await page.keyboard.type('Ill');
        await reach(page, 'button');
        await page.keyboard.press('Space');
        await headed(page, 'Your appointment is cancelled');
      });
    });

    /** Opens every page, one after the other. */
    async function everyPage(page: Page, look: (name: string) => Promise<void>): Promise<void> {
      const title = `A consultation with a long title, and ${'aWordThatNeverEnds'.repeat(8)}`;
      const made = await book(title);
      const code = await codeOf(made);
      await host.scheduling.appointments.activate(agent, made.id);
      await page.goto(`${base}/`);
      await look('entry');
      await page.goto(`${base}/nowhere`);
      await look('nothing here');
      await page.goto(`${base}/#${code}`);
      await page.waitForURL(`${base}/appointment`);
      await page.getByRole('link', { name: 'Join now' }).waitFor();
      await look('appointment');
      await page.goto(`${base}/appointment/reschedule`);
      await look('reschedule');
      await page.getByLabel('New date').fill('2020-05-09');
      await press(page, 'Move appointment');
      await page.getByRole('alert').waitFor();
      await look('reschedule, refused');
      await page.goto(`${base}/appointment?moved`);
      await look('moved');
      await page.goto(`${base}/appointment/cancel`);
      await look('cancel');
      await press(page, 'Yes, cancel it');
      await headed(page, 'Your appointment is cancelled');
      await look('cancelled');
      await page.goto(`${base}/#${code}`);
      await headed(page, 'This link is not valid any more');
      await look('stale');
    }

    it.each(['light', 'dark'] as const)('axe finds nothing on any page (%s)', async (colorScheme) => {
      await withPage(browser, { colorScheme }, async (page) => {
        const violations: string[] = [];
        let rules = 0;
        await everyPage(page, async (name) => {
          const found = await axeOn(page);
          rules += found.rules;
          violations.push(...found.violations.map((each) => `${name}: ${each}`));
        });
        expect(violations).toEqual([]);
        expect(rules).toBeGreaterThan(100);
      });
    });

    it('everything that is pressed or filled is at least 44 px high and wide', async () => {
      await withPage(browser, { viewport: { width: 360, height: 740 } }, async (page) => {
        expect(await tooSmallOn(page, everyPage)).toEqual([]);
      });
    });

    it.each(narrow)('nothing scrolls sideways, %s', async (_name, options, fontSize) => {
      await withPage(browser, options, async (page) => {
        const wide: string[] = [];
        await everyPage(page, async (name) => {
          const over = await tooWide(page, fontSize);
          if (over > 0) wide.push(`${name}: ${String(over)} px`);
        });
        expect(wide).toEqual([]);
      });
    });

    it.each(['de', 'el'])('axe finds nothing on the pages in %s', async (locale) => {
      const made = await host.book({ start, locale });
      const code = await codeOf(made);
      await withPage(browser, { locale }, async (page) => {
        await page.goto(`${base}/#${code}`);
        await page.waitForURL(`${base}/appointment`);
        for (const path of ['appointment', 'appointment/reschedule', 'appointment/cancel']) {
          await page.goto(`${base}/${path}`);
          expect([path, (await axeOn(page)).violations]).toEqual([path, []]);
        }
      });
    });
  },
);

/** The addresses of the page's history, from the present one back to the empty page before all. */
async function addressesBack(page: Page): Promise<readonly string[]> {
  const addresses = [page.url()];
  while (addresses.at(-1) !== 'about:blank' && addresses.length < 9) {
    await page.goBack();
    addresses.push(page.url());
  }
  return addresses;
}
