import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** What a browser told while a page was open. */
export interface Seen {
  readonly console: string[];
  readonly requests: string[];
}

/** A browser of its own, and what its console and its network saw. */
export async function withPage(
  browser: Browser,
  options: BrowserContextOptions,
  use: (page: Page, seen: Seen) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  const page = await context.newPage();
  const seen: Seen = { console: [], requests: [] };
  page.on('console', (message) => seen.console.push(message.text()));
  page.on('pageerror', (error) => seen.console.push(error.message));
  page.on('request', (request) => {
    const { referer = '' } = request.headers();
    seen.requests.push(`${request.method()} ${request.url()}${referer === '' ? '' : ` from ${referer}`}`);
  });
  try {
    await use(page, seen);
  } finally {
    await context.close();
  }
}

export const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();
export const headed = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** Presses Tab up to the element, whose focus must be seen. */
export async function reach(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) === 0) continue;
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    if (outline !== 'solid') throw new Error(`The focus of ${selector} is not seen: ${outline}.`);
    return;
  }
  throw new Error(`Tab does not reach ${selector}.`);
}

/** What axe finds on the page, with what it cannot tell of its colours, and how many rules hold. */
export async function axeOn(page: Page): Promise<{ readonly violations: readonly string[]; readonly rules: number }> {
  await page.evaluate(axe.source);
  const { passes, violations, incomplete } = await page.evaluate<axe.AxeResults>('axe.run(document)');
  const unsure = incomplete.filter(({ id }) => id === 'color-contrast');
  return {
    violations: [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      ...unsure.map(({ id }) => `${id} cannot be told`),
    ],
    rules: passes.length,
  };
}

/** How many pixels the page is wider than the window, with letters of that size. */
export async function tooWide(page: Page, fontSize: string): Promise<number> {
  await page.evaluate(`document.documentElement.style.fontSize = '${fontSize}'`);
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** What can be pressed or filled and is less than 44 px high or wide (WCAG 2.2 asks for 24, 2.5.5 for 44). */
function tooSmall(page: Page): Promise<readonly string[]> {
  return page.evaluate<
    readonly string[]
  >(`[...document.querySelectorAll('a, button, input:not([type=hidden]), select, summary, textarea')]
    .map((target) => ({ target, ...target.getBoundingClientRect().toJSON() }))
    .filter(({ width, height }) => width > 0 && Math.min(width, height) < 44)
    .map(({ target, width, height }) => target.outerHTML.slice(0, 80) + ': ' + width + ' by ' + height)`);
}

/** The same on every page of a walk, each with the name of its page. */
export async function tooSmallOn(
  page: Page,
  walk: (page: Page, look: (name: string) => Promise<void>) => Promise<void>,
): Promise<readonly string[]> {
  const small: string[] = [];
  await walk(page, async (name) => {
    small.push(...(await tooSmall(page)).map((each) => `${name}: ${each}`));
  });
  return small;
}

/** The windows in which nothing may scroll sideways. */
export const narrow: readonly (readonly [string, BrowserContextOptions, string])[] = [
  ['360 px wide', { viewport: { width: 360, height: 740 } }, '100%'],
  ['320 px wide', { viewport: { width: 320, height: 640 } }, '100%'],
  ['1280 px wide at 200 % zoom', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }, '100%'],
  ['360 px wide with letters of twice the size', { viewport: { width: 360, height: 740 } }, '200%'],
];
