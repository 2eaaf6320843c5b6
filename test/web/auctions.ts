import { expect, test } from 'bun:test';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';

/** Tests what the trading page shows of an auction. */
export const auctionsOnPage = suite('auctions on the trading page', (site) => {
  const market = { symbol: 'SOL/USDT' };
  const setStatus = (status: string) =>
    site.send('operator', 'PATCH', '/api/admin/markets', { ...market, status });
  const place = (name: string, side: string, price: number) =>
    site.send(name, 'POST', '/api/orders', { ...market, side, type: 'limit', price, amount: 1 });

  test('an auction shows its indicative price and which orders it takes, passes axe, and ends', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/trade/SOL-USDT');
    await page.locator('.connection.live').waitFor();
    await setStatus('auction');
    const panel = page.getByRole('region', { name: 'Auction' });
    await panel.getByText('No orders cross').waitFor();
    await panel.getByText('Until the exchange ends it').waitFor();
    await place('bob', 'sell', 250);
    await place('alice', 'buy', 270);
    await panel.getByText('260.00 USDT').waitFor();
    await page.getByLabel('Order type').selectOption({ label: 'Market' });
    await page.getByText('SOL/USDT is in an auction.').waitFor();
    expect(await page.getByRole('button', { name: 'Buy SOL' }).isDisabled()).toBe(true);
    expect(await axeFindings(page, '.order-form')).toEqual([]);
    // No trade: the balances of later tests stay as they were.
    await site.send('alice', 'DELETE', `/api/orders?symbol=${market.symbol}`);
    await site.send('bob', 'DELETE', `/api/orders?symbol=${market.symbol}`);
    await panel.getByText('No orders cross').waitFor();
    await setStatus('online');
    await panel.waitFor({ state: 'detached' });
  });
});
