import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const PASSWORD = 'a long enough passphrase';

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

  test('numbers have separators of thousands while they are not edited', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    const [price, total] = ['price', 'total'].map((name) => form(page).locator(`[name=${name}]`));
    await page.fill('input[name=price]', '117000.50');
    expect(await price!.inputValue()).toBe('117000.50');
    await page.fill('input[name=amount]', '2');
    expect(await price!.inputValue()).toBe('117,000.50');
    expect(await total!.inputValue()).toBe('234,001');
    // A shortcut or the Tab key selects the number, so that typing replaces it.
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('p');
    await page.keyboard.type('118000');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await price!.inputValue()).toBe('118000');
    await page.keyboard.type('119000');
    // A click places the caret, and typing changes one digit.
    await page.keyboard.press('Tab');
    const box = (await price!.boundingBox())!;
    await page.mouse.click(box.x + box.width - 60, box.y + box.height / 2);
    await page.keyboard.type('5');
    expect(await price!.inputValue()).toBe('1190005');
  });

  test('a post-only order that would match is a fault once it is typed', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.fill('input[name=price]', '118000');
    await page.getByLabel('Post only').check();
    await form(page).getByText('change the price or turn off post-only').waitFor();
    await page.fill('input[name=price]', '117000');
    await form(page).getByText('Post-only order').waitFor({ state: 'detached' });
  });

  test('the slider follows the amount, and the estimate what the exchange tested', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    const slider = page.getByRole('slider', { name: '% of balance' });
    await page.fill('input[name=price]', '100000');
    await page.fill('input[name=amount]', '2');
    await page.locator('.share-slider[aria-valuetext="20%"]').waitFor();
    expect(await slider.inputValue()).toBe('20');
    await page.fill('input[name=price]', '119000');
    await page.fill('input[name=amount]', '0.1');
    const row = (name: string) => page.locator('.preview div', { hasText: name });
    await row('Average price').getByText('≈ 118,000.00 USDT').waitFor();
    await row('Slippage').getByText('≈ 0.00%').waitFor();
    // The form has it as its total.
    expect(await row('Order value').count()).toBe(0);
    await row('You receive').getByText('≈ 0.0999 BTC').waitFor();
  });

  test('every order is confirmed with all its fields, if the user wants that', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByText('Fees, rules and order confirmation').click();
    await page.getByLabel('Confirm before sending').selectOption('always');
    await page.getByLabel('Order type').selectOption('trailing_stop');
    await page.getByLabel('Time in force').selectOption('GTD');
    await page.fill('input[name=trailingPercent]', '2.5');
    await page.fill('input[name=activationPrice]', '110000');
    await page.fill('input[name=amount]', '0.01');
    await page.getByLabel('Expires (local time)').fill('2099-12-24T18:30');
    await submit(page).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm buy order' });
    const facts = dialog.locator('.facts');
    await facts.waitFor();
    const text = await facts.innerText();
    for (const value of ['Trailing stop', '2.5%', '110,000 USDT', '0.01 BTC', '24 Dec 2099'])
      expect(text).toContain(value);
    const last = (await facts.boundingBox())!;
    const actions = (await dialog.locator('.dialog-actions').boundingBox())!;
    expect(actions.y - last.y - last.height).toBeGreaterThanOrEqual(8);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  test('the expiry follows the clock that the user chose', async () => {
    const page = await site.open({ as: 'alice' });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
    await page.addInitScript("localStorage.setItem('buttonwood-clock', 'utc')");
    await show(page);
    await page.getByLabel('Time in force').selectOption('GTD');
    await page.fill('input[name=price]', '90000');
    await page.fill('input[name=amount]', '0.01');
    await page.getByLabel('Expires (UTC)').fill('2099-12-24T18:30');
    await submit(page).click();
    await page.locator('.toast', { hasText: 'Limit buy order placed.' }).waitFor();
    const { json } = await site.send('alice', 'GET', '/api/orders?status=open&limit=1');
    expect(json.data.orders[0].expiresAt).toBe('2099-12-24T18:30:00.000Z');
    await site.send('alice', 'DELETE', `/api/orders/${json.data.orders[0].orderId}`);
  });

  test('another order type, or TP / SL, does not show faults of empty fields', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await submit(page).click();
    await form(page).getByText('Enter an amount.').waitFor();
    await page.getByLabel('Take profit / stop loss').check();
    await page.locator('input[name=takeProfitPrice]').waitFor();
    expect(await form(page).locator('.error').count()).toBe(0);
    await submit(page).click();
    await form(page).locator('.error').first().waitFor();
    await page.getByLabel('Order type').selectOption('stop');
    await page.locator('input[name=triggerPrice]').waitFor();
    expect(await form(page).locator('.error').count()).toBe(0);
  });

  test('a toast is above a dialog that is open, can be dismissed there, and is back in the page after it', async () => {
    await place('alice', { side: 'buy', price: 116_500, amount: 0.02 });
    const id = await place('alice', { side: 'buy', price: 117_100, amount: 0.03 });
    await place('alice', { side: 'buy', price: 117_090, amount: 0.04 });
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByRole('button', { name: 'Amend buy 0.02 BTC/USDT at 116500' }).click();
    const dialog = page.getByRole('dialog', { name: 'Amend order' });
    await dialog.waitFor();
    await place('bob', { side: 'sell', price: 117_100, amount: 0.03 });
    const above = dialog.locator(':popover-open .toast');
    await above.filter({ hasText: 'Bought 0.03 BTC' }).waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await above.getByRole('button', { name: 'Dismiss' }).click();
    await above.waitFor({ state: 'detached' });
    await dialog.waitFor();
    await place('bob', { side: 'sell', price: 117_090, amount: 0.04 });
    await above.filter({ hasText: 'Bought 0.04 BTC' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('header .toasts .toast', { hasText: 'Bought 0.04 BTC' }).waitFor();
    expect((await site.send('alice', 'GET', `/api/orders/${id}`)).json.data.status).toBe('filled');
    await site.send('alice', 'DELETE', '/api/orders?all=true');
  });

  test('an account without funds is led to the faucet', async () => {
    const page = await site.open();
    await page.goto('/sign-up');
    await page.getByLabel('Name').fill('New');
    await page.getByLabel('Email').fill('new@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('This sandbox prints emails').waitFor();
    await page.goto(await site.mailedLink('new@example.com'));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const signedIn = page.waitForResponse((response) => response.url().includes('verify'));
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await signedIn;
    await page.waitForURL((url) => !url.pathname.includes('verify'));
    await show(page);
    await page.getByRole('heading', { name: 'Get test funds' }).waitFor();
    expect(await axeFindings(page, '.orders')).toEqual([]);
    await page.fill('input[name=price]', '100000');
    await page.fill('input[name=amount]', '0.01');
    await submit(page).click();
    const fault = form(page).locator('.error', { hasText: 'Insufficient balance' });
    await fault.getByRole('button', { name: 'Get funds' }).click();
    const dialog = page.getByRole('dialog', { name: 'Get test funds' });
    await dialog.getByRole('button', { name: 'Get USDT from the faucet' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Your open orders appear here.').waitFor();
    await fault.waitFor({ state: 'detached' });
  });

  test('the details show the fee tier and the volume that it is based on', async () => {
    const tiers = [{ minVolume: 1_000_000_000, makerFee: 0.0001, takerFee: 0.0002 }];
    const set = (change: object) => site.send('operator', 'POST', '/api/admin/fee-tiers', change);
    expect((await set({ asset: 'USDT', tiers })).status).toBe(200);
    const { json } = await site.send('alice', 'GET', '/api/fees');
    const page = await site.share({ as: 'alice', width: 1920, height: 1080 });
    await show(page);
    // Open from the beginning, since there is space for them.
    const details = form(page).locator('.form-details[open]');
    await details.getByText('Tier 0 of 1').waitFor();
    const volume = details.locator('div', { hasText: '30-day volume' }).locator('dd span');
    expect(Number((await volume.getAttribute('title'))!.replaceAll(',', ''))).toBe(
      json.data.volume,
    );
    // The rates of orders with a limit price are above the button; the details have those of others.
    await form(page).locator('.preview', { hasText: '0.08% / 0.10%' }).waitFor();
    expect(await details.getByText('0.08% / 0.10%').count()).toBe(0);
    expect(await form(page).evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
    const balance = form(page).locator('.available span[title]');
    const row = form(page).locator('.form-assets tbody tr', { hasText: 'USDT' });
    const inTable = await row.locator('td').first().innerText();
    expect(await balance.innerText()).toBe(`${inTable} USDT`);
    await set({ asset: 'USDT', tiers: [] });
  });

  test('the form has no English text in the pseudo-locale, and nothing overflows', async () => {
    const page = await site.open({ as: 'alice' });
    await page.addInitScript("localStorage.setItem('buttonwood-language', 'en-XA')");
    await show(page);
    const button = page.locator('.order-form button[type=submit]');
    await button.waitFor();
    const texts = await page
      .locator('.order-form :is(label, dt, legend, option, summary, button[type=submit])')
      .allInnerTexts();
    const names = texts.map((text) => text.trim()).filter((text) => text !== '');
    expect(names.filter((text) => !/^\[|^(GTC|IOC|FOK|GTD)$/.test(text))).toEqual([]);
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.order-form *')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1 && !each.matches('.visually-hidden, .visually-hidden *, input, select'))
      .map((each) => each.outerHTML.slice(0, 200))`);
    expect(cut).toEqual([]);
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
