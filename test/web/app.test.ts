import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { describeWherePossible } from '../describe-where-possible.ts';
import { axeFindings } from './axe.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { Site } from './site.ts';

/** The pages as an app: notifications outside the page, sounds, and a page without a network. */

const TIMEOUT_MS = 60_000;
const problem = chromiumPath() === undefined ? 'Chromium is not installed' : undefined;

describeWherePossible('in a browser', problem, 'install one or set CHROMIUM_PATH', () => {
  setDefaultTimeout(TIMEOUT_MS);
  const site = new Site();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    await site.start(browser, { BUTTONWOOD_MAKERS: 'off' });
  }, TIMEOUT_MS);
  afterEach(async () => expect(await site.closePages()).toEqual([]));
  afterAll(async () => {
    await site.close();
    await browser.close();
  }, TIMEOUT_MS);

  test('icons can be shown, and the manifest can be installed', async () => {
    const page = await site.open();
    await page.goto('/sign-in');
    const errors = await page
      .context()
      .newCDPSession(page)
      .then((session) => session.send('Page.getAppManifest'));
    expect(errors.errors).toEqual([]);
    const widths = await page.evaluate(`Promise.all(
      ['/icon.svg', '/icon-192.png', '/icon-512.png', '/icon-maskable.png'].map(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return image.naturalWidth;
      }))`);
    expect(widths).toEqual([expect.any(Number), 192, 512, 512]);
  });

  test('without a network a page says so, and comes back; nothing of the exchange is kept', async () => {
    const page = await site.open({ hasWorker: true });
    await page.addInitScript(`localStorage.setItem('buttonwood-theme', 'dark')`);
    await page.goto('/sign-in');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.context().setOffline(true);
    await page.goto('/portfolio');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    // Its script and style are kept with it.
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('0px');
    expect(await page.locator('main .logo svg').isVisible()).toBe(true);
    const kept = await page.evaluate<string[]>(`caches.open('buttonwood-offline')
      .then((cache) => cache.keys())
      .then((requests) => requests.map(({ url }) => new URL(url).pathname))`);
    expect(kept.map((path) => path.replace(/-.*\./, '.')).sort()).toEqual([
      '/assets/offline.css',
      '/assets/offline.js',
      '/assets/theme.js',
      '/offline',
    ]);
    await page.evaluate(`localStorage.setItem('buttonwood-language', 'de')`);
    await page.reload();
    await page.getByRole('heading', { name: 'Sie sind offline' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.evaluate(`localStorage.removeItem('buttonwood-language')`);
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/portfolio');
  });

  test('the page without a network passes axe in both themes', async () => {
    const page = await site.open();
    for (const theme of ['light', 'dark']) {
      await page.addInitScript(`localStorage.setItem('buttonwood-theme', '${theme}')`);
      await page.goto('/offline');
      await page.getByRole('heading', { name: 'You are offline' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
    }
  });

  test('the service worker shows messages of the exchange', async () => {
    const page = await site.open({ hasWorker: true });
    await page.context().grantPermissions(['notifications']);
    await page.goto('/sign-in');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const session = await page.context().newCDPSession(page);
    const registrations: string[] = [];
    session.on('ServiceWorker.workerRegistrationUpdated', (event) => {
      for (const { registrationId } of event.registrations) registrations.push(registrationId);
    });
    await session.send('ServiceWorker.enable');
    while (registrations.length === 0) await Bun.sleep(20);
    const message = { title: 'Bought 1 BTC at 5', body: 'Filled', tag: 'fill-1', path: '/trade' };
    const isShown = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
      .then((found) => found.some(({ title, tag }) => title === 'Bought 1 BTC at 5' && tag === 'fill-1'))`;
    // Without a desktop, Chromium at times loses the first notification while it looks for a service that shows them.
    for (let times = 0; !(await page.evaluate(isShown)); times++) {
      if (times % 20 === 0) {
        await session.send('ServiceWorker.deliverPushMessage', {
          origin: site.baseUrl,
          registrationId: registrations[0]!,
          data: JSON.stringify(message),
        });
      }
      await Bun.sleep(50);
    }
  });

  test('fills and alerts are shown by the system and heard, once the user has turned that on', async () => {
    const page = await site.open({ as: 'bob' });
    await page.context().grantPermissions(['notifications']);
    // The system's own notifications cannot be read, and a tab of a test always has the focus.
    await page.addInitScript(`
      window.shown = [];
      window.notes = [];
      window.Notification = class {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor(title, { body, tag }) { window.shown.push({ title, body, tag }); }
      };
      document.hasFocus = () => false;
      const { createOscillator } = AudioContext.prototype;
      AudioContext.prototype.createOscillator = function () {
        const made = createOscillator.call(this);
        window.notes.push(made);
        return made;
      };`);
    await page.goto('/settings#notifications');
    const desktop = page.getByLabel('Desktop notifications');
    await desktop.check();
    await page.getByLabel('Trade: sound').check();
    await until(page, 'notes.length === 2');
    await page.getByLabel('Price alert: sound').check();
    await until(page, 'notes.length === 2 + 3');
    await page.getByLabel('Order filled: sound').check();
    await until(page, 'notes.length === 2 + 3 + 3');
    await page.getByLabel('Volume').fill('20');
    expect(await axeFindings(page, 'main')).toEqual([]);
    await page.reload();
    expect(await desktop.isChecked()).toBe(true);
    expect(await page.getByLabel('Volume').inputValue()).toBe('20');

    const symbol = 'ETH/BTC';
    await page.goto('/trade/ETH-BTC');
    await page.locator('.connection.live').waitFor();
    // Browsers are silent until the user has done something on the page.
    await page.locator('.order-form').click({ position: { x: 5, y: 5 } });
    const order = { symbol, type: 'limit', amount: 0.1, price: 0.05 };
    const sold = await site.send('bob', 'POST', '/api/orders', { ...order, side: 'sell' });
    expect(sold.status).toBe(200);
    const alert = { symbol, direction: 'above', price: 0.05 };
    await site.send('bob', 'POST', '/api/alerts', alert);
    await site.send('alice', 'POST', '/api/orders', { ...order, side: 'buy' });
    await until(page, `shown.some(({ tag }) => tag.startsWith('fill '))`);
    await until(page, `shown.some(({ title }) => title === 'Price alert')`);
    // The filled order and the alert; the trade is part of the order.
    await until(page, 'notes.length >= 3 + 3');
    await Bun.sleep(300);
    expect(await page.evaluate('notes.length')).toBe(3 + 3);
    const shown = (await page.evaluate('shown')) as { title: string; body: string }[];
    expect(shown.find(({ title }) => title === 'Trade in ETH/BTC')?.body).toContain('0.1');
    expect(shown).toHaveLength(2);
  });
});

/** Waits for a condition in the page, whose policy forbids Playwright's own way. */
async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition))) await Bun.sleep(50);
}
