import { expect, test } from 'bun:test';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const home = suite('home page', (site) => {
  test('shows prices and a live book, and leads to trading', async () => {
    await site.send('alice', 'POST', '/api/orders', {
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      price: 101,
      amount: 0.5,
    });
    const sell = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', price: 101, amount: 0.1 };
    await site.send('bob', 'POST', '/api/orders', sell);
    const page = await site.open({ width: 390, height: 844 });
    await page.goto('/');
    await page.locator('.home-markets tbody tr').first().waitFor();
    await page.getByText('live markets and test funds', { exact: false }).waitFor();
    await page.locator('.home-book[aria-busy="false"]').waitFor();
    expect(
      await page.getByRole('link', { name: 'Create a demo account' }).first().isVisible(),
    ).toBe(true);
    // A market with trades has a line of its last 24 hours.
    await page.setViewportSize({ width: 1440, height: 900 });
    const lines = page.locator('.home-markets .trend-line polyline[points*=" "]');
    await lines.first().waitFor({ state: 'attached' });
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'BTC/USDT' }).first().click();
    await page.waitForURL('**/trade/BTC-USDT');
  });
});

const languages = suite('languages', (site) => {
  test('visitors read the language of their browser, and choose another in the footer', async () => {
    const page = await site.open({ language: 'de-AT' });
    await page.goto('/status');
    await page.getByRole('heading', { name: 'Alle Systeme in Betrieb' }).waitFor();
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
    await page.getByLabel('Sprache').selectOption('ja');
    await page.getByRole('heading', { name: 'すべて正常に稼働しています' }).waitFor();
    await page.goto('/');
    await page.getByRole('link', { name: 'デモアカウントを作成' }).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});

describePages([home, languages]);
