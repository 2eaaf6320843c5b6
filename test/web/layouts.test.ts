import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const layouts = suite('layouts', (site) => {
  /** Opens the trading page. */
  const open = async (width = 1440): Promise<Page> => {
    const page = await site.share({ as: 'alice', width });
    await page.goto('/trade/BTC-USDT');
    await page.locator('.connection.live').waitFor();
    return page;
  };
  const choose = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Layout', exact: true }).click();
    await page.getByRole('button', { name, exact: true }).click();
  };
  const left = async (page: Page, panel: string) =>
    (await page.locator(`.trade > .${panel}`).boundingBox())!.x;

  test('presets place and hide panels, and are kept', async () => {
    const page = await open();
    await choose(page, 'Large chart');
    await page.locator('.trade > .book').waitFor({ state: 'hidden' });
    const chart = (await page.locator('.trade > .chart').boundingBox())!;
    expect(chart.width).toBeGreaterThan(1000);
    await page.reload();
    await page.locator('.trade.custom > .chart').waitFor();
    await page.locator('.trade > .book').waitFor({ state: 'hidden' });
    await choose(page, 'Standard');
    await page.locator('.trade > .book').waitFor();
  });

  test('panels are swapped and resized with the pointer, and saved under a name', async () => {
    const page = await open();
    await choose(page, 'Edit layout…');
    const [book, chart] = [page.locator('[gs-id=book]'), page.locator('[gs-id=chart]')];
    await drag(page, (await book.boundingBox())!, (await chart.boundingBox())!);
    const swapped = page.locator('[gs-id=chart][aria-label^="Chart: column 15, row 1, 5 wide"]');
    await swapped.waitFor();
    expect(await left(page, 'book')).toBeLessThan(await left(page, 'chart'));
    const edge = (await page.locator('[gs-id=book] .ui-resizable-w').boundingBox())!;
    await drag(page, edge, { ...edge, x: edge.x + 120 });
    await page.locator('[gs-id=book][aria-label*="column 7"]').waitFor();
    await page.getByLabel('Name').fill('Two books');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.layout-editor').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.trade.custom').waitFor();
    expect(await left(page, 'book')).toBeLessThan(await left(page, 'chart'));
    await choose(page, 'Standard');
    await choose(page, 'Two books');
    await page.locator('.trade.custom').waitFor();
    await page.getByRole('button', { name: 'Layout', exact: true }).click();
    await page.getByRole('button', { name: 'Delete layout Two books' }).click();
    await page.locator('.trade.custom').waitFor({ state: 'detached' });
    expect(await left(page, 'chart')).toBeLessThan(await left(page, 'book'));
  });

  test('the keyboard alone moves, resizes, hides and shows panels; Cancel changes nothing', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Layout', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit layout…' }).focus();
    await page.keyboard.press('Enter');
    // The first panel has the focus at once; the others follow in the order of their places.
    await page.locator('[gs-id=markets]:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.locator('[gs-id=chart]:focus').waitFor();
    expect(await axeFindings(page, 'main')).toEqual([]);
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowUp');
    await page.locator('[gs-id=chart][aria-label$="9 wide, 16 high"]').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('[gs-id=chart][aria-label*="column 6, row 1"]').waitFor();
    await page.locator('[gs-id=tape]').focus();
    await page.keyboard.press('Delete');
    await page.locator('.trade > .tape').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: '+ Trades' }).press('Enter');
    await page.locator('.trade > .tape').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await page.locator('.trade.custom').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Layout');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit layout…' }).press('Enter');
    await page.locator('[gs-id=markets]:focus').press('Escape');
    await page.locator('.layout-editor').waitFor({ state: 'detached' });
  });

  test('amounts of trades are not cut in a narrow panel', async () => {
    const sell = {
      symbol: 'BTC/USDT',
      type: 'limit',
      side: 'sell',
      price: 118_000,
      amount: 0.12345,
    };
    await site.send('bob', 'POST', '/api/orders', sell);
    await site.send('alice', 'POST', '/api/orders', { ...sell, side: 'buy' });
    const page = await open(1280);
    await choose(page, 'Price ladder');
    const amount = page.locator('.tape tbody tr').first().locator('td').nth(1);
    await amount.filter({ hasText: '0.12345' }).waitFor();
    const cut = `(() => { const { scrollWidth, clientWidth } = document.querySelector('.tape tbody td:nth-child(2) .cell-text'); return scrollWidth - clientWidth; })()`;
    expect(await page.evaluate(cut)).toBeLessThanOrEqual(0);
    await page.locator('.tape tbody td.time').first().waitFor({ state: 'hidden' });
    await choose(page, 'Standard');
  });

  test('a window without space for layouts shows the standard one', async () => {
    const page = await open();
    await choose(page, 'Large chart');
    await page.locator('.trade.custom').waitFor();
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.locator('.trade:not(.custom) > .book').waitFor();
    expect(await page.getByRole('button', { name: 'Layout', exact: true }).count()).toBe(0);
  });
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Drags from above the middle of a box to the middle of another, in steps as a hand does. */
async function drag(page: Page, from: Box, to: Box): Promise<void> {
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 3);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 3, { steps: 10 });
  await page.mouse.up();
}

describePages([layouts]);
