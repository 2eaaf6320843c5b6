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

  test('the details of an order show its data, fills and fee, and follow its changes', async () => {
    const market = { symbol: 'ETH/USDT', type: 'limit', side: 'buy', price: 5000 };
    const own = { ...market, amount: 0.5, clientOrderId: 'details-1' };
    const { orderId } = (await site.send('alice', 'POST', '/api/orders', own)).json.data;
    await order('bob', 'sell', 5000, 0.1, 'ETH/USDT');
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/ETH-USDT');
    await page.getByRole('tab', { name: 'Open orders' }).click();
    // A click anywhere in the row.
    await page.locator('.orders tbody tr', { hasText: 'ETH/USDT' }).locator('.col-amount').click();
    const details = page.getByRole('dialog', { name: 'Order details' });
    const fact = (name: string) =>
      details.locator('.order-facts > div', { has: page.getByText(name, { exact: true }) });
    await details.getByText('0.1 of 0.5 ETH filled').waitFor();
    expect(await details.getByRole('progressbar').getAttribute('value')).toBe('20');
    for (const [name, value] of [
      ['Time in force', 'Good till canceled (GTC)'],
      ['Price', '5,000.00 USDT'],
      ['Average price', '5,000.00 USDT'],
      ['Value', '500 USDT'],
      ['Client order ID', 'details-1'],
      ['Order ID', orderId],
    ] as const)
      expect(await fact(name).locator('dd').innerText()).toContain(value);
    await fact('Client order ID').getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('details-1');
    const fills = details.locator('tbody tr');
    await fills.first().waitFor();
    expect(await fills.count()).toBe(1);
    expect(await fills.first().locator('.col-role').innerText()).toBe('Maker');
    const fee = await fact('Fees').locator('dd').innerText();
    expect(fee).toEndWith(' ETH');
    // The stream brings the next fill and the end of the order.
    await order('bob', 'sell', 5000, 0.15, 'ETH/USDT');
    await details.getByText('50%').waitFor();
    await fills.nth(1).waitFor();
    expect(await fact('Fees').locator('dd').innerText()).not.toBe(fee);
    await details.getByRole('button', { name: 'Cancel order' }).click();
    await details.getByRole('paragraph').getByText('It was canceled on request').waitFor();
    await details.locator('.badge', { hasText: 'Canceled' }).waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
  });

  test('a fill opens its order, also if the page has not loaded it, which links to its OCO order', async () => {
    const oco = {
      symbol: 'ETH/USDT',
      side: 'sell',
      amount: 0.1,
      takeProfit: { price: 5100 },
      stopLoss: { triggerPrice: 4000 },
    };
    await site.send('alice', 'POST', '/api/orders/oco', oco);
    await order('bob', 'buy', 5100, 0.1, 'ETH/USDT');
    const page = await site.open({ as: 'alice' });
    // As if there were newer orders than the page loads.
    await page.route('**/api/orders?status=closed*', (route) =>
      route.fulfill({ json: { success: true, data: { orders: [], nextCursor: null } } }),
    );
    await page.goto('/trade/ETH-USDT');
    await page.getByRole('tab', { name: 'Fills' }).click();
    await page
      .locator('.orders tbody tr', { hasText: '5,100.00' })
      .getByRole('button', { name: /Details of order/ })
      .click();
    const details = page.getByRole('dialog', { name: 'Order details' });
    await details.getByText('0.1 of 0.1 ETH filled').waitFor();
    const other = details.locator('.order-facts > div', { hasText: 'Other OCO order' });
    await other.getByRole('button').click();
    await details
      .getByText('The other order of its OCO order was filled or canceled')
      .first()
      .waitFor();
    await details.getByText('No fills', { exact: true }).waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
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
