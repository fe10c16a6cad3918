import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from '../../../scripts/chromium.mjs';
import { type BookingHost, checkUp, startBookingHost } from './booking-host.js';
import { press, withPage } from './browsing.js';

/** "First consultation, room 4!", and a word in another script. */
const arabic = 'استشارة أولى (غرفة 4) – Check-up!';

/** Words of buttons and labels that do not stand on one line, and dates whose field is too small for them. */
const broken = `(() => {
  document.documentElement.style.fontSize = '200%';
  document.styleSheets[0].insertRule('* { hyphens: none !important; }');
  const linesOf = (node, word) => {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const found = [];
  for (const each of document.querySelectorAll('button, .button, label')) {
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      if (node.parentElement.closest('.unseen') !== null) continue;
      for (const word of node.data.matchAll(/[^\\s-]+/g)) if (linesOf(node, word) > 1) found.push(word[0]);
    }
  }
  for (const each of document.querySelectorAll('input[type=date], input[type=time]'))
    if (each.scrollWidth > each.clientWidth) found.push(each.id);
  return found;
})()`;

// A machine without the browser is named in the report; with CALENDS_REQUIRE_BROWSER=1 the run has failed before.
describe.skipIf(chromiumPath() === undefined)(
  'Pages that are narrow, or in two scripts (CALENDS_TEST_CHROMIUM)',
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    let host: BookingHost;
    let base: string;
    beforeAll(async () => {
      browser = await startChromium();
    });
    beforeEach(async () => {
      host = await startBookingHost({ services: { 'check-up': { ...checkUp, title: arabic, description: arabic } } });
      base = `http://127.0.0.1:${String(host.port)}/manage`;
    });
    afterEach(() => host.close());
    afterAll(() => browser.close());

    /** Opens the link of an appointment in a language. */
    const opened = async (page: Page, locale: string): Promise<void> => {
      const { code } = await host.link(await host.book({ locale, title: arabic }));
      await page.goto(`${base}/#${code}`);
      await page.waitForURL(`${base}/appointment`);
    };

    it.each(['en', 'de', 'el'])(
      'no word on a button or a label is broken at 360 px and letters of twice the size: %s',
      async (locale) => {
        await withPage(browser, { locale, viewport: { width: 360, height: 740 } }, async (page) => {
          const found: Record<string, unknown> = {};
          const look = async (name: string): Promise<void> => {
            found[name] = await page.evaluate(broken);
          };
          await page.goto(`${base}/book`);
          await look('times');
          await page.locator('button[name=start]').first().click();
          await page.locator('#email').fill('ada@example.org');
          await page.locator('#lastName').fill('Lovelace');
          await look('details');
          await page.locator('button.primary').click();
          await page.locator('#code').waitFor();
          await look('code');
          await opened(page, locale);
          for (const path of ['', '/reschedule', '/cancel']) {
            await page.goto(`${base}/appointment${path}`);
            await look(path);
          }
          expect(found).toEqual({ times: [], details: [], code: [], '': [], '/reschedule': [], '/cancel': [] });
        });
      },
    );

    it('a title in a script that is read from the right runs its own way, and begins where the page does', async () => {
      await withPage(browser, {}, async (page) => {
        const placed = (
          selector: string,
        ): Promise<{ readonly first: number; readonly last: number; readonly start: number }> =>
          page.evaluate(`(() => {
            const element = document.querySelector(${JSON.stringify(selector)});
            const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
            const leftOf = (from, to) => {
              const range = document.createRange();
              range.setStart(node, from);
              range.setEnd(node, to);
              return range.getBoundingClientRect().left;
            };
            const end = node.data.trimEnd().length;
            return { first: leftOf(0, 1), last: leftOf(end - 1, end), start: leftOf(0, end) - element.getBoundingClientRect().left };
          })()`);
        await opened(page, 'en');
        const title = await placed('h1');
        expect(title.last).toBeLessThan(title.first);
        expect(title.start).toBeLessThan(1);
        await page.goto(`${base}/appointment/cancel`);
        const small = await placed('.what');
        expect(small.last).toBeLessThan(small.first);
        expect(small.start).toBeLessThan(1);
      });
    });

    it.each([true, false])(
      'a refused page begins with what was refused, and Tab leads from there into the form (script: %s)',
      async (javaScriptEnabled) => {
        await withPage(browser, { javaScriptEnabled, locale: 'en-GB' }, async (page) => {
          await page.goto(`${base}/book/times?service=check-up&duration=PT30M&zone=UTC`);
          await page.locator('button[name=start]').first().click();
          await page.getByLabel('E-mail').fill('ada@example.org');
          await press(page, 'Send me the code');
          await page.getByRole('alert').waitFor();
          expect(await page.locator(':focus').getAttribute('id')).toBe('problem');
          await page.keyboard.press('Tab');
          expect(await page.locator(':focus').getAttribute('id')).toBe('firstName');
        });
      },
    );
  },
);
