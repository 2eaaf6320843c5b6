import { beforeAll, expect, test } from 'bun:test';
import type { Page, WebSocketRoute } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

/** Only resting orders of bob: alice trades with them. */
const ladder = suite('price ladder', (site) => {
  const place = (name: string, side: string, price: number, amount: number) =>
    site.send(name, 'POST', '/api/orders', {
      symbol: 'BTC/USDT',
      side,
      type: 'limit',
      amount,
      price,
    });
  const rest = (side: string, price: number, amount: number) => place('bob', side, price, amount);
  const tradeAt = async (price: number) => {
    await rest('sell', price, 0.001);
    await place('alice', 'buy', price, 0.001);
  };
  beforeAll(async () => {
    await tradeAt(118_000);
    await rest('buy', 117_990, 0.25);
    await rest('sell', 118_010, 0.75);
  });
  const openOrders = async () =>
    (await site.send('alice', 'GET', '/api/orders?status=open')).json.data.orders.map(
      ({ side, price, amount }: Record<string, unknown>) => `${side} ${amount} at ${price}`,
    );
  const cancelAll = () => site.send('alice', 'DELETE', '/api/orders?all=true');

  async function show(page: Page, settings: Record<string, string> = {}): Promise<void> {
    // A document of the site has its storage; this one starts nothing.
    await page.goto('/sign-up');
    const layouts = JSON.stringify({ saved: [], chosen: { preset: 'ladder' } });
    const entries = { 'buttonwood-layouts': layouts, ...settings };
    for (const [name, value] of Object.entries(entries)) {
      await page.evaluate(`localStorage.setItem('${name}', '${value}')`);
    }
    await page.goto('/trade/BTC-USDT');
    await lastRow(page).waitFor();
  }
  const ARMED = {
    'buttonwood-one-click': 'on',
    'buttonwood-ladder-amounts': '{"BTC/USDT":"0.02"}',
  };
  const lastRow = (page: Page) => page.locator('.ladder tr[data-last]');
  const button = (page: Page, name: string) =>
    page.locator('.ladder').getByRole('button', { name, exact: true });
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  const look = { as: 'alice', width: 1440, height: 1200 };

  test('its layout shows it, with empty prices and sizes of the book', async () => {
    const page = await site.share(look);
    await page.goto('/trade/BTC-USDT');
    await page.locator('.tape').waitFor();
    await button(page, 'Buy at 117,990').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Layout', exact: true }).click();
    await page.getByRole('button', { name: 'Price ladder', exact: true }).click();
    await page.locator('.ladder tr', { hasText: '0.25000' }).waitFor();
    await page.locator('.book').waitFor({ state: 'hidden' });
    const rows = await page.locator('.ladder tbody tr').allInnerTexts();
    expect(rows.length).toBeGreaterThan(15);
    const prices = rows.map((text) => Number(/11[\d,]+/.exec(text)![0].replace(',', '')));
    expect(prices).toEqual(prices.map((_, row) => prices[0]! - 10 * row));
    expect(await lastRow(page).innerText()).toContain('118,000');
    expect(await axeFindings(page, '.ladder')).toEqual([]);
  });

  test('clicks fill the form while one-click trading is off, also when signed out', async () => {
    for (const as of ['alice', undefined]) {
      const page = await site.share({ ...look, as });
      await show(page);
      await page.locator('.ladder').getByLabel('Amount', { exact: true }).fill('0.02');
      await button(page, 'Buy at 117,950').click();
      expect(await page.inputValue('.order-form input[name=price]')).toBe('117,950');
      expect(await page.inputValue('.order-form input[name=amount]')).toBe('0.02');
      expect(await page.locator('.sides .buy input').isChecked()).toBe(true);
      await button(page, 'Sell at 118,050').click();
      expect(await page.inputValue('.order-form input[name=price]')).toBe('118,050');
      expect(await page.locator('.sides .sell input').isChecked()).toBe(true);
      expect(await page.locator('.toast').count()).toBe(0);
    }
    expect(await openOrders()).toEqual([]);
  });

  test('one-click trading is confirmed once, and survives a reload', async () => {
    const page = await site.share(look);
    await show(page);
    const toggle = page.getByRole('switch', { name: 'One-click trading' });
    const dialog = page.getByRole('dialog', { name: 'Turn on one-click trading?' });
    await toggle.click();
    await dialog.getByText('A click on a price places a limit order at once.').waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await toggle.getAttribute('aria-checked')).toBe('false');
    await toggle.click();
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    expect(await toggle.getAttribute('aria-checked')).toBe('true');
    await page.reload();
    await lastRow(page).waitFor();
    expect(await toggle.getAttribute('aria-checked')).toBe('true');
    expect(await axeFindings(page, '.ladder')).toEqual([]);
    await toggle.click();
    expect(await toggle.getAttribute('aria-checked')).toBe('false');
  });

  test('a click places an order, a double click only one, and × cancels those at a price', async () => {
    const page = await site.share(look);
    await show(page, ARMED);
    await page.locator('.ladder.armed').waitFor();
    await button(page, 'Buy at 117,950').dblclick();
    await toast(page, 'Limit buy order placed.').waitFor();
    const row = page.locator('.ladder tbody tr', { hasText: '117,950' });
    await row.locator('.own-bid', { hasText: '0.02' }).waitFor();
    await button(page, 'Sell at 118,050').click();
    await toast(page, 'Limit sell order placed.').waitFor();
    await button(page, 'Cancel sell orders at 118,050').waitFor();
    expect(await openOrders()).toEqual(['sell 0.02 at 118050', 'buy 0.02 at 117950']);
    expect(await axeFindings(page, '.ladder')).toEqual([]);
    await button(page, 'Cancel buy orders at 117,950').click();
    await toast(page, '1 order canceled.').waitFor();
    await button(page, 'Cancel buy orders at 117,950').waitFor({ state: 'hidden' });
    await button(page, 'Cancel all sells (1)').click();
    await button(page, 'Cancel all sells (0)').waitFor();
    expect(await openOrders()).toEqual([]);
  });

  test('an amount that is not valid is named, and nothing is sent', async () => {
    const page = await site.share(look);
    await show(page, { ...ARMED, 'buttonwood-ladder-amounts': '{}' });
    await page.locator('.ladder.armed').waitFor();
    await button(page, 'Buy at 117,950').click();
    await toast(page, 'Enter an amount.').waitFor();
    const field = page.locator('.ladder').getByLabel('Amount', { exact: true });
    await field.fill('0.000000001');
    await page.locator('.ladder .error').getByRole('button', { name: /^Use/ }).click();
    expect(Number(await field.inputValue())).toBeGreaterThan(0.000000001);
    await page.locator('.ladder .error').waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'Quick amounts' }).getByRole('button').first().click();
    expect(Number(await field.inputValue())).toBeGreaterThan(0.01);
    expect(await openOrders()).toEqual([]);
  });

  test('a price far from the market is confirmed first', async () => {
    const page = await site.share(look);
    await show(page, ARMED);
    await page.locator('.ladder.armed').waitFor();
    await page.getByLabel('Price step').selectOption({ label: '1000' });
    await button(page, 'Buy at 122,000').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm buy order' });
    await dialog.getByText('3.38% above').waitFor();
    await dialog.getByText('0.02 BTC').first().waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Go back' }).click();
    expect(await page.locator('.toast').count()).toBe(0);
    // The form keeps what the user typed there.
    expect(await page.inputValue('.order-form input[name=amount]')).toBe('');
    await button(page, 'Buy at 122,000').click();
    await dialog.getByRole('button', { name: 'Buy BTC' }).click();
    await toast(page, 'Bought 0.02 BTC at 118,010.00 USDT.').waitFor();
    await tradeAt(118_000);
  });

  test('keys move by row, buy, sell and center', async () => {
    const page = await site.share(look);
    await show(page, ARMED);
    await page.locator('.ladder.armed').waitFor();
    const stops = page.locator('.ladder tbody button[tabindex="0"]');
    expect(await stops.count()).toBe(1);
    expect(await stops.innerText()).toBe('118,000');
    await stops.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('.ladder button:focus', { hasText: '117,970' }).waitFor();
    await page.keyboard.press('b');
    await toast(page, 'Limit buy order placed.').waitFor();
    await button(page, 'Cancel buy orders at 117,970').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await toast(page, '1 order canceled.').waitFor();
    // The focus stays in the ladder when its button goes.
    await page.locator('.ladder button:focus', { hasText: '117,970' }).waitFor();
    await page.keyboard.press('PageUp');
    const rows = await page.locator('.ladder tbody tr').count();
    const moved = 117_970 + 10 * Math.ceil(rows / 2);
    const focused = (price: number) =>
      page.locator('.ladder button:focus', { hasText: price.toLocaleString('en-US') });
    await focused(moved).waitFor();
    // The last price has left the middle half, and the rows still keep their place.
    await page.keyboard.press('ArrowDown');
    await focused(moved - 10).waitFor();
    await page.keyboard.press('s');
    await toast(page, 'Limit sell order placed.').waitFor();
    await page.keyboard.press('c');
    await page.locator('.ladder button:focus', { hasText: '118,000' }).waitFor();
    await page.getByRole('switch').click();
    await stops.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('s');
    expect(await page.inputValue('.order-form input[name=price]')).toBe('118,010');
    expect(await page.locator('.sides .sell input').isChecked()).toBe(true);
    await cancelAll();
  });

  test('it follows the last price, except while it has the pointer or the focus', async () => {
    const page = await site.share(look);
    await show(page);
    await page.locator('.ladder .price button[tabindex="0"]').focus();
    await site.send('bob', 'DELETE', '/api/orders?all=true');
    await tradeAt(118_400);
    await page.locator('.ticker .last', { hasText: '118,400.00' }).waitFor();
    await lastRow(page).waitFor({ state: 'detached' });
    expect(await button(page, 'Buy at 118,000').count()).toBe(1);
    await page.locator('.order-form input[name=price]').focus();
    await lastRow(page).filter({ hasText: '118,400' }).waitFor();
    await page.locator('.ladder tbody').hover();
    await page.mouse.wheel(0, 1000);
    await lastRow(page).waitFor({ state: 'detached' });
    await page.locator('.ladder').getByRole('button', { name: 'Center' }).click();
    await lastRow(page).filter({ hasText: '118,400' }).waitFor();
    await tradeAt(118_000);
    await rest('buy', 117_990, 0.25);
    await rest('sell', 118_010, 0.75);
  });

  test('a finger scrolls it and places no order, and the prices stay until it touches something else', async () => {
    const page = await site.open({ ...look, isPhone: true });
    await show(page, ARMED);
    await page.locator('.ladder.armed').waitFor();
    const box = (await button(page, 'Buy at 117,950').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await page.context().newCDPSession(page);
    const touch = (type: string, ...points: number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: points.map((at) => ({ x, y: at })),
      });
    await touch('touchStart', y);
    for (let px = 20; px <= 600; px += 20) await touch('touchMove', y - px);
    await touch('touchEnd');
    await lastRow(page).waitFor({ state: 'detached' });
    await button(page, 'Buy at 117,650').waitFor();
    await rest('buy', 117_990, 0.001);
    await page.evaluate('new Promise((done) => setTimeout(done, 300))');
    expect(await lastRow(page).count()).toBe(0);
    expect(await openOrders()).toEqual([]);
    await page.locator('.ladder').getByRole('button', { name: 'Center' }).tap();
    await lastRow(page).waitFor();
    await button(page, 'Buy at 117,950').tap();
    await toast(page, 'Limit buy order placed.').waitFor();
    await cancelAll();
  });

  test('it places no order in a halted market, and post-only orders in a post-only market', async () => {
    const page = await site.share(look);
    await show(page, ARMED);
    await page.locator('.ladder.armed').waitFor();
    const become = async (status: string) => {
      const change = { symbol: 'BTC/USDT', status };
      await site.send('operator', 'PATCH', '/api/admin/markets', change);
    };
    await become('halted');
    await page.locator('.ticker .badge', { hasText: 'Halted' }).waitFor();
    await button(page, 'Buy at 117,950').click();
    await toast(page, 'BTC/USDT is halted.').waitFor();
    await become('post_only');
    await page.locator('.ticker .badge', { hasText: 'Post-only' }).waitFor();
    await button(page, 'Buy at 118,010').click();
    await toast(page, 'Post-only order would match immediately').waitFor();
    expect(await openOrders()).toEqual([]);
    // Another price: soon after the first click this one would count as a double click.
    await button(page, 'Buy at 117,940').click();
    await toast(page, 'Limit buy order placed.').waitFor();
    const [placed] = (await site.send('alice', 'GET', '/api/orders?status=open')).json.data.orders;
    expect(placed).toMatchObject({ price: 117_940, postOnly: true });
    await become('online');
    await page.locator('.ticker .badge').waitFor({ state: 'detached' });
    await cancelAll();
  });

  test('it does not trade on prices that are out of date', async () => {
    const page = await site.open(look);
    const sockets = new Set<WebSocketRoute>();
    let isCut = false;
    await page.routeWebSocket('**/ws*', (socket) => {
      sockets.add(socket);
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (!isCut) socket.send(message);
      });
    });
    await show(page, ARMED);
    await page.locator('.ladder.armed').waitFor();
    isCut = true;
    for (const socket of sockets) socket.close({ code: 1001 });
    await page.locator('.ladder .stale-note').waitFor({ state: 'attached' });
    await button(page, 'Buy at 117,950').click();
    await toast(page, 'Connection lost. Trading resumes when prices are live.').waitFor();
    expect(await openOrders()).toEqual([]);
  });
});

describePages([ladder]);
