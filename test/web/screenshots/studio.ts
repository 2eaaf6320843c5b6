import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import type { Network } from '../../../src/client/index.ts';
import { retry } from '../../../src/monitoring/retry.ts';
import { launchBrowser } from '../browser.ts';
import { Site } from '../site.ts';
import { PICTURE_PAGES, type PicturePage } from './pages.ts';
import { PAYMENTS_MS, preparePayments, prepareSubAccounts } from './payments.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

type Size = readonly [width: number, height: number];
/** A desktop and a phone. */
export const MAIN_SIZES: readonly Size[] = [
  [1440, 900],
  [390, 844],
];
/** All sizes; the main ones first, so that pages reach them in the same way in every run. */
export const SIZES: readonly Size[] = [
  ...MAIN_SIZES,
  [1920, 1080],
  [1280, 720],
  [1024, 768],
  [360, 640],
];

/** Rendering of texts that does not depend on the settings of the machine. */
const FLAGS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

/** Fonts in place of those of the machine, for code and for characters that Inter does not have. */
const FONTS = join(import.meta.dir, '../../../node_modules/dejavu-fonts-ttf/ttf');
const FONT_PATH = '/fonts-of-tests/';
const STYLE = `
@font-face { font-family: "Test Sans"; src: url("${FONT_PATH}DejaVuSans.ttf"); }
@font-face { font-family: "Test Sans"; font-weight: 700; src: url("${FONT_PATH}DejaVuSans-Bold.ttf"); }
@font-face { font-family: "Test Mono"; src: url("${FONT_PATH}DejaVuSansMono.ttf"); }
@font-face { font-family: "Test Mono"; font-weight: 700; src: url("${FONT_PATH}DejaVuSansMono-Bold.ttf"); }
:root { --font: Inter, "Test Sans"; --mono: "Test Mono"; }
`;

/** The same in every run, because pages show their address. */
const PORT = '43210';
const SYMBOL = 'BTC/USDT';
/** Time for which the market makers trade: enough for a chart, and for statistics of a day. */
const PLAYED_MS = (26 * 60 + 7) * 60_000;
/** Repetitions of a picture until two are equal. */
const MAX_REPETITIONS = 20;

/** Takes pictures of pages that are the same in every run: a sandbox with a seed and a frozen clock. */
export class Studio {
  private readonly site = new Site();
  private browser!: Browser;
  private time!: Date;
  private randomIds: readonly string[] = [];
  private readonly tabs = new Map<string, Page>();

  async open(): Promise<void> {
    this.browser = await launchBrowser(FLAGS);
    const frozen = { BUTTONWOOD_CLOCK: 'frozen', BUTTONWOOD_SEED: '42', PORT };
    // Created without makers, the sandbox has no thirty days of history, which would take longer than all pictures.
    await this.site.start(this.browser, frozen);
    await this.site.exchange.stop();
    await this.site.start(this.browser, { ...frozen, BUTTONWOOD_MAKERS: 'on' });
    const { ids, transferAgain } = await prepareSubAccounts(this.site);
    this.randomIds = ids;
    await preparePayments(this.site);
    await transferAgain();
    await this.trade();
    await this.signIn();
  }

  async close(): Promise<void> {
    await this.site.close();
    await this.browser?.close();
  }

  /** Shows a page in a theme and in each size. Calls `onPicture` with a function that takes a picture, as PNG. */
  async show(
    { path, as, ready, masks = [], isWhole }: PicturePage,
    theme: Theme,
    sizes: readonly Size[],
    onPicture: (size: string, take: () => Promise<Buffer>) => Promise<void>,
  ): Promise<void> {
    const page = await this.tab(as, theme);
    // Visit another page first: a change after the # alone would not load the page.
    await page.goto('about:blank');
    const [first] = sizes;
    await page.setViewportSize({ width: first![0], height: first![1] });
    await page.goto(path);
    await page.locator(ready).first().waitFor({ state: 'attached' });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await settle(page);
      const mask = masks.map((selector) => page.locator(selector));
      const options = {
        mask,
        fullPage: isWhole === true,
        animations: 'disabled',
        caret: 'hide',
      } as const;
      await onPicture(`${width}x${height}`, () => page.screenshot(options));
    }
  }

  /** Signs in all users, so that they were last seen at the same time whichever pages are shown. */
  private async signIn(): Promise<void> {
    for (const as of new Set(PICTURE_PAGES.map((page) => page.as))) {
      for (const theme of THEMES) await this.tab(as, theme);
    }
  }

  private async tab(as: string | undefined, theme: Theme): Promise<Page> {
    const key = `${as} ${theme}`;
    const known = this.tabs.get(key);
    if (known !== undefined) return known;
    const page = await this.site.open({ as, scheme: theme, timezoneId: 'UTC' });
    await page.clock.setFixedTime(this.time);
    await replaceFonts(page.context());
    await replaceIds(page.context(), this.randomIds);
    this.tabs.set(key, page);
    return page;
  }

  /** Lets the makers trade, and places orders of alice. Nothing moves afterwards. */
  private async trade(): Promise<void> {
    const { site } = this;
    await this.call('operator', '/api/sandbox/clock', { advanceMs: PLAYED_MS - PAYMENTS_MS });
    const { json } = await site.send('alice', 'GET', `/api/prices?symbol=${SYMBOL}`);
    const last: number = json.data.prices[0].price;
    const at = (share: number) => Number((last * share).toFixed(2));
    let orders = 0;
    const place = (path: string, order: object) =>
      this.call('alice', path, { symbol: SYMBOL, clientOrderId: `order-${orders++}`, ...order });
    const sell = { side: 'sell', amount: 0.25 };
    await place('/api/orders', { side: 'buy', type: 'market', amount: 0.4 });
    await place('/api/orders', { ...sell, type: 'market' });
    const iceberg = { side: 'buy', type: 'limit', amount: 0.5, displayAmount: 0.1 };
    await place('/api/orders', { ...iceberg, price: at(0.995) });
    await place('/api/orders', { ...sell, type: 'trailing_stop', trailingPercent: 1.5 });
    const stopLoss = { triggerPrice: at(0.98) };
    const takeProfit = { price: at(1.01) };
    await this.call('alice', '/api/orders/oco', { symbol: SYMBOL, ...sell, takeProfit, stopLoss });
    await this.waitFor('alice', '/api/fills', (data) => (data.fills as unknown[]).length > 1);
    await this.waitFor('alice', `/api/candles?symbol=${SYMBOL}&interval=15m&limit=100`, (data) => {
      return (data.candles as unknown[]).length === 100;
    });
    // The page Deposit shows the usual time, which is refreshed in the background.
    await this.waitFor('alice', '/api/networks', (data) =>
      (data.networks as Network[]).some(({ typicalDepositMs }) => typicalDepositMs !== null),
    );
    const clock = await site.send('operator', 'GET', '/api/sandbox/clock');
    this.time = new Date(clock.json.data.timestamp);
  }

  private async call(account: string, path: string, body: object): Promise<void> {
    const { status, json } = await this.site.send(account, 'POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(json)}`);
  }

  private async waitFor(
    account: string,
    path: string,
    isDone: (data: Record<string, unknown>) => boolean,
  ): Promise<void> {
    await retry(() => this.site.send(account, 'GET', path), {
      every: 100,
      isTransient: () => false,
      isDone: ({ json }) => json.success && isDone(json.data),
    });
  }
}

/** Repeats a picture until two in a row are the same. @throws Error if they never are */
export async function takeStable(take: () => Promise<Buffer>): Promise<Buffer> {
  let previous = await take();
  for (let repetition = 0; repetition < MAX_REPETITIONS; repetition++) {
    const next = await take();
    if (next.equals(previous)) return next;
    previous = next;
  }
  throw new Error('The page keeps changing: mask what moves.');
}

/** Whether the page shows data instead of loading messages, in its own fonts. The design system shows these messages. */
const IS_COMPLETE = `document.fonts.status === 'loaded' && (document.querySelector('main.design') !== null
  || !document.querySelector('main[aria-busy="true"], main [aria-busy="true"]')
  && !document.querySelector('main')?.innerText.includes('Loading…'))`;

/** Waits until the page has loaded everything: data, fonts, and what it draws after a change of its size. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  // Not waitForFunction, whose polling the content security policy forbids.
  await retry(() => page.evaluate<boolean>(IS_COMPLETE), {
    every: 50,
    isTransient: () => false,
    isDone: (isComplete) => isComplete,
  });
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}

/** Serves the fonts of the tests, and adds them to each style sheet of the pages. */
async function replaceFonts(context: BrowserContext): Promise<void> {
  await context.route(`**${FONT_PATH}*`, (route: Route) =>
    route.fulfill({
      path: join(FONTS, route.request().url().split(FONT_PATH)[1]!),
      contentType: 'font/ttf',
    }),
  );
  await context.route('**/assets/*.css', async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()) + STYLE });
  });
}

/** Gives sub-accounts in responses the same ids in every run. */
async function replaceIds(context: BrowserContext, ids: readonly string[]): Promise<void> {
  await context.route(/\/api\/(admin\/)?(accounts|transfers|audit)(\?|$)/, async (route: Route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [index, id] of ids.entries()) {
      body = body.replaceAll(id, `sub_${String(index + 1).repeat(24)}`);
    }
    await route.fulfill({ response, body });
  });
}
