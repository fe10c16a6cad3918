import { openApiDocument } from '@calends/http-contract';
import express from 'express';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from '../../../scripts/chromium.mjs';
import { developmentLogin } from '../src/http/development-login.js';
import { referencePage } from '../src/http/reference-page.js';

/** The page as the build puts it together. */
const folders = [
  fileURLToPath(new URL('../src/reference-page/', import.meta.url)),
  dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
];
const tokens = [
  { role: 'ROLE_AGENT', sub: 'agent-1', token: 'the-token-of-an-agent' },
  { role: 'ROLE_CLIENT_SERVICE', sub: 'client-service-1', token: 'the-token-of-client-service' },
] as const;

// A machine without the browser is named in the report; with CALENDS_REQUIRE_BROWSER=1 the run has failed before.
describe.skipIf(chromiumPath() === undefined)('The reference page in Chromium (CALENDS_TEST_CHROMIUM)', () => {
  let browser: Browser;
  let server: Server;
  let called: IncomingHttpHeaders | undefined;
  let isDevelopment = true;

  beforeAll(async () => {
    const application = express().get('/openapi.json', (_request, response) => void response.json(openApiDocument()));
    const login = developmentLogin(() => Promise.resolve(tokens));
    application.get('/docs/tokens', (request, response, next) =>
      isDevelopment ? void login(request, response, next) : next(),
    );
    for (const folder of folders) application.use('/docs', referencePage(folder));
    application.get('/api/v2/appointments/', (request, response) => {
      called = request.headers;
      response.json([]);
    });
    server = createServer(application).listen(0, '127.0.0.1');
    [browser] = await Promise.all([startChromium(), once(server, 'listening')]);
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function withPage(colorScheme: 'light' | 'dark', use: (page: Page, faults: string[]) => Promise<void>) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    try {
      await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/docs/`);
      await page.locator('.opblock').first().waitFor();
      await use(page, faults);
    } finally {
      await page.close();
    }
  }

  it('the reference page in Chromium (CALENDS_TEST_CHROMIUM) shows the answer of success whole, and a line for each refusal that opens at a click', async () => {
    await withPage('light', async (page, faults) => {
      await page.locator('.opblock-post').first().click();
      const codes = page.locator('.responses-table .refusal .toggle');
      await codes.first().waitFor();
      expect(await codes.allTextContents()).toContain('409');
      expect(await page.locator('.responses-table .response:has(.microlight)').count()).toBe(1);
      await codes.first().click();
      await page.locator('.responses-table .response:has(.microlight) >> nth=1').waitFor();
      expect(faults).toEqual([]);
    });
  });

  it('the reference page in Chromium (CALENDS_TEST_CHROMIUM) logs in at a click while developing, and sends the token', async () => {
    await withPage('light', async (page) => {
      await page.getByRole('button', { name: 'client service' }).click();
      await page.getByText('logged in as client-service-1').waitFor();
      await page.locator('.opblock-get').first().click();
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('button', { name: 'Execute' }).click();
      await page.locator('.live-responses-table').waitFor();
      expect(called?.authorization).toBe('Bearer the-token-of-client-service');
    });
  });

  it('the reference page in Chromium (CALENDS_TEST_CHROMIUM) offers no login where the server gives no tokens, and is dark where the browser is', async () => {
    isDevelopment = false;
    await withPage('dark', async (page) => {
      expect(await page.locator('html').getAttribute('class')).toContain('dark-mode');
      expect(await page.locator('#login').isVisible()).toBe(false);
    });
  });
});
