import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const gainsOfPortfolio = suite('gains of a portfolio', (site) => {
  test('deposits are no gain, methods differ, and choices survive a reload', async () => {
    await site.send('operator', 'POST', '/api/admin/transfers', {
      account: 'bob',
      asset: 'USDT',
      amount: 1_000_000,
      reference: 'gains-1',
      reason: 'Test of the portfolio',
    });
    const page = await site.open({ as: 'bob' });
    await page.goto('/portfolio');
    const figure = (name: string) => page.locator('.figures > div').filter({ hasText: name });
    // The faucet and operators give funds; nothing was traded, and no price has changed.
    await figure('P&L, 7 days').locator('dd').getByText('0.00', { exact: true }).waitFor();
    await figure('Return').locator('dd').getByText('0.00%').waitFor();
    const deposited = page.locator('.value-legend .flow');
    await deposited.filter({ hasText: /Deposited \+[\d,]+\.\d\d/ }).waitFor();
    expect(await page.locator('.flow-key').innerText()).toBe('↑ Deposit');
    await page.getByRole('link', { name: 'First in, first out' }).click();
    await page.getByLabel('Cost method').selectOption('average');
    await page.getByText('in USDT, average cost.').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Profit and loss' }).click();
    await page.getByRole('button', { name: '24h' }).click();
    await figure('P&L, 24 hours').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await figure('P&L, all time').locator('dd').getByText('0.00', { exact: true }).waitFor();
    await deposited.filter({ hasText: /Deposited \+[\d,]+\.\d\d/ }).waitFor();
    await page.reload();
    await figure('P&L, all time').waitFor();
    const meaning = page.getByText('Value less cost of everything that you hold.');
    expect(await meaning.isVisible()).toBe(false);
    await page.getByText('What do these figures mean?').press('Enter');
    await meaning.waitFor();
    await page.getByRole('link', { name: 'Average cost' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a sale is listed in its year, whose file can be downloaded', async () => {
    const order = { symbol: 'BTC/USDT', type: 'limit', price: 100, amount: 0.5 };
    await site.send('alice', 'POST', '/api/orders', { ...order, side: 'buy' });
    await site.send('bob', 'POST', '/api/orders', { ...order, side: 'sell' });
    const page = await site.open({ as: 'bob', width: 390, height: 844, scheme: 'dark' });
    await page.goto('/portfolio');
    const legend = page.locator('.value-legend');
    await legend.getByText('Value').waitFor();
    // The time of a phone is shown for a chosen point only, so that the legend is one line.
    expect((await legend.boundingBox())!.height).toBeLessThan(40);
    expect(await legend.innerText()).not.toContain(':');
    await page.goto('/portfolio#gains');
    const years = page.locator('.gain-years');
    const downloading = page.waitForEvent('download');
    await years.getByRole('button', { name: 'Download CSV' }).click();
    const text = readFileSync(await (await downloading).path(), 'utf8');
    expect(text).toContain(',trade,');
    expect(text).toMatch(/\r\n,total,,,,USDT,/);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('small balances can be hidden', async () => {
    await site.send('operator', 'POST', '/api/admin/transfers', {
      account: 'alice',
      asset: 'SOL',
      amount: -19_999.9999,
      reference: 'gains-2',
      reason: 'Test of the portfolio',
    });
    const page = await site.open({ as: 'alice' });
    await page.goto('/portfolio');
    const sol = page.locator('.balances tbody tr').filter({ hasText: 'SOL' });
    await sol.waitFor();
    await page.getByLabel('Hide small balances').check();
    await sol.waitFor({ state: 'detached' });
  });
});

describePages([gainsOfPortfolio]);
