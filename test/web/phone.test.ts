import { beforeEach, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const SIZES = [
  [390, 844],
  [360, 640],
  [844, 390],
] as const;
const VIEWS = { Chart: '.chart', Book: '.book', Trades: '.tape', Orders: '.orders' } as const;
/** Maximum difference of two edges that meet. */
const BORDER_PX = 1.5;

const phone = suite('on a phone', (site) => {
  const open = async (look: { as?: string; width?: number; height?: number } = {}) => {
    const page = await site.open({ as: 'alice', width: 390, height: 844, isPhone: true, ...look });
    await page.goto('/trade/BTC-USDT');
    await page.locator('[data-ready="true"]').waitFor({ state: 'attached' });
    return page;
  };
  /** Resting orders at 117,000 and 118,000, and none of Alice. */
  let isQuoted = false;
  beforeEach(async () => {
    await site.send('alice', 'DELETE', '/api/orders?symbol=BTC/USDT');
    if (isQuoted) return;
    isQuoted = true;
    await rest('sell', 118_000);
    await rest('buy', 117_000);
  });
  const rest = (side: string, price: number) =>
    site.send('bob', 'POST', '/api/orders', {
      symbol: 'BTC/USDT',
      side,
      type: 'limit',
      amount: 0.5,
      price,
    });

  test.each(SIZES)(
    'each view ends at the bar, and nothing is cut: %d × %d',
    async (width, height) => {
      const page = await open({ width, height });
      for (const [name, selector] of Object.entries(VIEWS)) {
        await showView(page, name);
        const view = await box(page, selector);
        const bar = await box(page, '.phone-bar');
        expect(Math.abs(view.y + view.height - bar.y)).toBeLessThan(BORDER_PX);
        expect(Math.abs(bar.y + bar.height - height)).toBeLessThan(BORDER_PX);
        expect(await scrollSize(page)).toEqual([width, height]);
      }
      // Texts of the ticker that are wider than their boxes, or outside of the ticker.
      const cut =
        await page.evaluate(`[...document.querySelectorAll('.ticker :is(h1, .last, dt, dd)')]
      .filter((each) => each.checkVisibility() && !each.matches('.visually-hidden'))
      .filter((each) => getComputedStyle(each).clipPath === 'none')
      .filter((each) => each.scrollWidth > each.clientWidth + 1 ||
        each.getBoundingClientRect().right > innerWidth)
      .map((each) => each.textContent)`);
      expect(cut).toEqual([]);
      const { height: tickerHeight } = await box(page, '.ticker');
      expect(tickerHeight).toBeLessThan(height < 500 ? 48 : 100);
      if (height < 500) {
        await showView(page, 'Chart');
        expect((await box(page, '.canvas')).height).toBeGreaterThan(110);
      }
    },
  );

  test.each([
    [640, 360],
    [844, 390],
  ])('on its side, bids and asks are next to each other: %d × %d', async (width, height) => {
    const prices = (side: 'bids' | 'asks') =>
      page.locator(`.${side} .price button:enabled`).allTextContents();
    const placed: string[] = [];
    for (const [side, step] of [
      ['sell', 100],
      ['buy', -100],
    ] as const)
      for (let level = 1; level <= 7; level++) {
        const price = (side === 'sell' ? 118_000 : 117_000) + level * step;
        placed.push((await rest(side, price)).json.data.orderId);
      }
    const page = await open({ width, height });
    await showView(page, 'Book');
    await page.locator('.bids tr', { hasText: '117,000' }).waitFor();
    // The best prices are at the top of both columns.
    const [bids, asks] = [await prices('bids'), await prices('asks')];
    expect(bids.length).toBeGreaterThanOrEqual(6);
    expect(bids.slice(0, 6)).toEqual([
      '117,000',
      '116,900',
      '116,800',
      '116,700',
      '116,600',
      '116,500',
    ]);
    expect(asks.slice(0, 6)).toEqual([
      '118,000',
      '118,100',
      '118,200',
      '118,300',
      '118,400',
      '118,500',
    ]);
    const [view, left, right, last] = [
      await box(page, '.book-box'),
      await box(page, '.bids'),
      await box(page, '.asks'),
      await box(page, '.bids tr:nth-child(6)'),
    ];
    expect(Math.abs(left.x + left.width - right.x)).toBeLessThan(BORDER_PX);
    expect(Math.abs(left.y - right.y)).toBeLessThan(BORDER_PX);
    expect(last.y + last.height).toBeLessThanOrEqual(view.y + view.height);
    expect(await axeFindings(page, '.book')).toEqual([]);
    await page.locator('.asks tr').nth(1).tap();
    expect(await page.inputValue('input[name=price]')).toBe('118,100');
    // Upright, the best ask is next to the spread again.
    await page.setViewportSize({ width: height, height: width });
    await page.locator('.side-by-side').waitFor({ state: 'detached' });
    await page.locator('.asks tr:last-child', { hasText: '118,000' }).waitFor();
    await site.send('bob', 'DELETE', `/api/orders?ids=${placed.join()}`);
  });

  test('a swipe changes the view and does not leave the page', async () => {
    const page = await site.open({ as: 'alice', width: 390, height: 844, isPhone: true });
    await page.goto('/portfolio');
    await page.goto('/trade/BTC-USDT');
    await page.locator('[data-ready="true"]').waitFor({ state: 'attached' });
    await showView(page, 'Orders');
    await swipe(page, [40, 400], [340, 410]);
    await page.locator('.trade.view-tape').waitFor();
    await swipe(page, [40, 400], [340, 410]);
    await swipe(page, [40, 130], [340, 130]);
    await page.locator('.trade.view-chart').waitFor();
    // There is no view before the chart.
    await swipe(page, [40, 130], [340, 130]);
    await Bun.sleep(500);
    expect(new URL(page.url()).pathname).toBe('/trade/BTC-USDT');
    await swipe(page, [340, 130], [40, 130]);
    await page.locator('.trade.view-book').waitFor();
  });

  test('the view is kept over a reload', async () => {
    const page = await open();
    await showView(page, 'Book');
    await page.reload();
    await page.locator('.trade.view-book').waitFor();
    await page.locator('.bids tr', { hasText: '117,000' }).waitFor();
  });

  test('the order form closes by its button, a drag, Back and Escape', async () => {
    const page = await open();
    const form = page.locator('.order-form');
    const buy = page.locator('.phone-trade button').first();
    await buy.tap();
    await form.waitFor();
    await form.getByRole('button', { name: 'Close' }).tap();
    await form.waitFor({ state: 'hidden' });
    await buy.tap();
    await form.waitFor();
    const head = await box(page, '.sheet-head');
    await swipe(page, [195, head.y + 10], [200, head.y + 200]);
    await form.waitFor({ state: 'hidden' });
    await buy.tap();
    await form.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    await buy.tap();
    await form.waitFor();
    await page.goBack();
    await form.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/trade/BTC-USDT');
    // A short drag and a scroll of the content leave it open.
    await buy.tap();
    await form.waitFor();
    await swipe(page, [195, head.y + 10], [195, head.y + 40]);
    await swipe(page, [20, 700], [20, 500]);
    expect(await form.isVisible()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    // Safari zooms into smaller text.
    const sizes = await page.evaluate(
      `[...document.querySelectorAll('.order-form :is(input[inputmode], select)')]
        .filter((each) => each.checkVisibility())
        .map((each) => parseFloat(getComputedStyle(each).fontSize))`,
    );
    expect(Math.min(...(sizes as number[]))).toBe(16);
  });

  test('Buy and Sell open the form with a price of now, except one picked in the book', async () => {
    const page = await open();
    const form = page.locator('.order-form');
    const close = async () => {
      await form.getByRole('button', { name: 'Close' }).tap();
      await form.waitFor({ state: 'hidden' });
    };
    const price = page.getByLabel('Limit price');
    const [buy, sell] = ['Buy BTC', 'Sell BTC'].map((name) =>
      page.locator('.phone-trade').getByRole('button', { name }),
    );
    await buy!.tap();
    expect(await price.inputValue()).toBe('117,000.00');
    await price.fill('50000');
    await page.fill('input[name=amount]', '0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).tap();
    await page.getByText(/Placed in \d+ ms/).waitFor();
    await close();
    await sell!.tap();
    expect(await price.inputValue()).toBe('118,000.00');
    expect(await page.getByText(/Placed in \d+ ms/).count()).toBe(0);
    await close();
    await showView(page, 'Book');
    await page.locator('.bids tr', { hasText: '117,000' }).tap();
    expect(await price.inputValue()).toBe('117,000');
    await close();
    await sell!.tap();
    expect(await price.inputValue()).toBe('117,000');
  });

  test('Buy and Sell are dimmed while the connection is lost', async () => {
    const page = await site.open({ as: 'alice', width: 390, height: 844, isPhone: true });
    const cut = await cutConnections(page);
    await page.goto('/trade/BTC-USDT');
    await page.locator('.connection.live').waitFor();
    const buy = page.locator('.phone-trade').getByRole('button', { name: 'Buy BTC' });
    expect(await buy.getAttribute('aria-disabled')).toBe('false');
    cut();
    await page.locator('.phone-trade [aria-disabled="true"]').first().waitFor();
    expect(await axeFindings(page, '.phone-bar')).toEqual([]);
    await buy.dispatchEvent('click');
    await page.locator('.toast', { hasText: 'Connection lost' }).waitFor();
    expect(await page.locator('.order-form').isVisible()).toBe(false);
  });

  test.each([390, 360])('orders are two lines with their buttons at %d px', async (width) => {
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.25 };
    for (const price of [116_000, 115_000])
      await site.send('alice', 'POST', '/api/orders', { ...order, price });
    const page = await open({ width });
    await showView(page, 'Orders');
    const cards = page.locator('.order-card');
    await cards.nth(1).waitFor();
    const { height } = (await cards.first().boundingBox())!;
    expect(height).toBeLessThan(64);
    const view = page.locator('.views').getByRole('button', { name: 'Orders', exact: true });
    expect(await view.locator('.count').innerText()).toBe(`${await cards.count()}`);
    expect(await view.getAttribute('title')).toBe(`${await cards.count()} open orders`);
    expect(await axeFindings(page, '.views')).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    const text = await cards.first().locator('.card-body').innerText();
    expect(text.replaceAll(/\s+/g, ' ')).toBe(
      '↑ Buy BTC/USDT Limit · 115,000.00 0 of 0.25 BTC filled GTC',
    );
    await cards.first().locator('.card-body').tap();
    const details = page.getByRole('dialog', { name: 'Order details' });
    await details.getByText('115,000.00 USDT').waitFor();
    expect(await smallTargets(page)).toEqual([]);
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await axeFindings(page, '.orders')).toEqual([]);
    const named = (what: string) => page.getByRole('button', { name: `${what} buy 0.25` });
    await named('Amend').first().tap();
    await page.getByRole('dialog', { name: 'Amend order' }).waitFor();
    await page.keyboard.press('Escape');
    await named('Cancel').first().tap();
    await cards.nth(1).waitFor({ state: 'detached' });
    await site.send('alice', 'DELETE', '/api/orders?symbol=BTC/USDT');
    await page.getByRole('tab', { name: 'Order history' }).tap();
    await cards.first().getByText('Canceled').first().waitFor();
    expect((await cards.first().boundingBox())!.height).toBeLessThan(64);
    expect(await axeFindings(page, '.orders')).toEqual([]);
  });

  test.each([390, 360])(
    'filled orders and fills are two lines with their prices at %d px',
    async (width) => {
      const order = { symbol: 'ETH/USDT', type: 'limit', amount: 0.2 };
      await site.send('bob', 'POST', '/api/orders', { ...order, side: 'sell', price: 5000.25 });
      await site.send('alice', 'POST', '/api/orders', { ...order, side: 'buy', price: 5010 });
      const page = await open({ width });
      await showView(page, 'Orders');
      const card = page.locator('.order-card', { hasText: 'ETH/USDT' }).first();
      const read = async () => (await card.innerText()).replaceAll(/\s+/g, ' ');
      await page.getByRole('tab', { name: 'Order history' }).tap();
      await card.getByText('0.2 of 0.2 ETH filled at 5,000.25').waitFor();
      await page.getByRole('tab', { name: 'Fills' }).tap();
      await card.getByText('0.2 ETH at 5,000.25').waitFor();
      expect(await read()).toMatch(
        /^↑ Buy ETH\/USDT 0.2 ETH at 5,000.25 1,000.05 USDT Fee 0.0002 ETH Taker \d\d:\d\d:\d\d$/,
      );
      expect((await card.boundingBox())!.height).toBeLessThan(64);
      expect(await smallTargets(page)).toEqual([]);
      expect(await axeFindings(page, '.orders')).toEqual([]);
      await card.tap();
      await page.getByRole('dialog', { name: 'Order details' }).waitFor();
    },
  );

  test('a low phone shows the tools of the chart by a button below its price axis', async () => {
    const page = await open({ width: 360, height: 640 });
    const tools = page.locator('.chart-rail');
    await page.locator('.canvas canvas').first().waitFor();
    expect(await tools.isVisible()).toBe(false);
    // The chart is high enough to show the values of the last candle.
    await page.locator('.canvas:not(.low-chart)').waitFor();
    const toggle = page.getByRole('button', { name: 'Chart tools' });
    const { width, height } = (await toggle.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await toggle.tap();
    await tools.getByRole('button', { name: 'Trend line' }).waitFor();
    const shown = (await tools.getByRole('button').all()).map((each) => each.boundingBox());
    const widths = (await Promise.all(shown)).map((box) => Math.round(box!.width));
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
    expect(await smallTargets(page)).toEqual([]);
    expect(await axeFindings(page, '.chart')).toEqual([]);
    await toggle.tap();
    await tools.waitFor({ state: 'hidden' });
    expect(await page.locator('.attribution').isVisible()).toBe(true);
  });

  test('German users type and see decimal commas', async () => {
    const page = await site.open({ as: 'alice', width: 390, height: 844, isPhone: true });
    await page.addInitScript(`localStorage.setItem('buttonwood-language', 'de')`);
    await page.goto('/trade/BTC-USDT');
    await page.locator('[data-ready="true"]').waitFor({ state: 'attached' });
    await page.locator('.phone-trade button').first().tap();
    const input = (name: string) => page.locator(`.order-form input[name=${name}]`);
    expect(await input('price').inputValue()).toBe('117.000,00');
    await input('price').fill('50000,5');
    await input('amount').fill('0,05');
    expect(await input('total').inputValue()).toBe('2.500,025');
    await input('total').fill('1.000,01');
    expect(await input('amount').inputValue()).toBe('0,02');
    await input('amount').fill('1.234');
    await input('amount').blur();
    await page.getByText(/^1\.234 .* 1234 .* 1,234/).waitFor();
    await input('amount').fill('0,02');
    await page.locator('.order-form .submit').tap();
    await page.locator('.toast.success').first().waitFor();
    await page.goBack();
    await page.locator('.views button').last().tap();
    await page.locator('.order-card', { hasText: 'Limit · 50.000,50' }).waitFor();
    await page.locator('.order-card', { hasText: /0 \S+ 0,02 BTC/ }).waitFor();
    await site.send('alice', 'DELETE', '/api/orders?symbol=BTC/USDT');
  });

  test.each([360, 390])('the page is marked as a demo at %d px', async (width) => {
    const page = await open({ width, height: 640 });
    const badge = page.locator('.badge.sandbox');
    await badge.waitFor();
    const [clipPath, fontSize] = await page.evaluate<[string, string]>(`{
      const { clipPath, fontSize } = getComputedStyle(document.querySelector('.badge.sandbox'));
      [clipPath, fontSize];
    }`);
    expect(clipPath).toBe('none');
    expect(Number.parseFloat(fontSize)).toBeGreaterThanOrEqual(10);
  });

  test.each([360, 390])('the header leads visitors to sign-up at %d px', async (width) => {
    const page = await site.open({ width, height: 640, isPhone: true });
    for (const path of ['/', '/trade/BTC-USDT', '/docs', '/status']) {
      await page.goto(path);
      const link = page.locator('.top').getByRole('link', { name: 'Sign up' });
      await link.waitFor();
      const box = (await link.boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(
        await page.evaluate(
          "getComputedStyle(document.querySelector('.top .primary')).paddingLeft",
        ),
      ).toBe('10px');
      const shown = page.locator('.top nav a:visible');
      expect(await shown.allInnerTexts()).toEqual(['Trade']);
      const menu = page.locator('.top nav').getByRole('button', { name: 'More' });
      await menu.tap();
      expect(await shown.allInnerTexts()).toEqual(['Trade', 'API', 'Status']);
      const current = page.locator('.top nav a[aria-current="page"]:visible');
      const names = { '/': [], '/docs': ['API'], '/status': ['Status'] }[path] ?? ['Trade'];
      expect(await current.allInnerTexts()).toEqual(names);
      // The line below the menu marks it while it is closed.
      const isInMenu = path === '/docs' || path === '/status';
      expect(await page.locator('.top nav .menu:has(.current)').count()).toBe(isInMenu ? 1 : 0);
      const list = (await page.locator('#more-links').boundingBox())!;
      expect(list.x).toBeGreaterThanOrEqual(0);
      expect(list.x + list.width).toBeLessThanOrEqual(width);
    }
    await page.locator('#more-links').getByRole('link', { name: 'API' }).tap();
    await page.waitForURL('**/docs');
  });

  test('operators have the same links in the header of every page', async () => {
    const page = await site.open({ as: 'operator', width: 360, height: 640, isPhone: true });
    for (const [path, isMarked] of [
      ['/trade/BTC-USDT', false],
      ['/portfolio', true],
      ['/deposit', true],
      ['/withdraw', true],
      ['/accounts', true],
      ['/operator', true],
    ] as const) {
      await page.goto(path);
      await page.locator('.bell').waitFor();
      const shown = page.locator('.top nav a:visible');
      expect(await shown.allInnerTexts()).toEqual(['Trade']);
      expect(await page.evaluate<string[]>(CUT_LINKS)).toEqual([]);
      expect(await page.evaluate<string[]>(WIDE_ELEMENTS)).toEqual([]);
      const more = page.locator('.top nav').getByRole('button', { name: 'More' });
      expect([path, (await more.getAttribute('class'))!.split(' ').includes('current')]).toEqual([
        path,
        isMarked,
      ]);
      await more.tap();
      expect(await shown.allInnerTexts()).toEqual(['Trade', 'Portfolio', 'Operator']);
    }
  });

  test.each(['de', 'es', 'ja', 'zh'])('no link of the header is cut in %s', async (language) => {
    const page = await site.open({ width: 360, height: 640, isPhone: true, language });
    for (const path of ['/', '/docs', '/status']) {
      await page.goto(path);
      await page.locator('.top .primary').waitFor();
      await page.evaluate('document.fonts.ready.then(() => true)');
      expect(await page.evaluate<string[]>(CUT_LINKS)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 640 });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.connection.live').waitFor();
    await page.locator('.top .primary').waitFor();
    await page.evaluate('document.fonts.ready.then(() => true)');
    expect(await page.evaluate<string[]>(CUT_LINKS)).toEqual([]);
  });

  test.each([390, 360])('longer texts fit at %d px', async (width) => {
    const page = await site.open({ as: 'alice', width, height: 844, isPhone: true });
    await page.addInitScript(`localStorage.setItem('buttonwood-language', 'en-XA')`);
    const found: string[] = [];
    const check = async (name: string) => {
      // Waits until the page shows its texts.
      await page.locator('h1, h2').first().waitFor({ state: 'attached' });
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      const wide = await page.evaluate<string[]>(WIDE_ELEMENTS);
      if (wide.length > 0) found.push(`${name}: ${wide.join(', ')}`);
    };
    for (const path of ['/', '/portfolio', '/settings', '/status', '/docs', '/trade/BTC-USDT']) {
      await page.goto(path);
      await page.locator('#main').waitFor();
      await page.waitForLoadState('networkidle');
      await check(path);
    }
    const views = page.locator('.views button');
    for (const index of [0, 1, 2, 3]) {
      await views.nth(index).tap();
      await check(`view ${index}`);
    }
    await page.locator('.phone-trade button').first().tap();
    await page.locator('.order-form').waitFor();
    await check('order form');
    expect(found).toEqual([]);
    const overlaps = await page.evaluate(`{
      const boxes = [...document.querySelectorAll('.ticker :is(h1, .last, .alert-button svg, dl > div)')]
        .filter((each) => each.checkVisibility())
        .map((each) => [each.textContent, each.getBoundingClientRect()]);
      boxes.flatMap(([a, one], index) => boxes.slice(index + 1)
        .filter(([, other]) => one.left < other.right - 1 && other.left < one.right - 1 &&
          one.top < other.bottom - 1 && other.top < one.bottom - 1)
        .map(([b]) => a + ' | ' + b));
    }`);
    expect(overlaps).toEqual([]);
  });

  test('controls are large enough for a finger', async () => {
    const page = await open();
    for (const name of Object.keys(VIEWS)) {
      await showView(page, name);
      expect([name, await smallTargets(page)]).toEqual([name, []]);
    }
    await page.locator('.phone-trade button').first().tap();
    expect(await smallTargets(page)).toEqual([]);
  });

  test('the rows of the book are high enough for a finger', async () => {
    const page = await open();
    await showView(page, 'Book');
    for (const side of ['.asks', '.bids']) {
      const { height } = await box(page, `.book ${side} tr:has(button:enabled)`);
      expect(height).toBeGreaterThanOrEqual(26);
    }
  });

  test('on its side the order form shows the side next to the type, without scrolling', async () => {
    const page = await open({ width: 844, height: 390 });
    await page.locator('.phone-trade button').first().tap();
    for (const part of ['.sides', '.type-row', '.available', '.parts', '.submit']) {
      const { y, height } = await box(page, `.order-form ${part}`);
      expect([part, y >= 0, y + height <= 390]).toEqual([part, true, true]);
    }
  });
});

describePages([phone]);

async function showView(page: Page, name: string): Promise<void> {
  await page.locator('.views').getByRole('button', { name, exact: true }).tap();
}

async function box(page: Page, selector: string) {
  return (await page.locator(selector).first().boundingBox())!;
}

function scrollSize(page: Page): Promise<[number, number]> {
  return page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
  );
}

/** Returns the buttons of the panels and bars that are lower than 40 px, except the rows of the book and the foot of the chart. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.trade :is(button, select, [role=tab])')]
    .filter((each) => each.checkVisibility() && each.closest('[inert], .asks, .bids, .sheet-backdrop, .chart-foot') === null)
    .filter((each) => each.getBoundingClientRect().height < 40)
    .map((each) => each.ariaLabel ?? each.textContent)`);
}

/** Returns the texts of the header's links that are cut; runs in the page. */
const CUT_LINKS = `[...document.querySelectorAll('.top nav a')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.textContent)`;

/** Elements outside of the window, if the page is wider than it. */
const WIDE_ELEMENTS = `[document.documentElement, document.getElementById('app')]
  .every((each) => each.scrollWidth <= Math.min(screen.width, each.clientWidth)) ? [] :
  [document.documentElement.scrollWidth + ' px', ...[...document.querySelectorAll('body *')]
    .filter((each) => each.getBoundingClientRect().right > screen.width + 1)
    .slice(0, 8)
    .map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 20))]`;

type Point = readonly [x: number, y: number];

/** Moves a finger over the page, by events of the browser itself. */
async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: Point | undefined) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at === undefined ? [] : [{ x: at[0], y: at[1] }],
    });
  await send('touchStart', from);
  const steps = 12;
  for (let step = 1; step <= steps; step++) {
    const share = step / steps;
    await send('touchMove', [
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
    ]);
  }
  // Without a rest the browser would take the next tap for one that stops a fling.
  await Bun.sleep(150);
  await send('touchMove', to);
  await send('touchEnd', undefined);
  await session.detach();
}

/** Returns a function that ends the streams of the page, and lets none begin again. */
async function cutConnections(page: Page): Promise<() => void> {
  const sockets: { close(): Promise<void> }[] = [];
  let isCut = false;
  await page.routeWebSocket('**/ws*', (socket) => {
    if (isCut) {
      void socket.close({ code: 1001 });
      return;
    }
    socket.connectToServer();
    sockets.push({ close: () => socket.close({ code: 1001 }) });
  });
  return () => {
    isCut = true;
    for (const socket of sockets) void socket.close();
  };
}
