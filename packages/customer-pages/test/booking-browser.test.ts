import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from '../../../scripts/chromium.mjs';
import { type BookingHost, checkUp, halfPastNine, start, startBookingHost } from './booking-host.js';
import { axeOn, headed, narrow, press, reach, tooSmallOn, tooWide, withPage } from './browsing.js';
import { supervisor } from './pages-host.js';

const long = 'aWordThatNeverEnds'.repeat(8);
const longService = { ...checkUp, title: `A check-up with a long title, and ${long}`, description: `Room ${long}` };

// Only a machine with Chromium can show pages; the gate requires it.
describe.skipIf(chromiumPath() === undefined)(
  'The pages of booking in Chromium (CALENDS_TEST_CHROMIUM)',
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    let host: BookingHost;
    let base: string;
    beforeAll(async () => {
      browser = await startChromium();
    });
    beforeEach(async () => {
      host = await startBookingHost({ services: { 'check-up': longService, other: checkUp } });
      base = `http://127.0.0.1:${String(host.port)}/manage`;
    });
    afterEach(() => host.close());
    afterAll(() => browser.close());

    const appointments = async () => (await host.scheduling.appointments.list(supervisor, {})).items;

    it.each([
      ['with JavaScript, in the zone of the browser', true, '8:30'],
      ['without JavaScript, in the zone of the service', false, '9:30'],
    ])('a customer books %s', async (_name, javaScriptEnabled, clock) => {
      await withPage(browser, { javaScriptEnabled }, async (page, seen) => {
        await page.goto(`${base}/book`);
        await page.locator('a[href*="service=other"]').click();
        await headed(page, 'Choose a time');
        const chosen = page.locator(`button[value="${halfPastNine}"]`);
        await chosen.filter({ hasText: clock }).click();
        await headed(page, 'Who is coming?');
        await enter(page);
        await press(page, 'Send me the code');
        await headed(page, 'Enter the code');
        await page.getByLabel('Code').fill(await host.code());
        await press(page, 'Book this appointment');
        await headed(page, 'Your appointment is booked');
        expect((await appointments()).map(({ schedule }) => schedule.start)).toEqual([start]);
        expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['calends_booking_step']);
        expect(seen.console).toEqual([]);
      });
    });

    it.each([
      ['the address names', '&zone=Nowhere/Known', ''],
      ['the browser tells', '', 'Etc/Unknown'],
    ])('a zone that nobody knows, which %s, leaves the times in that of the service', async (_name, query, told) => {
      await withPage(browser, {}, async (page, seen) => {
        const zone = `Intl.DateTimeFormat = () => ({ resolvedOptions: () => ({ timeZone: '${told}' }) })`;
        if (told !== '') await page.addInitScript(zone);
        const times = `${base}/book/times?service=other&duration=PT30M${query}`;
        await page.goto(times);
        if (told !== '') await page.waitForURL(`${times}&zone=Etc%2FUnknown`);
        await page.waitForLoadState('networkidle');
        expect(await page.getByLabel('Your time zone').inputValue()).toBe('Europe/Athens');
        expect(seen.requests.filter((request) => request.includes('/book/times'))).toHaveLength(told === '' ? 1 : 2);
      });
    });

    it('the keyboard alone is enough, and shows where it is', async () => {
      await withPage(browser, { timezoneId: 'Europe/Athens' }, async (page) => {
        await page.goto(`${base}/book`);
        await reach(page, 'a[href*="service=other"]');
        await page.keyboard.press('Enter');
        await headed(page, 'Choose a time');
        await reach(page, '#zone');
        await reach(page, 'summary');
        await reach(page, `button[value="${halfPastNine}"]`);
        await page.keyboard.press('Enter');
        await headed(page, 'Who is coming?');
        for (const [name, value] of Object.entries({ firstName: 'Ada', email: 'ada@example.org' })) {
          await reach(page, `#${name}`);
          await page.keyboard.insertText(value);
        }
        await page.keyboard.press('Enter');
        await headed(page, 'Enter the code');
        await reach(page, '#code');
        await page.keyboard.insertText(await host.code());
        await reach(page, 'button.primary');
        await page.keyboard.press('Space');
        await headed(page, 'Your appointment is booked');
        expect(await appointments()).toHaveLength(1);
      });
    });

    it.each([
      ['with JavaScript', true],
      ['without JavaScript', false],
    ])('Back and Reload show a page wherever the customer is, and send nothing again, %s', async (_name, scripted) => {
      await withPage(browser, { javaScriptEnabled: scripted }, async (page, seen) => {
        const sent = () => seen.requests.filter((request) => request.startsWith('POST')).length;
        /** Presses Reload, and expects the page to stay as it is. */
        const stays = async (): Promise<void> => {
          const [forms, text] = [sent(), await page.locator('main').innerText()];
          await page.reload();
          expect([await page.locator('main').innerText(), sent()]).toEqual([text, forms]);
        };
        const back = async (heading: string): Promise<void> => {
          const forms = sent();
          await page.goBack();
          await headed(page, heading);
          expect(sent()).toBe(forms);
        };
        await page.goto(`${base}/book/times?service=other&duration=PT30M&zone=Europe/Athens`);
        await page.locator(`button[value="${halfPastNine}"]`).click();
        await headed(page, 'Who is coming?');
        await stays();
        await page.getByLabel('E-mail').fill('ada@example.org');
        await press(page, 'Send me the code');
        await page.getByRole('alert').waitFor();
        await stays();
        await enter(page);
        await press(page, 'Send me the code');
        await headed(page, 'Enter the code');
        await stays();
        await back('Who is coming?');
        expect(await page.getByLabel('First name').inputValue()).toBe('Ada');
        await page.goForward();
        await headed(page, 'Enter the code');
        await page.getByLabel('Code').fill('x');
        await press(page, 'Book this appointment');
        await page.getByRole('alert').waitFor();
        await stays();
        await page.getByLabel('Code').fill(await host.code());
        await press(page, 'Book this appointment');
        await headed(page, 'Your appointment is booked');
        await stays();
        // The code twice, and who comes twice: each was refused once.
        for (let step = 0; step < 4; step += 1) await back('Your appointment is booked');
        await back('Choose a time');
        expect([await host.sent(), (await appointments()).length]).toEqual([1, 1]);
      });
    });

    /** Opens every page of booking, and the free times for moving, one after the other. */
    async function everyPage(page: Page, look: (name: string) => Promise<void>): Promise<void> {
      await page.goto(`${base}/book`);
      await look('services');
      await page.goto(`${base}/book/times?service=nothing&duration=PT30M`);
      await page.getByRole('alert').waitFor();
      await look('a service that is not offered');
      const times = `${base}/book/times?service=check-up&duration=PT30M&zone=Asia/Kathmandu`;
      await page.goto(`${times}&from=2030-05-11`);
      await look('later times');
      await page.goto(times);
      await look('times');
      await page.locator(`button[value="${halfPastNine}"]`).click();
      await headed(page, 'Who is coming?');
      await look('details');
      await page.getByLabel('E-mail').fill('ada@example.org');
      await press(page, 'Send me the code');
      await page.getByRole('alert').waitFor();
      await look('details, refused');
      await enter(page);
      await press(page, 'Send me the code');
      await headed(page, 'Enter the code');
      await look('code');
      await page.getByLabel('Code').fill('x');
      await press(page, 'Book this appointment');
      await page.getByRole('alert').waitFor();
      await look('code, refused');
      await page.getByLabel('Code').fill(await host.code());
      await press(page, 'Book this appointment');
      await headed(page, 'Your appointment is booked');
      await look('booked');
      const [made] = await appointments();
      if (made === undefined) throw new Error('Nothing was booked.');
      await page.goto(`${base}/#${(await host.link(made)).code}`);
      await page.waitForURL(`${base}/appointment`);
      await page.goto(`${base}/appointment/reschedule`);
      await headed(page, 'Choose another time');
      await look('moving');
    }

    it.each(['light', 'dark'] as const)('axe finds nothing on any page (%s)', async (colorScheme) => {
      await withPage(browser, { colorScheme }, async (page) => {
        const violations: string[] = [];
        await everyPage(page, async (name) => {
          const found = await axeOn(page);
          expect(found.rules).toBeGreaterThan(10);
          violations.push(...found.violations.map((each) => `${name}: ${each}`));
        });
        expect(violations).toEqual([]);
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
  },
);

async function enter(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('E-mail').fill('ada@example.org');
}
