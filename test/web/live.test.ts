import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { describeWherePossible } from '../describe-where-possible.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { Site } from './site.ts';

/** The trading page when the exchange, the connection or a limit gets in the way. */

const TIMEOUT_MS = 60_000;
const SESSION_ORDERS = 300;
const problem = chromiumPath() === undefined ? 'Chromium is not installed' : undefined;

describeWherePossible('in a browser', problem, 'install one or set CHROMIUM_PATH', () => {
  setDefaultTimeout(TIMEOUT_MS);
  const site = new Site();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    await site.start(browser, { BUTTONWOOD_RATE_LIMITS: 'spec' });
  }, TIMEOUT_MS);
  afterEach(async () => expect(await site.closePages()).toEqual([]));
  afterAll(async () => {
    await site.close();
    await browser.close();
  }, TIMEOUT_MS);

  /** Opens the trading page with an amount typed, ready to submit. */
  async function openForm(as: string): Promise<Page> {
    const page = await site.open({ as });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.connection.live').waitFor();
    await page.getByRole('button', { name: 'Buy BTC' }).waitFor();
    await page.locator('input[name=price]').fill('100');
    await page.locator('input[name=amount]').fill('0.1');
    return page;
  }
  const isBlocked = (page: Page) =>
    page
      .locator('.submit[aria-disabled=true]')
      .count()
      .then((count) => count > 0);

  describe('orders left', () => {
    /** Uses up requests of the session's window for orders. */
    const use = (page: Page, requests: number) =>
      page.evaluate(
        `Promise.all(Array.from({ length: ${requests} }, () => fetch('/api/orders', { method: 'POST', body: '{}' })))`,
      );

    test('are shown below a fifth, and none are sent once there are none', async () => {
      const page = await openForm('bob');
      await use(page, SESSION_ORDERS - 3);
      expect(await page.locator('.orders-left').count()).toBe(0);
      await page.locator('.submit').click();
      await page.getByText('2 orders left this minute').waitFor();
      await page.locator('input[name=amount]').fill('0.1');
      await page.locator('.submit').click();
      await page.getByText('1 order left this minute').waitFor();
      await page.locator('input[name=amount]').fill('0.1');
      await page.locator('.submit').click();
      await page.getByText('Order limit reached.').waitFor();
      await page.getByText(/Next order in \d+ s/).waitFor();
      expect(await isBlocked(page)).toBe(true);
    });
  });

  test('halts, changed rules and new markets show at once', async () => {
    const page = await openForm('alice');
    const change = async (body: object) => {
      const answer = await site.send('operator', 'PATCH', '/api/admin/markets', body);
      expect(answer.status).toBe(200);
    };
    const market = { symbol: 'BTC/USDT' };
    await change({ ...market, status: 'halted' });
    await page.getByText('BTC/USDT is halted.').waitFor();
    expect(await isBlocked(page)).toBe(true);
    await change({ ...market, status: 'online' });
    await page.locator('.submit[aria-disabled=false]').waitFor();
    await change({ ...market, minNotional: 77 });
    await page.getByText('The trading rules of BTC/USDT have changed.').waitFor();
    await page.locator('input[name=amount]').fill('0.1');
    await page.locator('.submit').click();
    await page
      .locator('.order-form [role=alert], .order-form .error', { hasText: '77' })
      .first()
      .waitFor();
    const terms = {
      tickSize: 0.01,
      stepSize: 0.01,
      maxAmount: 1000,
      maxPrice: 1000,
      minNotional: 1,
    };
    const fees = { makerFee: 0.001, takerFee: 0.001, referencePrice: 5 };
    const listed = { symbol: 'SOL/ETH', ...terms, ...fees };
    expect((await site.send('operator', 'POST', '/api/admin/markets', listed)).status).toBe(200);
    await page.locator('.markets', { hasText: 'SOL/ETH' }).waitFor();
  });

  describe('a lost connection', () => {
    test('dims the panels, says once since when, and stops orders until it is back', async () => {
      const page = await openForm('alice');
      const banner = page.getByRole('status').filter({ hasText: 'Reconnecting' });
      expect(await banner.count()).toBe(0);
      site.exchange.signal('SIGSTOP');
      try {
        // One banner with the time, which screen readers announce, instead of a note over each panel.
        await banner.waitFor();
        expect(await banner.innerText()).toMatch(
          /^Reconnecting… Data from \d\d:\d\d:\d\d\s+\d+ s ago$/,
        );
        expect(await page.getByText('Reconnecting…').count()).toBe(1);
        for (const panel of ['ticker', 'chart', 'tape', 'markets', 'orders']) {
          const dimmed = `getComputedStyle(document.querySelector('.${panel} > :not(.stale-note)')).opacity`;
          expect(await page.evaluate(dimmed)).toBe('0.45');
        }
        expect(
          await page.evaluate(`getComputedStyle(document.querySelector('.book-box')).opacity`),
        ).toBe('0.45');
        await page.getByText('Connection lost.').waitFor();
        expect(await isBlocked(page)).toBe(true);
      } finally {
        site.exchange.signal('SIGCONT');
      }
      await page.locator('.connection.live').waitFor();
      await banner.waitFor({ state: 'detached' });
      await page.locator('.submit[aria-disabled=false]').waitFor();
    });
  });
});
