// Where the browser of the customer pages' tests and pictures is, and how it is started.
import { accessSync, constants } from 'node:fs';

const usual = '/usr/bin/chromium';

function canBeStarted(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The program of `CALENDS_TEST_CHROMIUM`, else the usual one; `undefined` when it is not there. */
export function chromiumPath() {
  const named = process.env['CALENDS_TEST_CHROMIUM'];
  const path = named === undefined || named === '' ? usual : named;
  return canBeStarted(path) ? path : undefined;
}

/** Whether the browser tests can run here, in words; a fault when they must and cannot. */
export function askChromium({ required }) {
  const path = chromiumPath();
  if (path !== undefined) return { text: `the customer pages are tested in the browser ${path}` };
  const named = process.env['CALENDS_TEST_CHROMIUM'];
  if (named !== undefined && named !== '') return { fault: `CALENDS_TEST_CHROMIUM names no program: ${named}` };
  return required
    ? { fault: `Chromium is required, ${usual} is not there and CALENDS_TEST_CHROMIUM is not set` }
    : {
        text: `the browser tests of the customer pages are left out (no ${usual}, and CALENDS_TEST_CHROMIUM is not set)`,
      };
}

/** Starts the browser with a profile of its own, and without talks to its maker; `close()` ends it. */
export async function startChromium() {
  // Only here: `npm test` reads this file before it has installed anything.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    // Containers let no program make sandboxes; the browser sees the loopback only.
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });
}
