import { expect, test } from 'bun:test';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

/** Only resting orders: prices and books stay as they are. */
const trading = suite('trading', (site) => {
  const rest = (side: string, price: number) =>
    site.send('bob', 'POST', '/api/orders', {
      symbol: 'BTC/USDT',
      side,
      type: 'limit',
      amount: 0.5,
      price,
    });

  test('an order far through the market is confirmed, and sent only then', async () => {
    await rest('sell', 118_000);
    await rest('buy', 117_000);
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.asks tr', { hasText: '118,000' }).waitFor();
    await page.fill('input[name=price]', '1180000');
    await page.fill('input[name=amount]', '0.01');
    await page.getByText('The limit price is 900.00% above the best ask, 118,000.00.').waitFor();
    const buy = page.locator('.order-form').getByRole('button', { name: 'Buy BTC' });
    await buy.click();
    const dialog = page.getByRole('dialog', { name: 'Confirm buy order' });
    // The exchange has tested the order.
    await dialog.getByText('118,000.00 USDT').waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Go back' }).click();
    expect(await page.locator('.toast').count()).toBe(0);
    await buy.click();
    await dialog.getByRole('button', { name: 'Buy BTC' }).click();
    await page.locator('.toast', { hasText: 'Bought 0.01 BTC' }).waitFor();
  });

  test('users choose when orders are confirmed, over a reload', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.getByText('Fees, rules and order confirmation').click();
    await page.getByLabel('Confirm before sending').selectOption('always');
    await page.getByText('Fee tier').waitFor();
    await page.reload();
    await page.fill('input[name=price]', '50000');
    await page.fill('input[name=amount]', '0.01');
    await page.locator('.order-form').getByRole('button', { name: 'Buy BTC' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm buy order' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  test('the total sets the amount, the slider a share, and buttons the price', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.asks tr', { hasText: '118,000' }).waitFor();
    await page.getByRole('button', { name: 'Bid', exact: true }).click();
    expect(await page.inputValue('input[name=price]')).toBe('117,000.00');
    await page.getByRole('button', { name: 'Mid', exact: true }).click();
    expect(await page.inputValue('input[name=price]')).toBe('117,500.00');
    await page.fill('input[name=total]', '1175');
    expect(await page.inputValue('input[name=amount]')).toBe('0.01');
    await page.getByRole('slider', { name: '% of balance' }).fill('50');
    const amount = Number(await page.inputValue('input[name=amount]'));
    expect(amount).toBeGreaterThan(4);
    expect(amount).toBeLessThan(5);
  });

  test('Escape leaves a field, so that the next key is a shortcut', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.asks tr', { hasText: '118,000' }).waitFor();
    await page.locator('input[name=amount]').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await page.locator('.order-form').getByRole('button', { name: 'Sell BTC' }).waitFor();
    expect(await page.inputValue('input[name=amount]')).toBe('');
  });

  test('order type, tab, grouping and sides of the book survive a reload', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.getByLabel('Order type').selectOption('stop');
    await page.getByRole('tab', { name: 'Balances' }).click();
    await page.getByLabel('Price grouping').selectOption('1000');
    await page.getByRole('button', { name: 'Bids', exact: true }).click();
    await page.locator('.asks tr').first().waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.bids tr', { hasText: '117,000' }).waitFor();
    expect(await page.getByLabel('Order type').inputValue()).toBe('stop');
    expect(await page.getByLabel('Price grouping').inputValue()).toBe('1000');
    const balances = page.getByRole('tab', { name: 'Balances' });
    expect(await balances.getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('.asks tr').count()).toBe(0);
  });

  test('own orders are marked in the book, and the amount of an OCO order is not offered', async () => {
    await site.send('alice', 'POST', '/api/orders/oco', {
      symbol: 'BTC/USDT',
      side: 'sell',
      amount: 0.01,
      takeProfit: { price: 150_000 },
      stopLoss: { triggerPrice: 90_000 },
    });
    const own = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.25, price: 116_000 };
    await site.send('alice', 'POST', '/api/orders', own);
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    const row = page.locator('.bids tr.own', { hasText: '116,000' });
    await row.waitFor();
    expect(await row.getByRole('button').getAttribute('title')).toStartWith(
      'Your open orders: 0.25',
    );
    await page.getByRole('tab', { name: /Open orders/ }).click();
    await page.getByRole('button', { name: 'Amend sell 0.01 BTC/USDT at 150000' }).click();
    const dialog = page.getByRole('dialog', { name: 'Amend order' });
    await dialog.getByLabel('Limit price').waitFor();
    expect(await dialog.getByLabel('Total amount').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('a post-only order that would match is a fault while typing, shown once', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.asks tr', { hasText: '118,000' }).waitFor();
    await page.fill('input[name=price]', '118000');
    await page.fill('input[name=amount]', '0.01');
    await page.getByLabel('Post only').check();
    const text = page.locator('.order-form').getByText(/would match immediately/);
    await text.first().waitFor();
    const visible = await text.evaluateAll(
      (all) => all.filter((each) => !each.matches('.visually-hidden, .visually-hidden *')).length,
    );
    expect(visible).toBe(1);
    await page.locator('.order-form').getByRole('button', { name: 'Use 117,999.99' }).click();
    await text.first().waitFor({ state: 'detached' });
  });

  test('an unknown market is named, and no other shown in its place', async () => {
    const page = await site.share({});
    await page.goto('/trade/NOPE-USDT');
    await page.getByRole('heading', { name: 'Market NOPE/USDT not found' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/trade/NOPE-USDT');
    expect(await page.locator('.order-form').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'ETH/BTC' }).click();
    await page.locator('.order-form').waitFor();
    expect(new URL(page.url()).pathname).toBe('/trade/ETH-BTC');
  });

  test('markets are one tab stop, found by name, and favorites come first', async () => {
    const page = await site.share({});
    await page.goto('/trade/BTC-USDT');
    const links = page.locator('.markets .market-list a');
    await links.first().waitFor();
    expect(await page.locator('.markets .market-list a[tabindex="0"]').count()).toBe(1);
    await page.locator('.markets').getByRole('button', { name: 'Favorite: SOL/USDT' }).click();
    await page.locator('.markets li:first-child a', { hasText: 'SOL/USDT' }).waitFor();
    await page.reload();
    await page.locator('.markets li:first-child a', { hasText: 'SOL/USDT' }).waitFor();
    await page.locator('.markets a[aria-current]').focus();
    await page.keyboard.press('Home');
    await page.locator('.markets li:first-child a:focus').waitFor();
    await page.getByLabel('Search markets').first().fill('ethereum');
    await page.locator('.markets a', { hasText: 'BTC/USDT' }).waitFor({ state: 'detached' });
    expect(await links.count()).toBe(2);
    expect(await axeFindings(page, '.markets')).toEqual([]);
  });

  test('the book has at least ten rows a side on a small screen', async () => {
    const page = await site.share({ as: 'alice', width: 1280, height: 720 });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.asks tr', { hasText: '118,000' }).waitFor();
    expect(await page.locator('.asks tr').count()).toBeGreaterThanOrEqual(10);
    await page.locator('.book').getByRole('button', { name: 'Trades' }).click();
    await page.locator('.tape-box').waitFor();
  });
});

describePages([trading]);
