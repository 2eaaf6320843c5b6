import { expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const SATS = '1000SATSLONG/USDT';

/** Returns texts that are wider than their cell. Units below the line of a title are hidden, not cut. */
const CUT_TEXTS = `(selector) => [...document.querySelectorAll(selector)].flatMap((cell) => {
  const box = cell.getBoundingClientRect();
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const cut = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, width } = range.getBoundingClientRect();
    const line = node.parentElement.closest('.unit-title')?.getBoundingClientRect() ?? box;
    const isShown = width > 0 && top < line.bottom - 1 && !node.parentElement.closest('.visually-hidden');
    if (isShown && (left < box.left - 1 || right > box.right + 1)) cut.push(node.data);
  }
  return cut;
})`;

function cutTexts(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(${CUT_TEXTS})(${JSON.stringify(selector)})`);
}

/** Returns the elements of which a part is outside of their panel, or under another element. */
const COVERED = `(selector) => [...document.querySelectorAll(selector)].flatMap((each) => {
  const { left, right, top, width, height } = each.getBoundingClientRect();
  if (width === 0) return [];
  const panel = each.closest('.panel').getBoundingClientRect();
  const isInside = left >= panel.left && right <= panel.right;
  const isHit = (x) => each.contains(document.elementFromPoint(x, top + height / 2));
  return isInside && isHit(left + 2) && isHit(right - 2) ? [] : [each.outerHTML.slice(0, 120)];
})`;

function coveredElements(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(${COVERED})(${JSON.stringify(selector)})`);
}

/** Whether the word of the spread, its price and its percentage are in the line that is shown. */
const SPREAD_PARTS = `{
  const text = document.querySelector('.spread-text');
  const { bottom } = text.getBoundingClientRect();
  [text.children[0], text.children[1], text.children[1].children[0]].map(
    (part) => part.getBoundingClientRect().top < bottom - 1,
  );
}`;

const panels = suite('panels', (site) => {
  const order = (as: string, body: object) =>
    site.send(as, 'POST', '/api/orders', { symbol: 'BTC/USDT', type: 'limit', ...body });
  const operator = async (path: string, body: object) => {
    const { status } = await site.send('operator', 'POST', `/api/admin/${path}`, body);
    expect(status).toBe(200);
  };

  const placeOpenOrders = async () => {
    await site.send('alice', 'DELETE', '/api/orders?all=true');
    await order('alice', { side: 'buy', amount: 0.01234567, price: 91_234.56, postOnly: true });
    await order('alice', { side: 'sell', type: 'stop', amount: 0.5, triggerPrice: 81_234.56 });
  };

  test.each([
    [1440, 900],
    [1280, 720],
    [1024, 768],
  ])('open orders show their data in rows of 28 px: %d × %d', async (width, height) => {
    await placeOpenOrders();
    const page = await site.share({ as: 'alice', width, height });
    await page.goto('/trade/BTC-USDT');
    await page.getByRole('tab', { name: /Open orders/ }).click();
    const rows = page.locator('.orders tbody tr');
    await rows.filter({ hasText: '91,234.56' }).waitFor();
    await rows.filter({ hasText: '81,234.56' }).waitFor();
    expect(await coveredElements(page, '.orders :is(td, td button)')).toEqual([]);
    expect(await cutTexts(page, '.orders :is(td:not(:has(.conditions)), th)')).toEqual([]);
    const shown = (await rows.allInnerTexts()).join();
    // A stop order trades at the market price.
    for (const text of ['91,234.56', '≤ 81,234.56', '0.01234567', '1,126.35', '≈ 40,617.28'])
      expect(shown).toContain(text);
    const first = (await rows.first().boundingBox())!;
    expect(first.height).toBeLessThanOrEqual(29);
    const actions = (await rows.first().locator('.actions').boundingBox())!;
    expect(actions.width).toBeLessThanOrEqual(64);
    const conditions = rows.filter({ hasText: '91,234.56' }).locator('.conditions');
    expect(await conditions.getAttribute('title')).toBe('Post-only');
    const details = rows.first().getByRole('button', { name: /Details of/ });
    await details.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Order details' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('at 1024 px the conditions of an OCO order are whole, and every column has a title', async () => {
    await site.send('alice', 'DELETE', '/api/orders?all=true');
    await site.send('alice', 'POST', '/api/orders/oco', {
      symbol: 'BTC/USDT',
      side: 'sell',
      amount: 0.5,
      takeProfit: { price: 131_234.56 },
      stopLoss: { triggerPrice: 81_234.56 },
    });
    const page = await site.share({ as: 'alice', width: 1024, height: 768 });
    await page.goto('/trade/BTC-USDT');
    await page.getByRole('tab', { name: /Open orders/ }).click();
    const conditions = page.locator('.orders .conditions');
    await conditions.nth(1).waitFor();
    expect((await conditions.allInnerTexts()).sort()).toEqual([
      'OCO: Limit 131,234.56',
      'OCO: Stop ≤ 81,234.56',
    ]);
    const price = page.locator('.orders .col-price');
    expect((await price.allInnerTexts()).sort()).toEqual([
      '131,234.56',
      'Price / Trigger',
      '≤ 81,234.56',
    ]);
    expect(await cutTexts(page, '.orders :is(td, th)')).toEqual([]);
    expect(await conditions.first().getAttribute('title')).toContain('OCO with ');
    expect(await page.locator('.orders th.col-side').innerText()).toBe('Side');
    await site.send('alice', 'DELETE', '/api/orders?all=true');
  });

  test('a panel of orders as narrow as a layout allows shows cards', async () => {
    await placeOpenOrders();
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.getByRole('tab', { name: /Open orders/ }).click();
    await page.locator('.orders tbody tr').first().waitFor();
    await page.locator('.orders').evaluate(setWidth, '250px');
    await page.locator('.orders thead').waitFor({ state: 'hidden' });
    const card = page.locator('.orders tbody tr', { hasText: '91,234.56' });
    expect(await card.locator('.col-amount', { hasText: '0.01234567' }).isVisible()).toBe(true);
    expect(await card.getByRole('button', { name: /^Cancel/ }).isVisible()).toBe(true);
    const first = '.orders tbody tr:first-child';
    expect(await coveredElements(page, `${first} button`)).toEqual([]);
    expect(await cutTexts(page, `${first} td`)).toEqual([]);
  });

  test('open orders at 1024 px name their side, filled amount and trailing distance', async () => {
    await site.send('alice', 'DELETE', '/api/orders?all=true');
    await order('alice', {
      side: 'sell',
      type: 'trailing_stop',
      amount: 0.5,
      trailingPercent: 1.5,
    });
    const page = await site.share({ as: 'alice', width: 1024, height: 768 });
    await page.goto('/trade/BTC-USDT');
    const row = page.locator('.orders tbody tr');
    await row.waitFor();
    expect(await row.locator('.col-time').isVisible()).toBe(true);
    expect(await row.locator('.side-name').innerText()).toBe('Sell');
    expect(await row.locator('.col-filled').innerText()).toBe('0');
    expect(await row.locator('.conditions').innerText()).toBe('Trails 1.5%');
    expect(await page.locator('.orders th:visible').allInnerTexts()).toContain('Conditions');
    expect(await cutTexts(page, '.orders :is(th, td)')).toEqual([]);
  });

  test('the trades end with a whole row', async () => {
    for (const height of [900, 911, 923]) {
      const page = await site.share({ height });
      await page.goto('/trade/BTC-USDT');
      await page.locator('.tape-box').waitFor();
      const sizes = await page.locator('.tape-box').evaluate((box) => ({
        head: box.querySelector('thead')!.offsetHeight,
        box: box.clientHeight,
        area: box.parentElement!.clientHeight,
      }));
      expect((sizes.box - sizes.head) % 20).toBe(0);
      expect(sizes.box).toBeGreaterThan(sizes.head);
      expect(sizes.area - sizes.box).toBeLessThan(20);
    }
  });

  test('small prices and long tickers are not cut, in panels down to 240 px', async () => {
    await operator('assets', { asset: '1000SATSLONG', name: '1000 Sats Long', decimals: 8 });
    await operator('markets', {
      ...{ symbol: SATS, tickSize: 0.00000001, stepSize: 1, maxAmount: 1e12, maxPrice: 1 },
      ...{ minNotional: 0.01, makerFee: 0.001, takerFee: 0.001, referencePrice: 0.00001234 },
    });
    const owned = { asset: '1000SATSLONG', amount: 1e10, reason: 'Test of the panels' };
    await operator('transfers', { ...owned, account: 'bob', reference: 'panels-1' });
    const sell = { symbol: SATS, side: 'sell', price: 0.00001243, amount: 12_345_678 };
    await order('bob', sell);
    await order('alice', { ...sell, side: 'buy', amount: 2_345_678 });
    await order('alice', { ...sell, side: 'buy', price: 0.00001234, amount: 1_234_567 });
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [1024, 768],
    ] as const) {
      const page = await site.share({ as: 'alice', width, height });
      await page.goto('/trade/1000SATSLONG-USDT');
      await page.locator('.bids tr', { hasText: '0.00001234' }).waitFor();
      const check = async (panel: string) => {
        const cells = `.${panel} .book-table :is(th, td .cell-text, .spread > *)`;
        expect(await cutTexts(page, cells)).toEqual([]);
        const controls = `.${panel} .panel-head :is(button, select)`;
        expect(await coveredElements(page, controls)).toEqual([]);
      };
      await check('book');
      await page.locator('.book').evaluate(setWidth, '240px');
      if (width === 1440) {
        await check('book');
        await check('tape');
        expect(await cutTexts(page, '.markets a :is(b, .market-price, .market-volume)')).toEqual(
          [],
        );
        const total = page.locator('.asks tr', { hasText: '0.00001243' }).locator('.total');
        expect(await total.innerText()).toBe('10.00M');
        await total.hover();
        expect(await total.getAttribute('title')).toBe('10,000,000');
      } else {
        await page.locator('.book').getByRole('button', { name: 'Trades' }).click();
        await page.locator('.tape tr', { hasText: '0.00001243' }).waitFor();
        await check('tape');
        await page.locator('.tape').getByRole('button', { name: 'Book' }).click();
      }
      const figures = (await page.locator('.ticker dl').boundingBox())!;
      const alert = (await page.getByRole('button', { name: 'Price alert' }).boundingBox())!;
      expect(figures.x + figures.width).toBeLessThanOrEqual(alert.x);
    }
  });

  test('a selected tab is in view on a small screen, and controls are next to the tabs', async () => {
    const page = await site.share({ as: 'alice', width: 1024, height: 768 });
    await page.goto('/trade/BTC-USDT');
    for (const name of ['Balances', 'Ledger', 'Fills', 'Order history', 'Open orders']) {
      const tab = page.locator('.orders').getByRole('tab', { name });
      await tab.dispatchEvent('click');
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      );
      const [box, list] = await Promise.all([
        tab.boundingBox(),
        page.locator('.orders [role="tablist"]').boundingBox(),
      ]);
      expect(box!.x).toBeGreaterThanOrEqual(list!.x);
      expect(box!.x + box!.width).toBeLessThanOrEqual(list!.x + list!.width + 1);
      expect(await coveredElements(page, '.orders-aside :is(button, input)')).toEqual([]);
    }
  });

  test('a tall book fills its box with larger rows, and a small one has twelve a side', async () => {
    await order('bob', { side: 'sell', amount: 0.5, price: 118_000 });
    await order('bob', { side: 'buy', amount: 0.5, price: 117_000 });
    for (const [width, height, rowPx] of [
      [1920, 1080, 23],
      [1280, 720, 19],
    ] as const) {
      const page = await site.share({ as: 'alice', width, height });
      await page.goto('/trade/BTC-USDT');
      await page.locator('.bids tr', { hasText: '117,000' }).waitFor();
      expect(await page.locator('.bids tr').count()).toBeGreaterThanOrEqual(12);
      const row = (await page.locator('.bids tr').first().boundingBox())!;
      expect(row.height).toBeGreaterThanOrEqual(rowPx);
      const [box, last] = await Promise.all([
        page.locator('.book-box').boundingBox(),
        page.locator('.bids tr').last().boundingBox(),
      ]);
      const gap = box!.y + box!.height - last!.y - last!.height;
      expect(gap).toBeGreaterThanOrEqual(-1);
      expect(gap).toBeLessThan(2);
    }
  });

  test('the market list shows whole volumes, and a badge for a halted market', async () => {
    const page = await site.share({});
    await page.goto('/trade/BTC-USDT');
    const status = (value: string) =>
      site.send('operator', 'PATCH', '/api/admin/markets', { symbol: 'SOL/USDT', status: value });
    await status('halted');
    const halted = page.locator('.markets li', { hasText: 'SOL/USDT' });
    await halted.locator('.badge', { hasText: 'Halted' }).waitFor();
    const cut = await page
      .locator('.markets .market-volume')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
    expect(cut).toBe(0);
    expect(await cutTexts(page, '.markets .market-volume > :not(.market-name)')).toEqual([]);
    await status('online');
  });

  test('balances show value, average cost and unrealized profit, rounded', async () => {
    await order('bob', { side: 'sell', amount: 0.3, price: 117_500.25 });
    await order('alice', { side: 'buy', amount: 0.3, price: 117_500.25 });
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.getByRole('tab', { name: 'Balances' }).click();
    const row = page
      .locator('.orders tbody tr')
      .filter({ has: page.getByText('BTC', { exact: true }) });
    await row.locator('.col-value', { hasText: /^[\d,]+\.\d\d$/ }).waitFor();
    await row.locator('.col-cost [title]').waitFor();
    await row
      .locator('.col-unrealized', { hasText: /^[+−]?[\d,]+\.\d\d \([+−]?[\d.,]+%\)$/ })
      .waitFor();
    expect(await row.locator('.col-unrealized [title]').getAttribute('title')).toMatch(/ USDT$/);
    expect(await cutTexts(page, '.orders td')).toEqual([]);
    expect(await coveredElements(page, '.orders td')).toEqual([]);
    expect(await axeFindings(page, '.orders')).toEqual([]);
  });

  test('the dot of an own order shows its amount, and the row still picks its price', async () => {
    await order('alice', { side: 'buy', amount: 0.25, price: 116_000 });
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    const row = page.locator('.bids tr.own', { hasText: '116,000' });
    await row.waitFor();
    // The dot is outside the button, in the cell.
    expect(await row.locator('td').first().getAttribute('title')).toStartWith(
      'Your open orders: 0.25',
    );
    await row.locator('.amount').click();
    expect(await page.inputValue('input[name=price]')).toBe('116,000');
  });

  test('the pseudo-locale finds no English text and no overlap in the tables', async () => {
    await placeOpenOrders();
    const page = await site.share({ as: 'alice' });
    await page.goto('/trade/BTC-USDT');
    await page.evaluate(`localStorage.setItem('buttonwood-language', 'en-XA')`);
    await page.reload();
    await page.locator('.orders tbody tr .conditions').first().waitFor();
    const english = await page.evaluate<string[]>(`
      [...document.querySelectorAll('.orders :is(th, .side-name, .cell-link, [role=tab]), .book-table th, .market-sorts button')]
        .map((each) => each.textContent)
        .filter((text) => text !== '' && !text.startsWith('['))`);
    expect(english).toEqual([]);
    await page.locator('.conditions', { hasText: '[Póšt-óñlý' }).waitFor();
    expect(await cutTexts(page, '.book-table th, .orders th')).toEqual([]);
    expect(await coveredElements(page, '.orders tbody tr:first-child .actions button')).toEqual([]);
  });

  test('a narrow book shows the spread as a price before its word, and before the percentage', async () => {
    const page = await site.share({ width: 1280, height: 720 });
    await page.goto('/trade/BTC-USDT');
    const text = page.locator('.spread-text');
    await text.waitFor();
    const cell = page.locator('.spread');
    for (const [width, parts] of [
      ['300px', [true, true, true]],
      ['240px', [false, true, true]],
      ['170px', [false, true, false]],
    ] as const) {
      await cell.evaluate(setWidth, width);
      expect(await page.evaluate<boolean[]>(SPREAD_PARTS)).toEqual([...parts]);
    }
    expect(await text.getAttribute('title')).toMatch(/^Spread [\d.,]+ \([\d.]+%\)$/);
  });

  test('visitors get the space of the orders, and a call to sign in in one row below the chart', async () => {
    for (const [width, height] of [
      [1440, 900],
      [1920, 1080],
      [1280, 720],
    ] as const) {
      const page = await site.share({ width, height });
      await page.goto('/trade/BTC-USDT');
      const call = page.locator('.orders').getByRole('link', { name: 'Sign in' });
      await call.waitFor();
      const chart = (await page.locator('.trade > .chart').boundingBox())!;
      expect(chart.y + chart.height).toBeGreaterThan(height - 60);
      const [form, orders] = await Promise.all([
        page.locator('.trade > .order-form').boundingBox(),
        page.locator('.trade > .orders').boundingBox(),
      ]);
      expect(orders!.x + orders!.width).toBeLessThanOrEqual(form!.x);
      expect(orders!.height).toBeLessThan(60);
      const [button, line] = await Promise.all([
        page.getByRole('link', { name: 'Sign in to trade' }).boundingBox(),
        page.locator('.form-details').boundingBox(),
      ]);
      expect(line!.y - button!.y - button!.height).toBeCloseTo(16);
    }
    const page = await site.share({ width: 1440, height: 900 });
    // Open from the beginning, since there is space for them.
    for (const [width, height] of [
      [1440, 900],
      [1440, 800],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.getByText('Tick size').waitFor();
      const form = page.locator('.order-form');
      expect(await form.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
    }
    await page.setViewportSize({ width: 1440, height: 720 });
    await page.getByText('Tick size').waitFor({ state: 'hidden' });
    await page.getByText('Fees and trading rules').click();
    await page.getByText('Tick size').waitFor();
    expect(await page.getByLabel('Confirm before sending').count()).toBe(0);
    await page.getByTitle('Sign in to use your balance').waitFor();
  });

  test('a wide panel shares its width among all columns, and titles have units in both lists', async () => {
    await placeOpenOrders();
    const page = await site.share({ as: 'alice', width: 1920, height: 1080 });
    await page.goto('/trade/BTC-USDT');
    const cell = page.locator('.orders td.col-conditions').first();
    await cell.waitFor();
    const [conditions, panel] = await Promise.all([
      cell.boundingBox(),
      page.locator('.orders').boundingBox(),
    ]);
    expect(conditions!.x - panel!.x).toBeGreaterThan(panel!.width * 0.6);
    for (const width of [1920, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const titles = page.locator('.tape th .unit-title');
      const isShown = await titles.evaluateAll((all) =>
        all.slice(0, 2).map((each) => each.scrollHeight <= each.clientHeight + 1),
      );
      expect(isShown).toEqual([true, true]);
    }
    const volume = page.locator('.markets a', { hasText: 'ETH/BTC' }).locator('.market-volume');
    expect(await volume.innerText()).toEndWith(' BTC');
    expect(await volume.locator('[title]').getAttribute('title')).toEndWith(' BTC');
  });

  test('the headings have the units of all rows; rows in several assets have their own', async () => {
    await placeOpenOrders();
    const page = await site.share({ as: 'alice', width: 1440, height: 900 });
    await page.goto('/trade/BTC-USDT');
    await page.getByRole('tab', { name: /Open orders/ }).click();
    const head = page.locator('.orders thead');
    const rows = page.locator('.orders tbody tr');
    const read = (row: Locator, column: string) => row.locator(`td.col-${column}`).innerText();
    const stop = rows.filter({ hasText: '81,234.56' });
    await head.getByText('Amount (BTC)').waitFor();
    await head.getByText('Total (USDT)').waitFor();
    expect(await read(stop, 'amount')).toBe('0.5');
    expect(await read(stop, 'total')).toBe('≈ 40,617.28');
    await order('alice', { symbol: 'ETH/USDT', side: 'buy', amount: 0.7, price: 1234.5 });
    const ether = rows.filter({ hasText: 'ETH/USDT' });
    await ether.waitFor();
    await head.getByText('Total (USDT)').waitFor();
    expect(await head.locator('.col-amount').innerText()).toBe('Amount');
    expect(await read(stop, 'amount')).toBe('0.5 BTC');
    expect(await read(ether, 'amount')).toBe('0.7 ETH');
    expect(await read(ether, 'total')).toBe('864.15');
    expect(await cutTexts(page, '.orders :is(td, th)')).toEqual([]);
    // Narrow panels have the units in tooltips alone.
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(await read(ether, 'amount')).toBe('0.7');
    const amount = ether.locator('td.col-amount [title]');
    expect(await amount.getAttribute('title')).toBe('0.7 ETH');
  });
});

describePages([panels]);

/** Runs in the page. */
function setWidth(element: { style: { width: string } }, width: string): void {
  element.style.width = width;
}
