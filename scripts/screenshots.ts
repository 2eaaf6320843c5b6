// Writes docs/screenshots/*.png: every page, light, dark and on a phone. npm run screenshots [-- NAME]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExchangeProcess } from '../test/process/exchange-process.ts';
import { launchBrowser, signIn } from '../test/web/browser.ts';

/** Name of the file → path, and who is signed in. */
const PAGES: Readonly<Record<string, { path: string; as?: string }>> = {
  'trade-signed-out': { path: '/trade/BTC-USDT' },
  trade: { path: '/trade/BTC-USDT', as: 'alice' },
  portfolio: { path: '/portfolio', as: 'alice' },
};
const VIEWS = [
  { view: 'light', scheme: 'light', width: 1440, height: 900 },
  { view: 'dark', scheme: 'dark', width: 1440, height: 900 },
  { view: 'phone', scheme: 'dark', width: 390, height: 844 },
] as const;

/** Streams have come and canvases are drawn by then. */
const SETTLED_MS = 2000;

const folder = join(import.meta.dir, '../docs/screenshots');
const wanted = process.argv[2] ?? '';
const data = mkdtempSync(join(tmpdir(), 'buttonwood-screenshots-'));
const exchange = await ExchangeProcess.start(data);
const browser = await launchBrowser();
mkdirSync(folder, { recursive: true });
try {
  for (const [name, { path, as }] of Object.entries(PAGES)) {
    if (name.includes(wanted)) await shoot(name, path, as);
  }
} finally {
  await browser.close();
  await exchange.stop();
  rmSync(data, { recursive: true, force: true });
}

async function shoot(name: string, path: string, as: string | undefined): Promise<void> {
  for (const { view, scheme, width, height } of VIEWS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      deviceScaleFactor: view === 'phone' ? 2 : 1,
    });
    if (as !== undefined) await signIn(context, exchange, data, as);
    const page = await context.newPage();
    await page.goto(exchange.baseUrl + path);
    await page.waitForLoadState('networkidle').catch(() => {});
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: join(folder, `${name}-${view}.png`) });
    await context.close();
  }
}
