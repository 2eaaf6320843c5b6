import { beforeAll, expect, test } from 'bun:test';
import type { Page, WebSocketRoute } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';

/** Tests of the trading page, signed out and signed in. */
const PATH = '/trade/BTC-USDT';
const MAX_BYTES = 250 * 1024;

export const tradingPage = suite('trading page', (site) => {
  let orders = 0;
  /** Places an order with a sandbox account's API key, not through the page. */
  async function place(name: string, order: Record<string, unknown>): Promise<string> {
    const body = { symbol: 'BTC/USDT', type: 'limit', clientOrderId: `t-${orders++}`, ...order };
    const answer = await site.send(name, 'POST', '/api/orders', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
    return answer.json.data.orderId;
  }
  beforeAll(async () => {
    await place('bob', { side: 'sell', amount: 0.5, price: 118100 });
  });
  const readOpenOrders = async (name: string) =>
    (await site.send(name, 'GET', '/api/orders?status=open')).json.data.orders;
  const show = async (page: Page) => {
    await page.goto(PATH);
    await page.locator('.connection.live').waitFor();
  };

  test('shows a live book, trades and candles when signed out, and keeps its policy and size', async () => {
    await place('bob', { side: 'buy', amount: 0.25, price: 117900 });
    const page = await site.open();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await show(page);
    await page.locator('.asks tr', { hasText: '118,100' }).waitFor();
    await page.locator('.bids tr', { hasText: '0.25000' }).waitFor();
    await place('bob', { side: 'buy', amount: 0.5, price: 117900 });
    await page.locator('.bids tr', { hasText: '0.75000' }).waitFor();
    await place('alice', { side: 'sell', amount: 0.1, price: 117900 });
    await page.locator('.tape tr.sell', { hasText: '117,900.00' }).waitFor();
    await page.locator('.ticker .last', { hasText: '117,900.00' }).waitFor();
    await page.getByRole('link', { name: 'Sign in to trade' }).waitFor();
    await page.getByText('Demo', { exact: true }).waitFor();
    // The content security policy forbids waitForFunction.
    while (!(await page.title()).includes('117,900.00 BTC/USDT')) {
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    // A click on a price puts it into the form.
    await page.locator('.asks button', { hasText: '118,100' }).click();
    expect(await page.inputValue('input[name=price]')).toBe('118,100');
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('another market has its own URL, and going back works', async () => {
    const page = await site.share();
    await show(page);
    await page.keyboard.press('/');
    await page.keyboard.type('sol');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/trade/SOL-USDT');
    await page.locator('.market-button', { hasText: 'SOL/USDT' }).waitFor();
    expect(await page.inputValue('.markets .market-search')).toBe('');
    await page.keyboard.press('p');
    await page.locator('input[name=price]:focus').waitFor();
    await page.goBack();
    await page.locator('.market-button', { hasText: 'BTC/USDT' }).waitFor();
    await page.locator('.asks tr', { hasText: '118,100' }).waitFor();
  });

  test('a market without trades shows neither color nor arrow', async () => {
    const page = await site.share();
    await page.goto('/trade/ETH-BTC');
    await page.locator('.spread', { hasText: 'Order book is empty' }).waitFor();
    await page.locator('.tape .empty').waitFor();
    const texts = await page.locator('.ticker, .spread').allTextContents();
    expect(texts.join()).not.toMatch(/[↑↓]/);
    expect(await page.locator(':is(.ticker, .spread) :is(.buy, .sell)').count()).toBe(0);
  });

  test('the badge shows the worst stream: a live account does not hide a dead book', async () => {
    const page = await site.open({ as: 'alice' });
    const { dead, cut } = await routeStreams(page);
    await show(page);
    await page.getByRole('button', { name: 'Buy BTC' }).waitFor();
    // The account's stream stays open; the book's is cut and its reconnections get no messages.
    dead.isDead = true;
    cut();
    await page.locator('.connection.connecting').waitFor();
    dead.isDead = false;
    cut();
    await page.locator('.connection.live').waitFor();
  });

  test('an exchange that stops sending is shown as delayed, then offline, then live again', async () => {
    const page = await site.open();
    await show(page);
    await page.locator('.connection.live').waitFor();
    // Records every change, because polling can miss a short state on a slow machine.
    const seen: string[] = [];
    await page.exposeFunction('note', (text: string) => seen.push(text));
    await page.evaluate(`new MutationObserver(() => note(document.querySelector('.connection').textContent))
      .observe(document.querySelector('.connection'), { subtree: true, characterData: true, childList: true, attributes: true })`);
    site.exchange.signal('SIGSTOP');
    try {
      await page.locator('.connection.offline', { hasText: 'Offline' }).waitFor();
    } finally {
      site.exchange.signal('SIGCONT');
    }
    expect(seen).toContain('Delayed');
    await page.locator('.connection.live').waitFor();
  });

  test('the chart loads older candles to the first one, retries after an error, and fills gaps', async () => {
    const page = await site.open();
    const { cut } = await routeStreams(page);
    const bar = (minute: string, volume: string) =>
      `{"timestamp":"2020-01-01T00:${minute}:00.000Z","open":9,"high":9,"low":9,"close":9,"volume":${volume}}`;
    const answer = (...bars: string[]) => `{"success":true,"data":{"candles":[${bars.join()}]}}`;
    const failure =
      '{"success":false,"error":{"code":"INVALID_REQUEST","message":"Not now.","details":{}}}';
    const past = [
      { status: 400, body: failure },
      { status: 200, body: answer(bar('00', '0.125')) },
      { status: 200, body: answer() },
    ];
    const asked: string[] = [];
    let last = answer(bar('15', '1'), bar('45', '1'));
    await page.route('**/api/candles*', async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const until = query.get('until');
      if (until !== null) asked.push(`${query.get('interval')} ${until.slice(14, 19)}`);
      const { status, body } =
        until === null
          ? { status: 200, body: last }
          : (past.shift() ?? { status: 200, body: answer() });
      await route.fulfill({ status, body, contentType: 'application/json' });
    });
    await show(page);
    await page.locator('.toast', { hasText: 'Not now.' }).waitFor();
    // The chart may already have sent another request, as zooming does below.
    expect(asked[0]).toBe('15m 14:59');
    const box = (await page.locator('.canvas').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const zoom = async (until: number) => {
      for (let way = 60; asked.length < until; way = -way) {
        await page.mouse.wheel(0, way);
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
    };
    await zoom(3);
    expect(asked).toEqual(['15m 14:59', '15m 14:59', '15m 59:59']);
    // This series is complete; another interval is not.
    const isShown = page.waitForResponse((response) => response.url().includes('interval=1h'));
    await page.locator('.intervals').getByRole('button', { name: '1h' }).click();
    await isShown;
    for (let frame = 0; frame < 3; frame++) {
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await zoom(4);
    expect(asked.slice(3)).toEqual(['1h 14:59']);

    last = answer(bar('15', '1'), bar('30', '0.0625'), bar('45', '1'));
    cut();
    await page.locator('.chart table td', { hasText: '0.0625' }).waitFor({ state: 'attached' });
  });

  test('a chart that could not load its candles loads them when the first one arrives', async () => {
    const page = await site.open();
    let isHeld = true;
    const held: (() => void)[] = [];
    await page.routeWebSocket('**/ws*', (socket) => {
      socket.connectToServer().onMessage((message) => {
        const deliver = () => socket.send(message);
        if (isHeld && `${message}`.includes('"channel":"candles"')) held.push(deliver);
        else deliver();
      });
    });
    const error = { code: 'INVALID_REQUEST', message: 'Not now.', details: {} };
    let reads = 0;
    await page.route('**/api/candles*', async (route) => {
      if (reads++ > 0) await route.continue();
      else await route.fulfill({ status: 400, json: { success: false, error } });
    });
    await show(page);
    await page.locator('.toast', { hasText: 'Not now.' }).waitFor();
    expect(reads).toBe(1);
    const read = page.waitForResponse(
      (response) => response.url().includes('candles') && response.ok(),
    );
    isHeld = false;
    for (const deliver of held) deliver();
    await read;
    await page.locator('.chart table td').first().waitFor({ state: 'attached' });
  });

  test('places, corrects, amends and cancels an order by keyboard only', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByRole('button', { name: 'Buy BTC' }).waitFor();
    const before = (await readOpenOrders('alice')).length;
    await page.keyboard.press('p');
    await page.keyboard.type('100000.005');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0.01');
    await page.keyboard.press('Enter');
    // The price is off the tick: it has the focus, and the next tab stop is the suggestion.
    await page.locator('input[name=price]:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.locator('button:focus', { hasText: 'Use 100,000.01' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('input[name=price]:focus').waitFor();
    expect(await page.inputValue('input[name=price]')).toBe('100000.01');
    await page.keyboard.press('Enter');
    const row = page.locator('.orders tbody tr', { hasText: '100,000.01' });
    await row.waitFor();
    expect(await readOpenOrders('alice')).toHaveLength(before + 1);

    await row.getByRole('button', { name: 'Amend' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog input:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('0.02');
    await page.keyboard.press('Enter');
    await page.locator('.orders tbody tr', { hasText: '0.02' }).waitFor();
    expect((await readOpenOrders('alice'))[0].amount).toBe(0.02);

    // Another trader fills a part of it, and the page updates by itself.
    await place('bob', { side: 'sell', amount: 0.005, price: 100000 });
    await page.locator('.orders tbody tr', { hasText: '0.005' }).waitFor();
    await row.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
    expect(await readOpenOrders('alice')).toHaveLength(before);
  });

  test.each([
    [1440, 900],
    [1280, 800],
  ])(
    'open orders can be amended and canceled without scrolling: %d × %d',
    async (width, height) => {
      const page = await site.share({ as: 'alice', width, height });
      await show(page);
      const price = 90_000 + width;
      const attached = { takeProfit: { price: 130_000 }, stopLoss: { triggerPrice: 80_000 } };
      const lasting = { timeInForce: 'GTD', expiresAt: Date.now() + 3_600_000, postOnly: true };
      const order = { side: 'buy', amount: 0.00123, price, attached, ...lasting };
      const id = await place('alice', order);
      const row = page.locator('.orders tbody tr', { hasText: price.toLocaleString('en-GB') });
      await row.waitFor();
      const edge = (await page.locator('.orders').boundingBox())!;
      for (const name of ['Amend', 'Cancel']) {
        const box = (await row.getByRole('button', { name }).boundingBox())!;
        expect(box.x).toBeGreaterThan(edge.x);
        expect(box.x + box.width).toBeLessThan(edge.x + edge.width);
        expect(box.y + box.height).toBeLessThan(edge.y + edge.height);
      }
      await site.send('alice', 'DELETE', `/api/orders/${id}`);
    },
  );

  test('places an OCO order and shows its legs as linked', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    const send = page.getByRole('button', { name: 'Buy BTC' });
    await send.waitFor();
    await page.getByLabel('Take profit / stop loss').check();
    const { y, height } = (await send.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(900);
    await page.getByLabel('Order type').selectOption('oco');
    await page.fill('input[name=takeProfitPrice]', '97,000.00');
    await page.fill('input[name=stopTrigger]', '131000');
    await page.fill('input[name=amount]', '0.00321');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.locator('.toast', { hasText: 'OCO order placed.' }).waitFor();
    const rows = page.locator('.orders tbody tr');
    await rows.filter({ hasText: 'OCO with stop at 131,000' }).waitFor();
    const row = rows.filter({ hasText: 'OCO with limit at 97,000' });
    await row.getByRole('button', { name: 'Cancel' }).click();
    await rows.filter({ hasText: '0.00321' }).first().waitFor({ state: 'detached' });
  });

  test('orders go over the socket, and the form shows the round trip', async () => {
    const page = await site.open({ as: 'alice' });
    const { sent, connected } = recordOrders(page);
    await show(page);
    await connected();
    expect(await page.locator('.round-trip').textContent()).toBe('');
    await page.fill('input[name=price]', '92000');
    await page.fill('input[name=amount]', '0.00789');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.locator('.toast', { hasText: 'Limit buy order placed.' }).waitFor();
    await page.locator('.round-trip', { hasText: /^Placed in \d+ ms$/ }).waitFor();
    const row = page.locator('.orders tbody tr', { hasText: '0.00789' });
    await row.getByRole('button', { name: 'Amend' }).click();
    await page.getByRole('dialog').getByLabel('Limit price').fill('92500');
    await page.getByRole('dialog').getByRole('button', { name: 'Amend' }).click();
    await row.filter({ hasText: '92,500' }).waitFor();
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.waitFor({ state: 'detached' });
    await place('alice', { side: 'buy', amount: 0.00789, price: 91_000 });
    await row.waitFor();
    await page.getByRole('button', { name: 'Cancel all' }).click();
    const all = page.getByRole('dialog').getByRole('button', { name: /^Cancel all \d/ });
    await all.click();
    await row.waitFor({ state: 'detached' });
    expect(sent.map(({ over }) => over)).toEqual(Array(4).fill('socket'));
    const ops = sent.map(({ text }) => JSON.parse(text));
    const named = ['order.place', 'order.amend', 'order.cancel', 'order.cancelAll'];
    expect(ops.map(({ op }) => op)).toEqual(named);
    expect(ops[0].params.clientOrderId).toMatch(/^[0-9a-f]{32}$/);
    expect(await axeFindings(page, '.order-form')).toEqual([]);
  });

  test('an order that trades at once has one toast, however its fills arrive', async () => {
    const page = await site.open({ as: 'alice' });
    const { connected } = recordOrders(page);
    await show(page);
    await connected();
    const seen: string[] = [];
    await page.exposeFunction('note', (text: string) => seen.push(text));
    await page.evaluate(`new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const { textContent } of addedNodes) note(textContent);
    }).observe(document.querySelector('.toasts'), { subtree: true, childList: true })`);
    await place('bob', { side: 'sell', amount: 0.001, price: 99_000 });
    await place('bob', { side: 'sell', amount: 0.002, price: 99_003 });
    await page.fill('input[name=price]', '99003');
    await page.fill('input[name=amount]', '0.004');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    const text = 'Bought 0.003 of 0.004 BTC at 99,002.00 USDT. The remainder is open.';
    await page.locator('.toast', { hasText: text }).waitFor();
    // A later fill of the same order has a toast of its own.
    await place('bob', { side: 'sell', amount: 0.001, price: 99_003 });
    await page.locator('.toast', { hasText: 'Bought 0.001 BTC at 99,003.00 USDT.' }).waitFor();
    expect(seen.map((each) => each.replace('✓', ''))).toEqual([
      text,
      'Bought 0.001 BTC at 99,003.00 USDT.',
    ]);
  });

  test('an order whose socket ends before the response is placed once', async () => {
    const page = await site.open({ as: 'alice' });
    const { operations, connected } = await routeOrders(page, (count) =>
      count === 1 ? 'unanswered' : 'answered',
    );
    await show(page);
    await connected();
    await page.fill('input[name=price]', '92100');
    await page.fill('input[name=amount]', '0.00321');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.locator('.toast', { hasText: 'Limit buy order placed.' }).waitFor();
    const own = (await readOpenOrders('alice')).filter(
      ({ amount }: { amount: number }) => amount === 0.00321,
    );
    expect(own).toHaveLength(1);
    expect(operations).toHaveLength(2);
    const ids = operations.map((text) => JSON.parse(text).params.clientOrderId);
    expect(new Set(ids)).toEqual(new Set([own[0].clientOrderId]));
    await site.send('alice', 'DELETE', `/api/orders/${own[0].orderId}`);
  });

  test('an order goes over REST with the same id if sockets do not carry it', async () => {
    const page = await site.open({ as: 'alice' });
    const { operations, connected } = await routeOrders(page, () => 'lost');
    const { sent } = recordOrders(page);
    await show(page);
    await connected();
    await page.fill('input[name=price]', '92200');
    await page.fill('input[name=amount]', '0.00322');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.locator('.toast', { hasText: 'Limit buy order placed.' }).waitFor();
    const rest = sent.filter(({ over }) => over === 'REST').map(({ text }) => JSON.parse(text));
    expect(rest).toHaveLength(1);
    const ids = operations.map((text) => JSON.parse(text).params.clientOrderId);
    expect(new Set(ids)).toEqual(new Set([rest[0].clientOrderId]));
    await site.send('alice', 'DELETE', '/api/orders?symbol=BTC/USDT');
  });

  test('a market sell for a total of the quote asset', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/trade/SOL-USDT');
    const symbol = 'SOL/USDT';
    await place('bob', { symbol, side: 'buy', amount: 1, price: 150 });
    await place('bob', { symbol, side: 'buy', amount: 2, price: 149 });
    await page.getByText('↓ Sell', { exact: true }).first().click();
    await page.getByLabel('Order type').selectOption('market');
    const unit = page.getByLabel('Size in');
    expect(await unit.inputValue()).toBe('amount');
    await unit.selectOption('USDT');
    // All of the balance would sell to both bids.
    await page.locator('.bids tr', { hasText: '149.00' }).waitFor();
    await page.getByRole('button', { name: '100%' }).click();
    const total = page.getByLabel('Total', { exact: true });
    expect(await total.inputValue()).toBe('448');
    await total.fill('299.5');
    // 150 for the first bid; 1.0033557 at 149 are worth 149.4999993.
    await page.locator('.preview', { hasText: 'Average price≈ 149.50 USDT' }).waitFor();
    expect(await axeFindings(page, '.order-form')).toEqual([]);
    await page.getByRole('button', { name: 'Sell SOL' }).click();
    const text = 'Sold 2.0033557 SOL at 149.50 USDT.';
    await page.locator('.toast', { hasText: text }).waitFor();
    await unit.selectOption('SOL');
    expect(await page.inputValue('input[name=amount]')).toBe('');
    await page.getByText('↑ Buy', { exact: true }).first().click();
    expect(await unit.inputValue()).toBe('cost');
    await site.send('bob', 'DELETE', `/api/orders?symbol=${symbol}`);
  });

  test('places a trailing stop and an iceberg, and amends the distance', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByText('↓ Sell', { exact: true }).first().click();
    await page.getByLabel('Order type').selectOption('trailing_stop');
    await page.fill('input[name=trailingPercent]', '60');
    await page.fill('input[name=amount]', '0.00432');
    await page.getByRole('button', { name: 'Sell BTC' }).click();
    await page.getByRole('button', { name: 'Use 50' }).click();
    await page.locator('.preview', { hasText: /Trigger price≈ [\d,]+\.\d\d USDT/ }).waitFor();
    await page.fill('input[name=activationPrice]', '400,000.0');
    expect(await axeFindings(page, '.order-form')).toEqual([]);
    await page.locator('.preview', { hasText: 'Trigger at activation≈ 200,000.00 USDT' }).waitFor();
    await page.getByRole('button', { name: 'Sell BTC' }).click();
    const row = page.locator('.orders tbody tr', { hasText: '0.00432' });
    await row.filter({ hasText: 'Trails by 50% · activates at 400,000' }).waitFor();
    await row.getByRole('button', { name: 'Amend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Trailing distance').fill('20.5');
    await dialog.getByRole('button', { name: 'Amend' }).click();
    await row.filter({ hasText: 'Trails by 20.5% · activates at 400,000' }).waitFor();
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.waitFor({ state: 'detached' });

    const ahead = await place('bob', { side: 'sell', amount: 0.00111, price: 190_000 });
    await page.getByLabel('Order type').selectOption('limit');
    await page.fill('input[name=price]', '190000');
    await page.fill('input[name=amount]', '0.00654');
    await page.getByLabel('Iceberg').check();
    await page.fill('input[name=displayAmount]', '0.002');
    await page.getByRole('button', { name: 'Sell BTC' }).click();
    const iceberg = page.locator('.orders tbody tr', { hasText: '0.00654' });
    await iceberg.filter({ hasText: 'Iceberg, 0.002 visible' }).waitFor();
    await iceberg.getByRole('button', { name: 'Amend' }).click();
    await dialog.getByText('0.00111 BTC ahead in the queue.').waitFor();
    await page.keyboard.press('Escape');
    await site.send('bob', 'DELETE', `/api/orders/${ahead}`);
    await iceberg.getByRole('button', { name: 'Cancel' }).click();
    await iceberg.waitFor({ state: 'detached' });
    await page.getByText('↑ Buy', { exact: true }).first().click();
  });

  test('the amend dialog closes when its order is closed; a missing response is reported', async () => {
    const page = await site.open({ as: 'alice' });
    let fate: Fate = 'answered';
    const { connected } = await routeOrders(page, () => fate);
    await show(page);
    await connected();
    const id = await place('alice', { side: 'buy', amount: 0.00456, price: 91_000 });
    const row = page.locator('.orders tbody tr', { hasText: '0.00456' });
    await row.getByRole('button', { name: 'Amend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Limit price').fill('91000.005');
    await dialog.getByRole('button', { name: 'Amend' }).click();
    await dialog.getByRole('button', { name: 'Use 91,000.01' }).waitFor();
    await dialog.getByText('Price must be a multiple of 0.01').waitFor();
    await site.send('alice', 'DELETE', `/api/orders/${id}`);
    await page.locator('.toast', { hasText: 'already canceled' }).waitFor();
    await dialog.waitFor({ state: 'detached' });

    fate = 'lost';
    await page.route('**/api/orders', (route) => route.abort());
    await page.fill('input[name=price]', '91000');
    await page.fill('input[name=amount]', '0.001');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.locator('.form-error', { hasText: 'may have been placed' }).waitFor();
    expect(await page.locator('.round-trip').textContent()).toBe('');
    await page.getByRole('button', { name: 'Buy BTC' }).waitFor();
  });

  test('missing responses are explained', async () => {
    const page = await site.open({ as: 'alice' });
    const { connected } = await routeOrders(page, () => 'lost');
    await show(page);
    await connected();
    const id = await place('alice', { side: 'buy', amount: 0.00567, price: 91_500 });
    await page.locator('.orders tbody tr', { hasText: '0.00567' }).waitFor();
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel all \d/ })
      .click();
    await page.locator('.toast', { hasText: 'No response. Your orders may have been' }).waitFor();
    await page.getByRole('tab', { name: 'Balances' }).click();
    await page.getByRole('button', { name: 'Get SOL from the faucet' }).click();
    await page.locator('.toast', { hasText: 'Could not reach the exchange.' }).waitFor();
    await site.send('alice', 'DELETE', `/api/orders/${id}`);
  });

  test('the preview shows all digits of a fee', async () => {
    const page = await site.share();
    await show(page);
    await page.fill('input[name=price]', '100000');
    await page.fill('input[name=amount]', '0.00001');
    await page.locator('.preview', { hasText: '≈ 0.000000008 BTC' }).waitFor();
  });

  test('shows the message of a rejection by the exchange', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByRole('button', { name: 'Buy BTC' }).waitFor();
    // A post-only order that would match: only the exchange decides this.
    await page.fill('input[name=price]', '119000');
    await page.fill('input[name=amount]', '0.01');
    await page.getByLabel('Post only').check();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page
      .locator('.order-form .error', { hasText: /would (trade at once|match immediately)/ })
      .waitFor();
  });

  test('orders that the market status forbids are explained and not sent', async () => {
    const become = (status: string) =>
      site.send('operator', 'PATCH', '/api/admin/markets', { symbol: 'ETH/USDT', status });
    const page = await site.share({ as: 'alice' });
    const { sent } = recordOrders(page);
    await page.goto('/trade/ETH-USDT');
    const button = page.getByRole('button', { name: 'Buy ETH' });
    await button.waitFor();
    await page.fill('input[name=price]', '5000');
    await page.fill('input[name=amount]', '0.01');
    // The stream reports it to the open page.
    expect((await become('halted')).status).toBe(200);
    await page.locator('.notice', { hasText: 'ETH/USDT is halted.' }).waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect(await axeFindings(page, '.order-form')).toEqual([]);
    await page.locator('input[name=amount]').press('Enter');
    expect(sent).toHaveLength(0);

    await become('post_only');
    await page.reload();
    await page.locator('.notice', { hasText: 'ETH/USDT is in post-only mode.' }).waitFor();
    await page.getByLabel('Post only').check();
    await page.fill('input[name=price]', '5000');
    await page.fill('input[name=amount]', '0.01');
    await button.click();
    await page.locator('.toast', { hasText: 'Limit buy order placed.' }).waitFor();
    await become('online');
    await site.send('alice', 'DELETE', '/api/orders?symbol=ETH/USDT');
  });

  test('the details of an order have its timeline, by keyboard, and pass axe', async () => {
    const order = { side: 'buy', amount: 0.2, price: 117700 };
    await place('bob', { ...order, amount: 0.3 });
    const orderId = await place('alice', order);
    for (const width of [1440, 390]) {
      const page = await site.share({ as: 'alice', width, height: 844 });
      await show(page);
      if (width === 390) await page.getByRole('button', { name: 'Orders', exact: true }).click();
      const button =
        width === 390
          ? page.locator('.card-body').first()
          : page.getByRole('button', { name: 'Details of buy 0.2 BTC/USDT at 117700' });
      await button.focus();
      await page.keyboard.press('Enter');
      const drawer = page.getByRole('dialog', { name: 'Order details' });
      await drawer.locator('.why', { hasText: 'ahead of it' }).waitFor();
      await drawer.getByRole('img', { name: /^Amount ahead in the queue: / }).waitFor();
      const events = drawer.locator('.timeline li');
      expect(await events.locator('b').allTextContents()).toEqual([
        'Placed',
        'Entered the order book',
      ]);
      expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'hidden' });
      await page.locator('button:is(.card-body, .cell-link):focus').waitFor();
    }
    await site.send('alice', 'DELETE', `/api/orders/${orderId}`);
    await site.send('bob', 'DELETE', '/api/orders?symbol=BTC/USDT');
    await place('bob', { side: 'sell', amount: 0.5, price: 118100 });
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.getByRole('tab', { name: 'Order history' }).click();
    await page.getByRole('button', { name: 'Details of buy 0.2' }).first().click();
    await page.locator('.timeline li', { hasText: 'Canceled' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('passes axe in both themes when signed out', async () => {
    const page = await site.share();
    await show(page);
    await page.locator('.asks tr', { hasText: '118,100' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('passes axe in both themes when signed in', async () => {
    const page = await site.share({ as: 'alice' });
    await show(page);
    await page.locator('.asks tr', { hasText: '118,100' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Depth' }).click();
    expect(await axeFindings(page, '.chart')).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    for (const name of ['Order history', 'Fills', 'Balances']) {
      await page.getByRole('tab', { name }).click();
      expect(await axeFindings(page, '.orders')).toEqual([]);
    }
  });

  test.each([
    [1440, 900],
    [1280, 800],
    [390, 844],
  ])('a toast moves nothing and covers no control: %d × %d', async (width, height) => {
    const page = await site.share({ as: 'alice', width, height });
    await show(page);
    const before = await page.locator('.ticker').boundingBox();
    await page.evaluate(`{
      const set = (name, value) => {
        const input = document.querySelector('.order-form input[name=' + name + ']');
        input.value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      };
      set('price', '50000');
      set('amount', '0.001');
      document.querySelector('.order-form form').requestSubmit();
    }`);
    await page.locator('.toast', { hasText: 'Limit buy order placed.' }).waitFor();
    // Nothing moves under the finger or the pointer.
    expect(await page.locator('.ticker').boundingBox()).toEqual(before);
    // A phone has no free space: its toasts lie over the header.
    if (width < 980) return;
    const covered = await page.evaluate<string[]>(`{
      const box = document.querySelector('.toast').getBoundingClientRect();
      const controls = [...document.querySelectorAll('a, button, input, select, [tabindex]')];
      controls
        .filter((each) => !each.closest('.toast') && each.id !== 'main' && each.checkVisibility())
        .filter((each) => {
          const { left, right, top, bottom, width } = each.getBoundingClientRect();
          return width > 1 && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        })
        .map((each) => each.outerHTML);
    }`);
    expect(covered).toEqual([]);
  });

  test('on a phone the views are shown one at a time and fit the screen', async () => {
    // Operators have one more link.
    const operator = await site.open({ width: 360, height: 740, as: 'operator' });
    await show(operator);
    expect(await operator.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    // The sign-in link is wider than the account menu.
    const visitor = await site.open({ width: 360, height: 740 });
    await show(visitor);
    await visitor.locator('.top').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await visitor.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    const tabs = visitor.locator('.chart [role="tablist"]');
    expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await visitor.goto('/');
    expect(await visitor.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);

    const page = await site.share({ width: 390, height: 844, as: 'alice' });
    await show(page);
    await page.locator('.badge.sandbox').waitFor();
    for (const view of ['Book', 'Trades', 'Orders', 'Chart']) {
      await page.locator('.views').getByRole('button', { name: view, exact: true }).click();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(`${view} ${width}`).toBe(`${view} 390`);
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.locator('.views').getByRole('button', { name: 'Book' }).click();
    // A tap on a price opens the form with it.
    await page.locator('.asks tr', { hasText: '118,100' }).click();
    await page.getByLabel('Limit price').waitFor();
    expect(await page.getByLabel('Limit price').inputValue()).toBe('118,100');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Limit price').waitFor({ state: 'hidden' });
    await page.locator('.phone-bar').getByRole('button', { name: 'Sell BTC' }).click();
    await page.locator('.order-form').getByRole('button', { name: 'Sell BTC' }).waitFor();
  });
});

/** The sockets of a page that authenticate: those of the account's stream and of its orders. */
const AUTHENTICATED_SOCKETS = 2;
const AUTHENTICATED = '{"op":"authenticated"}';

/** Records the orders that a page sends from now on, in its next documents too. */
function recordOrders(page: Page) {
  const sent: { readonly over: 'socket' | 'REST'; readonly text: string }[] = [];
  let authenticated = 0;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (`${payload}` === AUTHENTICATED) authenticated++;
    });
    socket.on('framesent', ({ payload }) => {
      const text = `${payload}`;
      if (text.startsWith('{"op":"order.')) sent.push({ over: 'socket', text });
    });
  });
  page.on('request', (request) => {
    const isOrder = /\/api\/orders(?!\/test)/.test(request.url()) && request.method() !== 'GET';
    if (isOrder) sent.push({ over: 'REST', text: request.postData() ?? '' });
  });
  const connected = () => untilFrame(page, () => authenticated === AUTHENTICATED_SOCKETS);
  return { sent, connected };
}

/** The end of an operation: `unanswered` is executed, `lost` is not; both end the socket without a response. */
type Fate = 'answered' | 'unanswered' | 'lost';

/** Decides what happens to the orders that a page sends over its socket; `count` numbers them from 1. */
async function routeOrders(page: Page, decide: (count: number) => Fate) {
  const operations: string[] = [];
  let authenticated = 0;
  await page.routeWebSocket('**/ws*', (socket) => {
    const server = socket.connectToServer();
    let isUnanswered = false;
    socket.onMessage((message) => {
      const isOrder = `${message}`.startsWith('{"op":"order.');
      if (isOrder) operations.push(`${message}`);
      const fate = isOrder ? decide(operations.length) : 'answered';
      isUnanswered ||= fate === 'unanswered';
      if (fate === 'lost') socket.close({ code: 1001 });
      else server.send(message);
    });
    server.onMessage((message) => {
      if (`${message}` === AUTHENTICATED) authenticated++;
      if (isUnanswered && `${message}`.includes('"success":')) socket.close({ code: 1001 });
      else socket.send(message);
    });
  });
  const connected = () => untilFrame(page, () => authenticated === AUTHENTICATED_SOCKETS);
  return { operations, connected };
}

/** Waits for a condition in the test, a frame of the page at a time. */
async function untilFrame(page: Page, condition: () => boolean): Promise<void> {
  do await page.evaluate('new Promise(requestAnimationFrame)');
  while (!condition());
}

/** Forwards the streams of a page, except those of the book while `isDead` is set. */
async function routeStreams(page: Page) {
  const dead = { isDead: false };
  const ofBook = new Set<WebSocketRoute>();
  await page.routeWebSocket('**/ws*', (socket) => {
    const server = socket.connectToServer();
    const isSilent = () => dead.isDead && ofBook.has(socket);
    socket.onMessage((message) => {
      if (/orderbook|"markets"/.test(`${message}`)) ofBook.add(socket);
      if (!isSilent()) server.send(message);
    });
    server.onMessage((message) => {
      if (!isSilent()) socket.send(message);
    });
  });
  const cut = () => {
    for (const socket of ofBook) socket.close({ code: 1001 });
    ofBook.clear();
  };
  return { dead, cut };
}
