import { expect, test } from 'bun:test';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const history = suite('history', (site) => {
  const order = (as: string, side: string, price: number, amount: number, symbol = 'BTC/USDT') =>
    site.send(as, 'POST', '/api/orders', { symbol, side, type: 'limit', amount, price });

  test('orders are filtered by the exchange and downloaded as CSV with all digits', async () => {
    await order('bob', 'sell', 118_000.01, 0.1);
    await order('bob', 'sell', 118_000.02, 0.2);
    // Fills at two prices, whose average has more digits than the tick size.
    await order('alice', 'buy', 118_000.02, 0.3);
    await order('bob', 'sell', 118_000.01, 0.007);
    const market = { symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: 0.007 };
    await site.send('alice', 'POST', '/api/orders', market);
    const { json } = await order('alice', 'sell', 130_000, 0.1);
    await site.send('alice', 'DELETE', `/api/orders/${json.data.orderId}`);
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.getByRole('tab', { name: 'Order history' }).click();
    const rows = page.locator('.orders tbody tr');
    await rows.filter({ hasText: 'Canceled (by you)' }).waitFor();
    // A market order has no limit price; its average has a column.
    const bought = rows.filter({ hasText: '0.007' });
    expect(await bought.locator('.col-price').innerText()).toBe('Market');
    expect(await bought.locator('.col-average').innerText()).toBe('118,000.01');
    const average = page.locator('.orders [title^="118,000.016666"]');
    expect(await average.innerText()).toBe('118,000.02');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Status').selectOption('canceled');
    await average.waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'Canceled' }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Side').last().selectOption('buy');
    await page.getByText('Nothing matches.').waitFor();
    expect(await axeFindings(page, '.orders')).toEqual([]);
    await page.getByLabel('Status').selectOption('');
    await rows.filter({ hasText: 'Filled' }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const text = await Bun.file((await download.path())!).text();
    expect(text).toContain(',BTC/USDT,buy,limit,GTC,filled,');
    expect(text).toContain(',118000.016666666');
    expect(text).not.toContain('canceled');
    await page.getByRole('button', { name: 'Reset' }).click();
    await rows.filter({ hasText: 'Canceled' }).waitFor();
  });

  test('the ledger shows every change of a balance and is filtered by asset', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.getByRole('tab', { name: 'Ledger' }).click();
    const rows = page.locator('.orders tbody tr');
    await rows.filter({ hasText: 'USDT' }).first().waitFor();
    if ((await page.getByLabel('Asset').count()) === 0) {
      await page.getByRole('button', { name: 'Filter' }).click();
    }
    await page.getByLabel('Asset').selectOption('BTC');
    await rows.filter({ hasText: '+0.1' }).first().waitFor();
    await rows.filter({ hasText: 'USDT' }).first().waitFor({ state: 'detached' });
    expect(await axeFindings(page, '.orders')).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const text = await Bun.file((await download.path())!).text();
    expect(text).toStartWith('id,timestamp,asset,type,amount,before,after,reference\r\n');
    expect(text).not.toContain('USDT');
  });
});

describePages([history]);
