// Writes docs/screenshots/*.png: every page, light, dark and on a phone. npm run screenshots [-- NAME]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ExchangeProcess } from '../test/process/exchange-process.ts';
import { launchBrowser } from '../test/web/browser.ts';

/** Name of the file → path. */
const PAGES: Readonly<Record<string, string>> = {
  trade: '/trade/BTC-USDT',
  portfolio: '/portfolio',
};
const VIEWS = [
  { view: 'light', scheme: 'light', width: 1440, height: 900 },
  { view: 'dark', scheme: 'dark', width: 1440, height: 900 },
  { view: 'phone', scheme: 'dark', width: 390, height: 844 },
] as const;

const folder = join(import.meta.dir, '../docs/screenshots');
const wanted = process.argv[2] ?? '';
const data = mkdtempSync(join(tmpdir(), 'buttonwood-screenshots-'));
const exchange = await ExchangeProcess.start(data);
const browser = await launchBrowser();
mkdirSync(folder, { recursive: true });
try {
  for (const [name, path] of Object.entries(PAGES)) {
    if (name.includes(wanted)) await shoot(browser, name, `${exchange.baseUrl}${path}`);
  }
} finally {
  await browser.close();
  await exchange.stop();
  rmSync(data, { recursive: true, force: true });
}

async function shoot(browser: Browser, name: string, url: string): Promise<void> {
  for (const { view, scheme, width, height } of VIEWS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      deviceScaleFactor: view === 'phone' ? 2 : 1,
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForSelector('main:not([aria-busy="true"])');
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(folder, `${name}-${view}.png`) });
    await context.close();
  }
}
