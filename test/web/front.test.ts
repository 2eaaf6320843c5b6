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
    await page.getByRole('row', { name: 'All markets 0.08% 0.10%' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // The whole row is the link.
    await page.locator('.home-markets tbody tr').filter({ hasText: 'BTC/USDT' }).click();
    await page.waitForURL('**/trade/BTC-USDT');
  });

  test('shows the fee tiers, and Settings what is missing to the next one', async () => {
    const tiers = [
      { minVolume: 1_000_000, makerFee: 0.0004, takerFee: 0.001 },
      { minVolume: 5_000_000, makerFee: 0, takerFee: 0.0005 },
    ];
    await site.send('operator', 'POST', '/api/admin/fee-tiers', { asset: 'USDT', tiers });
    const page = await site.open({ width: 360, height: 640, as: 'alice' });
    await page.goto('/');
    const schedule = page.getByRole('table', { name: 'Fee schedule' });
    expect(await schedule.getByRole('row').allInnerTexts()).toEqual([
      'Tier\t30-day volume (USDT)\tMaker\tTaker',
      'Standard\t0+\t0.08%\t0.10%',
      'Tier 1\t1,000,000+\t0.04%\t0.10%',
      'Tier 2\t5,000,000+\t0.00%\t0.05%',
    ]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.getByRole('link', { name: 'Your fees' }).click();
    await page.getByText('1,000,000 USDT more volume').waitFor();
    const own = page.locator('.fee-table [aria-current]');
    expect(await own.innerText()).toMatch(/^Standard\s+Your tier/);
    expect(await axeFindings(page)).toEqual([]);

    await site.send('operator', 'PATCH', '/api/admin/accounts/alice', { feeTier: 2 });
    await page.reload();
    await page.getByText('Tier 2, set for your account').waitFor();
    expect(await own.innerText()).toMatch(/^Tier 2\s+Your tier/);
    expect(await page.getByText('more volume').count()).toBe(0);
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
