import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';
import type { Site } from './site.ts';

const charts = suite('charts', (site) => {
  test('indicators are added, changed and kept over a reload', async () => {
    await startTrading(site);
    const page = await openChart(site);
    await page.getByRole('button', { name: 'Indicators' }).click();
    await page.getByRole('button', { name: 'Moving average (MA)' }).click();
    await page.getByRole('button', { name: 'Relative strength (RSI)' }).click();
    await page.getByRole('group', { name: 'Moving average' }).getByLabel('Period').fill('3');
    await page.keyboard.press('Tab');
    expect(await axeFindings(page, '.chart')).toEqual([]);
    await page.keyboard.press('Escape');
    const legend = page.locator('.indicator-legend');
    await legend.getByText('MA 3').waitFor();
    await page.reload();
    await legend.getByText('MA 3').waitFor();
    await legend.getByText('RSI 14').waitFor();
  });

  test('the price axis is linear, logarithmic or in percent, also after a reload', async () => {
    const page = await openChart(site);
    const scale = page.getByRole('group', { name: 'Price scale' });
    const pressed = () => scale.locator('[aria-pressed="true"]').allInnerTexts();
    expect(await pressed()).toEqual(['Auto']);
    const linear = await axisPicture(page);
    await scale.getByRole('button', { name: 'Percent scale' }).click();
    expect(await pressed()).toEqual(['%', 'Auto']);
    expect(await axisPicture(page)).not.toBe(linear);
    await page.reload();
    await page.locator('.chart table td').first().waitFor({ state: 'attached' });
    expect(await pressed()).toEqual(['%', 'Auto']);
    await scale.getByRole('button', { name: 'Log' }).click();
    expect(await pressed()).toEqual(['Log', 'Auto']);
    await scale.getByRole('button', { name: 'Log' }).click();
    expect(await pressed()).toEqual(['Auto']);
    expect(await axeFindings(page, '.chart')).toEqual([]);
  });

  test('a price axis that was dragged fits its prices again', async () => {
    const page = await openChart(site);
    const { x, y, width, height } = await canvasBox(page);
    await dragAxis(page, x + width - 20, y + height / 2);
    const dragged = await axisPicture(page);
    const auto = page.getByRole('button', { name: 'Auto', exact: true });
    expect(await auto.getAttribute('aria-pressed')).toBe('false');
    await auto.click();
    expect(await axisPicture(page)).not.toBe(dragged);
    expect(await auto.getAttribute('aria-pressed')).toBe('true');
  });

  test('a drawing is made by dragging, kept over a reload, and removed by keyboard', async () => {
    const page = await openChart(site);
    const { x, y } = await canvasBox(page);
    await drawTrendLine(page);
    await page.reload();
    await page.locator('.chart table td').first().waitFor({ state: 'attached' });
    await waitForDrawings(page, 1);
    await selectLine(page, x + 130, y + 90);
    await page.keyboard.press('Delete');
    await waitForDrawings(page, 0);
  });

  test('a trend line keeps its place at other intervals', async () => {
    const { candles } = (
      await site.send('alice', 'GET', '/api/candles?symbol=BTC/USDT&interval=15m&limit=2')
    ).json.data;
    const [before, last] = candles.map((each: { timestamp: string }) => Date.parse(each.timestamp));
    const stepMs = last === undefined ? 60_000 : last - before;
    const page = await openChart(site);
    // A vertical line half a candle after the last one: between candles, as points of other intervals are.
    const time = ((last ?? before) + stepMs / 2) / 1000;
    const line = { tool: 'trend', points: [1, 1e7].map((price) => ({ time, price })) };
    await page.evaluate(
      (text) => localStorage.setItem('buttonwood-drawings', text),
      JSON.stringify({ 'BTC/USDT': [line] }),
    );
    await page.reload();
    const { x, y, width, height } = await canvasBox(page);
    const isOverLine = async () => {
      for (let at = x + 1; at < x + width; at += 5) {
        await page.mouse.move(at, y + height / 3);
        if ((await readCursor(page)) === 'pointer') return at > x + width / 2;
      }
      return undefined;
    };
    // Drawings load after the page.
    let isRight: boolean | undefined;
    for (let tries = 0; tries < 10 && isRight === undefined; tries++) isRight = await isOverLine();
    expect(isRight).toBe(true);
  });

  test('a drag right after a tool was chosen draws, though drawing is still loading', async () => {
    const page = await openChart(site);
    const { x, y } = await canvasBox(page);
    await page.locator('.chart-legend b').first().waitFor();
    const held = Promise.withResolvers<void>();
    let isHeld = false;
    await page.context().route('**/assets/**', async (route) => {
      isHeld = true;
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Trend line' }).click();
    const before = await timePicture(page);
    await dragFrom(page, x + 60, y + 60);
    expect((await timePicture(page)).equals(before)).toBe(true);
    expect(isHeld).toBe(true);
    held.resolve();
    await waitForDrawings(page, 1);
    const [{ points }] = await readShapes(page);
    expect(points[0].time).toBeLessThan(points[1].time);
    expect(points[0].price).toBeGreaterThan(points[1].price);
    await page.context().unroute('**/assets/**');
  });

  test('keys change a drawing only while the chart has the focus', async () => {
    const page = await openChart(site);
    const { x, y } = await drawTrendLine(page);
    const bar = page.getByRole('toolbar', { name: 'Drawing' });
    await bar.waitFor();
    const before = await readDrawings(page);
    await page.getByRole('tab', { name: 'Order history' }).click();
    await bar.waitFor({ state: 'hidden' });
    for (const key of ['ArrowUp', 'ArrowRight', 'Backspace', 'Delete'])
      await page.keyboard.press(key);
    expect(await readDrawings(page)).toBe(before);
    await selectLine(page, x + 130, y + 90);
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction((old) => localStorage['buttonwood-drawings'] !== old, before);
    await page.getByRole('tab', { name: 'Order history' }).focus();
    await page.keyboard.press('Delete');
    await waitForDrawings(page, 1);
  });

  test('a drawing gets a color and a width, is removed, and Ctrl+Z reverts changes', async () => {
    const page = await openChart(site);
    await drawTrendLine(page);
    const bar = page.getByRole('toolbar', { name: 'Drawing' });
    await bar.getByRole('button', { name: 'Orange' }).click();
    await bar.getByRole('button', { name: 'Line width 3' }).click();
    expect(await readShapes(page)).toMatchObject([{ color: 2, width: 3 }]);
    expect(await axeFindings(page, '.canvas-area')).toEqual([]);
    await bar.getByRole('button', { name: 'Remove drawing' }).click();
    await waitForDrawings(page, 0);
    await page.keyboard.press('Control+z');
    await waitForDrawings(page, 1);
    await page.keyboard.press('Control+z');
    expect((await readShapes(page))[0]).toMatchObject({ color: 2 });
    expect((await readShapes(page))[0].width).toBeUndefined();
    await page.getByRole('button', { name: 'Remove all drawings' }).click();
    await waitForDrawings(page, 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForDrawings(page, 1);
    await page.getByLabel('Limit price').focus();
    await page.keyboard.press('Control+z');
    await waitForDrawings(page, 1);
  });

  test('a drawing chosen by keyboard starts in the middle and moves by arrow keys', async () => {
    const page = await openChart(site);
    await page.getByRole('button', { name: 'Horizontal line' }).focus();
    await page.keyboard.press('Enter');
    await waitForDrawings(page, 1);
    const before = await readDrawings(page);
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(
      (old) => localStorage.getItem('buttonwood-drawings') !== old,
      before,
    );
    await page.keyboard.press('Delete');
    await waitForDrawings(page, 0);
  });

  test('an order line is dragged to another price, which the amend dialog confirms', async () => {
    const { json } = await site.send('alice', 'POST', '/api/orders', {
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      amount: 0.01,
      price: 117_500,
    });
    const { orderId } = json.data;
    const page = await openChart(site);
    await page.getByRole('tab', { name: /Open orders/ }).click();
    await page.locator('.orders').getByText('117,500').first().waitFor();
    const { x, y } = await canvasBox(page);
    const height = await findOwnLine(page, x + 40);
    await page.mouse.move(x + 40, height);
    await page.mouse.down();
    await page.mouse.move(x + 40, height - 12, { steps: 4 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Amend order' });
    const field = dialog.getByLabel('Limit price');
    await field.waitFor();
    const price = await field.inputValue();
    expect(Number(price)).toBeGreaterThan(117_500);
    expect(y).toBeLessThan(height);
    await dialog.getByRole('button', { name: 'Amend' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const read = await site.send('alice', 'GET', `/api/orders/${orderId}`);
    expect(read.json.data.price).toBe(Number(price));
    await site.send('alice', 'DELETE', `/api/orders/${orderId}`);
  });

  test.each([1440, 1024])('the × of an order line cancels the order, %i px wide', async (size) => {
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 117_600 };
    const { json } = await site.send('alice', 'POST', '/api/orders', order);
    const page = await openChart(site, size);
    await page.locator('.orders').getByText('117,600').first().waitFor();
    const { x } = await canvasBox(page);
    const height = await findOwnLine(page, x + 40);
    await clickCross(page, x + 40, height);
    await page.getByRole('status').getByText('Canceled: buy').waitFor();
    const read = await site.send('alice', 'GET', `/api/orders/${json.data.orderId}`);
    expect(read.json.data.status).toBe('canceled');
  });

  test('the price under the pointer goes into the order form', async () => {
    const page = await openChart(site);
    const { x, y } = await canvasBox(page);
    await page.mouse.move(x + 50, y + 40);
    await page.mouse.move(x + 52, y + 42);
    const button = page.getByRole('button', { name: /^Trade at/ });
    const price = (await button.getAttribute('aria-label'))!.replace('Trade at ', '');
    await button.click();
    await page.getByRole('button', { name: `Sell limit ${price}` }).click();
    const filled = await page.getByLabel('Limit price').inputValue();
    expect(filled).toBe(price);
    await page.getByRole('button', { name: 'Sell BTC' }).waitFor();
  });

  test('an alert is set at the price under the pointer', async () => {
    const page = await openChart(site);
    const { x, y } = await canvasBox(page);
    await page.mouse.move(x + 50, y + 40);
    await page.mouse.move(x + 52, y + 42);
    const button = page.getByRole('button', { name: /^Trade at/ });
    const price = (await button.getAttribute('aria-label'))!.replace('Trade at ', '');
    await button.click();
    await page.locator('.trade-at').getByRole('button', { name: 'Price alert' }).click();
    const text = `Alert set: BTC/USDT rises to ${price}`;
    await page.locator('.toast', { hasText: text }).waitFor();
    expect(await page.locator('.trade-at').count()).toBe(0);
    await page.locator('.ticker').getByRole('button', { name: 'Price alert' }).click();
    await page.getByRole('cell', { name: `Rises to ${price}` }).waitFor();
  });

  test('the line of an alert is dragged to another price, and its × deletes the alert', async () => {
    const readAlerts = async () =>
      (await site.send('alice', 'GET', '/api/alerts')).json.data.alerts.filter(
        ({ triggeredAt }: { triggeredAt: string | null }) => triggeredAt === null,
      );
    for (const { id } of await readAlerts())
      await site.send('alice', 'DELETE', `/api/alerts/${id}`);
    const alert = { symbol: 'BTC/USDT', direction: 'below', price: 118_000, note: 'Breakout' };
    expect((await site.send('alice', 'POST', '/api/alerts', alert)).status).toBe(200);
    const page = await openChart(site);
    const { x } = await canvasBox(page);
    const height = await findOwnLine(page, x + 40);
    await page.mouse.down();
    await page.mouse.move(x + 40, height + 20, { steps: 4 });
    await page.mouse.up();
    await page.locator('.toast', { hasText: /Alert set: BTC\/USDT falls to 117,/ }).waitFor();
    let moved = await readAlerts();
    while (moved.length !== 1) moved = await readAlerts();
    expect(moved[0]).toMatchObject({ direction: 'below', note: 'Breakout' });
    expect(moved[0].price).toBeLessThan(118_000);
    await clickCross(page, x + 40, await findOwnLine(page, x + 40));
    await page.getByRole('status').getByText('Price alert deleted').waitFor();
    expect(await readAlerts()).toEqual([]);
    // Nothing is left to drag.
    expect(await findOwnLine(page, x + 40).catch(() => undefined)).toBeUndefined();
  });

  test('the line of an alert is gone once the alert has triggered', async () => {
    const alert = { symbol: 'BTC/USDT', direction: 'below', price: 118_500 };
    expect((await site.send('alice', 'POST', '/api/alerts', alert)).status).toBe(200);
    const page = await openChart(site);
    const { x } = await canvasBox(page);
    await findOwnLine(page, x + 40);
    for (const [as, side] of [
      ['bob', 'sell'],
      ['alice', 'buy'],
    ] as const) {
      const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price: 118_400, side };
      await site.send(as, 'POST', '/api/orders', order);
    }
    await page.locator('.toast', { hasText: 'Price alert: BTC/USDT is below 118,500' }).waitFor();
    while ((await findOwnLine(page, x + 40).catch(() => undefined)) !== undefined);
  });

  test('chart and trades use the time zone that the user chose', async () => {
    const page = await openChart(site);
    const zone = page.getByRole('group', { name: 'Time zone' });
    await zone.getByRole('button', { name: 'UTC' }).click();
    const { timestamp } = (await site.send('alice', 'GET', '/api/trades?symbol=BTC/USDT')).json.data
      .trades[0];
    await page
      .locator('.tape .time', { hasText: timestamp.slice(11, 19) })
      .first()
      .waitFor();
    await page.reload();
    expect(await zone.getByRole('button', { name: 'UTC' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
  });

  test('the legend lies over the chart, and names fills by candle and side', async () => {
    const page = await openChart(site);
    const canvas = await canvasBox(page);
    const area = (await page.locator('.canvas-area').first().boundingBox())!;
    expect([canvas.y, canvas.height]).toEqual([area.y, area.height]);
    const values = page.locator('.candle-legend');
    expect(await values.innerText()).toMatch(/C\s[\d,.]+\s*[+−]?\d\.\d\d%\s*Vol\s[\d.]+\s*BTC$/);
    expect((await values.boundingBox())!.height).toBeLessThan(24);
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 1024, height: 768 });
    const change = (await values.locator('.legend-change').boundingBox())!;
    const close = (await values.locator('b:has(+ .legend-change)').boundingBox())!;
    expect(change.y).toBe(close.y);
    await page.setViewportSize(size);
    const legend = page.locator('.fill-legend');
    let at = canvas.x + canvas.width - 80;
    while (at > canvas.x && !(await legend.isVisible())) {
      at -= 4;
      await page.mouse.move(at, canvas.y + 60);
    }
    // A candle may begin between the fills of earlier tests: their number varies.
    expect(await legend.innerText()).toMatch(/Bought 0\.0\d+ at 11\d,\d{3}\.\d\d/);
  });

  test('a button returns from the past to the last candle', async () => {
    const page = await openChart(site);
    // Has many candles already.
    await page.getByLabel('More candle intervals').selectOption('1s');
    await page.locator('.chart table', { hasText: '1s interval' }).waitFor({ state: 'attached' });
    const { x, y } = await canvasBox(page);
    const button = page.getByRole('button', { name: 'Scroll to latest' });
    expect(await button.count()).toBe(0);
    await page.mouse.move(x + 60, y + 200);
    await page.mouse.down();
    await page.mouse.move(x + 360, y + 200, { steps: 4 });
    await page.mouse.up();
    await button.click();
    await button.waitFor({ state: 'detached' });
  });

  test('Escape closes the open menu before it ends the full screen', async () => {
    const page = await openChart(site);
    const isFull = () => page.evaluate<boolean>('document.fullscreenElement !== null');
    // The content security policy forbids waitForFunction.
    const waitForFull = async (wanted: boolean) => {
      while ((await isFull()) !== wanted) await page.evaluate('new Promise(requestAnimationFrame)');
    };
    await page.getByRole('button', { name: 'Full screen' }).click();
    await waitForFull(true);
    await page.getByRole('button', { name: 'Indicators' }).click();
    const choice = page.getByRole('button', { name: 'Moving average (MA)' });
    await choice.waitFor();
    await page.keyboard.press('Escape');
    await choice.waitFor({ state: 'hidden' });
    expect(await isFull()).toBe(true);
    await page.keyboard.press('Escape');
    await waitForFull(false);
  });

  test('a narrow panel has one menu of all intervals', async () => {
    const page = await openChart(site);
    const menu = page.getByRole('combobox', { name: 'Candle interval', exact: true });
    expect(await menu.count()).toBe(0);
    await page.locator('.chart').evaluate(setWidth, '300px');
    await menu.selectOption('1h');
    expect(await menu.inputValue()).toBe('1h');
    const bar = (await page.locator('.chart .tabs-bar').boundingBox())!;
    const box = (await menu.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(bar.x + bar.width);
    await page.getByRole('button', { name: 'Indicators' }).click();
    await page.getByRole('button', { name: 'MACD' }).click();
    const remove = (await page.getByRole('button', { name: 'Remove MACD' }).boundingBox())!;
    expect(remove.x + remove.width).toBeLessThanOrEqual(bar.x + bar.width);
  });

  test('four charts are shown, and the note of an empty one lies above it', async () => {
    const page = await openChart(site);
    await page.getByRole('button', { name: 'Number of charts' }).click();
    await page.getByRole('button', { name: '4 charts' }).click();
    await page.getByLabel('Market of chart 2').selectOption('ETH/BTC');
    const note = page.locator('.canvas-note', { hasText: 'No trades yet' }).first();
    await note.waitFor();
    const isOnTop = await note.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const { ownerDocument } = element;
      return ownerDocument.elementFromPoint(left + width / 2, top + height / 2) === element;
    });
    expect(isOnTop).toBe(true);
    await page.getByText('Loading chart…').waitFor({ state: 'detached' });
    expect(await axeFindings(page, '.chart')).toEqual([]);
  });
});

describePages([charts]);

/** Makes trades, so that the chart has a candle from 117,000 to 119,000. */
async function startTrading(site: Site): Promise<void> {
  for (const price of [117_000, 119_000]) {
    const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price };
    await site.send('bob', 'POST', '/api/orders', { ...order, side: 'sell' });
    await site.send('alice', 'POST', '/api/orders', { ...order, side: 'buy' });
  }
}

async function openChart(site: Site, width = 1440): Promise<Page> {
  const page = await site.share({ as: 'alice', width });
  await page.goto('/trade/BTC-USDT');
  await page.locator('.chart table td').first().waitFor({ state: 'attached' });
  return page;
}

/** Returns a picture of the upper third of the price axis, where no countdown changes every second. */
async function axisPicture(page: Page): Promise<string> {
  await page.evaluate('new Promise((done) => setTimeout(done, 300))');
  const { x, y, width, height } = await canvasBox(page);
  const clip = { x: x + width - 70, y: y + 5, width: 70, height: height / 3 };
  return (await page.screenshot({ clip })).toString('base64');
}

/** Drags the price axis, which stops it from following the prices. */
async function dragAxis(page: Page, x: number, y: number): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 80, { steps: 4 });
  await page.mouse.up();
}

async function canvasBox(page: Page) {
  return (await page.locator('.canvas').first().boundingBox())!;
}

/** Returns the height at which the pointer can drag an order or an alert. */
async function findOwnLine(page: Page, x: number): Promise<number> {
  const { y, height } = await canvasBox(page);
  for (let at = y + 2; at < y + height; at += 3) {
    await page.mouse.move(x, at);
    if ((await readCursor(page)) === 'ns-resize') return at;
  }
  throw new Error('The chart shows no line');
}

/** Clicks the × of the label at a height. @param left Where the search for it begins: on the label or its line */
async function clickCross(page: Page, left: number, height: number): Promise<void> {
  const { x, width } = await canvasBox(page);
  let at = left;
  while (at < x + width && (await readCursor(page)) !== 'pointer') {
    at += 6;
    await page.mouse.move(at, height);
  }
  await page.mouse.click(at, height);
}

function readCursor(page: Page): Promise<string> {
  return page
    .locator('.canvas')
    .first()
    .evaluate((box) => box.style.cursor);
}

/** Draws a trend line from the first to the second corner of a box; returns the corner of the canvas. */
async function drawTrendLine(page: Page) {
  const { x, y } = await canvasBox(page);
  await page.getByRole('button', { name: 'Trend line' }).click();
  await dragFrom(page, x + 60, y + 60);
  await waitForDrawings(page, 1);
  return { x, y };
}

/** Drags 140 px to the right and 60 px down. */
async function dragFrom(page: Page, x: number, y: number): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 140, y + 60, { steps: 4 });
  await page.mouse.up();
}

/** Returns a picture of the time axis, which moves when the chart scrolls. */
async function timePicture(page: Page): Promise<Buffer> {
  const { x, y, width, height } = await canvasBox(page);
  // The axis shows the time at the pointer, too.
  await page.mouse.move(x, y - 100);
  await page.evaluate('new Promise((done) => setTimeout(done, 100))');
  return page.screenshot({ clip: { x, y: y + height - 24, width: width - 120, height: 24 } });
}

/** Clicks a drawing; drawings load after the page. */
async function selectLine(page: Page, x: number, y: number): Promise<void> {
  const bar = page.getByRole('toolbar', { name: 'Drawing' });
  for (let tries = 0; tries < 50 && (await bar.count()) === 0; tries++) {
    await page.mouse.click(x, y);
    await page.waitForTimeout(50);
  }
  await bar.waitFor();
}

function readDrawings(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('buttonwood-drawings'));
}

// biome-ignore lint/suspicious/noExplicitAny: the stored text
async function readShapes(page: Page): Promise<any[]> {
  return JSON.parse((await readDrawings(page)) ?? '{}')['BTC/USDT'] ?? [];
}

async function waitForDrawings(page: Page, count: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const text = localStorage.getItem('buttonwood-drawings') ?? '{}';
    return (JSON.parse(text)['BTC/USDT']?.length ?? 0) === wanted;
  }, count);
}

/** Runs in the page. */
function setWidth(element: { style: { width: string } }, width: string): void {
  element.style.width = width;
}
