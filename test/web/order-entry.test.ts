import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

/** The order form and the dialogs that amend and confirm orders. Bob's best ask is 118,000 and his best bid 117,000. */
const orderEntry = suite('order entry', (site) => {
  let isQuoted = false;
  const place = async (name: string, order: Record<string, unknown>) => {
    const body = { symbol: 'BTC/USDT', type: 'limit', amount: 0.5, ...order };
    const answer = await site.send(name, 'POST', '/api/orders', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
    return answer.json.data.orderId as string;
  };
  const show = async (page: Page) => {
    if (!isQuoted) {
      isQuoted = true;
      await place('bob', { side: 'sell', price: 118_000 });
      await place('bob', { side: 'buy', price: 117_000 });
    }
    await page.goto('/trade/BTC-USDT');
    await page.locator('.asks tr', { hasText: '118,000' }).waitFor();
  };
  const form = (page: Page) => page.locator('.order-form');
  const submit = (page: Page) => form(page).getByRole('button', { name: 'Buy BTC' });

  test('an amended price far through the market is confirmed, and its fill is reported', async () => {
    const id = await place('alice', { side: 'buy', price: 117_500, amount: 0.01 });
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByRole('button', { name: 'Amend buy 0.01 BTC/USDT at 117500' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Limit price').fill('1180000');
    await dialog.getByText('The limit price is 900.00% above the best ask, 118,000.00.').waitFor();
    await dialog.getByRole('button', { name: 'Amend', exact: true }).click();
    await dialog.getByRole('heading', { name: 'Confirm amended order' }).waitFor();
    await dialog.getByText('117,500 → 1,180,000 USDT').waitFor();
    await dialog.locator('button:focus', { hasText: 'Go back' }).waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    const before = await site.send('alice', 'GET', `/api/orders/${id}`);
    expect(before.json.data.price).toBe(117_500);
    await dialog.getByRole('button', { name: 'Amend order' }).click();
    await page.locator('.toast', { hasText: 'Bought 0.01 BTC at 118,000.00 USDT.' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByText('cannot be amended').count()).toBe(0);
  });

  test('a stop limit far beyond its trigger price is confirmed', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByLabel('Order type').selectOption('stop_limit');
    await page.fill('input[name=triggerPrice]', '119500');
    await page.fill('input[name=price]', '1195000');
    await page.fill('input[name=amount]', '0.001');
    await form(page).getByText('900.00% above the trigger price, 119,500.00.').waitFor();
    await submit(page).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm buy order' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });
});

describePages([orderEntry]);
