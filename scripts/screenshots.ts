// Writes docs/screenshots/*.png: every page, light, dark and on a phone. npm run screenshots [-- NAME]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { retry } from '../src/monitoring/retry.ts';
import { launchBrowser } from '../test/web/browser.ts';
import { type Look, Site } from '../test/web/site.ts';

/** File name, path, and the sandbox user who sees it. */
const PAGES: Readonly<Record<string, readonly [path: string, user?: string]>> = {
  welcome: ['/'],
  'trade-signed-out': ['/trade/BTC-USDT'],
  trade: ['/trade/BTC-USDT', 'alice'],
  portfolio: ['/portfolio', 'alice'],
  accounts: ['/accounts', 'alice'],
  deposit: ['/deposit', 'alice'],
  withdraw: ['/withdraw', 'alice'],
  'operator-custody': ['/operator#custody', 'operator'],
  'sign-up': ['/sign-up'],
  'sign-in': ['/sign-in'],
  'forgot-password': ['/forgot-password'],
  'reset-password': ['/reset-password#token=any'],
  'verify-email': ['/verify-email#token=any'],
  settings: ['/settings', 'alice'],
  security: ['/settings#security', 'alice'],
  keys: ['/settings#keys', 'alice'],
  bots: ['/bots', 'alice'],
  operator: ['/operator', 'operator'],
  'operator-markets': ['/operator#markets', 'operator'],
  'operator-fees': ['/operator#fees', 'operator'],
  'operator-accounts': ['/operator#accounts', 'operator'],
  'operator-account': ['/operator#accounts/alice', 'operator'],
  'operator-transfers': ['/operator#transfers', 'operator'],
  'operator-reports': ['/operator#reports', 'operator'],
  'operator-audit': ['/operator#audit', 'operator'],
};
const VIEWS: readonly (Look & { readonly view: string })[] = [
  { view: 'light', scheme: 'light', width: 1440 },
  { view: 'dark', scheme: 'dark', width: 1440 },
  { view: 'phone', scheme: 'dark', width: 390, height: 844, scale: 2 },
];
/** Time for streams and charts to load. */
const SETTLE_MS = 2000;

const folder = join(import.meta.dir, '../docs/screenshots');
const wanted = process.argv[2] ?? '';
const site = new Site();
const browser = await launchBrowser();
mkdirSync(folder, { recursive: true });
try {
  await site.start(browser, { BUTTONWOOD_MAKERS: 'on' });
  await waitForHistory();
  await trade();
  for (const view of VIEWS) {
    await shoot(view);
    await site.closePages();
  }
} finally {
  await site.close();
  await browser.close();
}

/** Waits for history, which is filled after the first start. */
async function waitForHistory(): Promise<void> {
  const path = '/api/candles?symbol=BTC/USDT&interval=15m&limit=100';
  await retry(() => site.send('alice', 'GET', path), {
    every: 500,
    isTransient: () => false,
    isDone: ({ json }) => json.data?.candles.length === 100,
  });
}

/** Places orders of alice: fills, and open orders of several types around the price. */
async function trade(): Promise<void> {
  const { json } = await site.send('alice', 'GET', '/api/prices?symbol=BTC/USDT');
  const last: number = json.data.prices[0].price;
  const at = (share: number) => Number((last * share).toFixed(2));
  const place = (path: string, order: object) =>
    site.send('alice', 'POST', path, { symbol: 'BTC/USDT', ...order });
  const sell = { side: 'sell', amount: 0.25 };
  await place('/api/orders', { side: 'buy', type: 'market', amount: 0.4 });
  await place('/api/orders', { ...sell, type: 'market' });
  const iceberg = { side: 'buy', type: 'limit', amount: 0.5, displayAmount: 0.1 };
  await place('/api/orders', { ...iceberg, price: at(0.995) });
  await place('/api/orders', { ...sell, type: 'trailing_stop', trailingPercent: 1.5 });
  const stopLoss = { triggerPrice: at(0.98) };
  await place('/api/orders/oco', { ...sell, takeProfit: { price: at(1.01) }, stopLoss });
}

/** Takes screenshots of all pages on one screen. */
async function shoot({ view, ...look }: (typeof VIEWS)[number]): Promise<void> {
  const tabs = new Map<string | undefined, Page>();
  for (const [name, [path, as]] of Object.entries(PAGES)) {
    if (!name.includes(wanted)) continue;
    const page = tabs.get(as) ?? (await site.open({ ...look, as }));
    tabs.set(as, page);
    // Visit another page first: a change after the # alone would not load the page.
    await page.goto('about:blank');
    await page.goto(path);
    await page.waitForSelector(path === '/' ? 'h1' : 'main:not([aria-busy="true"])');
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: join(folder, `${name}-${view}.png`) });
  }
}
