import { expect, test } from 'bun:test';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const isWiderThan = (width: number) => `document.documentElement.scrollWidth > ${width}`;

const docs = suite('API documentation', (site) => {
  test('lists operations and streams, finds them, and shows one by its link', async () => {
    const page = await site.open({ width: 360, height: 640 });
    await page.goto('/docs#placeOrder');
    const entry = page.locator('#placeOrder');
    await entry.getByText('Limit price, a multiple of', { exact: false }).first().waitFor();
    await entry.getByText(`curl -X POST "${site.baseUrl}/api/orders"`, { exact: false }).waitFor();
    expect(await page.evaluate(isWiderThan(360))).toBe(false);
    expect(await axeFindings(page, '#placeOrder')).toEqual([]);
    await page.getByRole('link', { name: 'Streams' }).click();
    await page.locator('#channel-orderbook > summary').click();
    const update = page
      .locator('#channel-orderbook .docs-part')
      .filter({ hasText: 'update' })
      .last();
    await update.locator('summary').click();
    await update.getByRole('rowheader', { name: 'prevSequence' }).waitFor();
    expect(await page.evaluate(isWiderThan(360))).toBe(false);
    await page.getByLabel('Search').fill('cancel after');
    await page.locator('#cancelAfter').waitFor();
    expect(await page.locator('.docs-entry').count()).toBeLessThan(5);
    await page.getByLabel('Search').fill('nothing like this');
    await page.getByText('Nothing matches the search.').waitFor();
  });

  test('the contents follow the reader, and requests have the language that the user chose', async () => {
    const page = await site.open();
    await page.goto('/docs#placeOrder');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.locator('[aria-current]').getByText('Trading').waitFor();
    await contents.getByRole('link', { name: 'amendOrder' }).click();
    const entry = page.locator('#amendOrder');
    await entry.getByRole('button', { name: 'Python' }).click();
    await entry.getByText('client.amend_order(', { exact: false }).waitFor();
    await page.reload();
    await entry.getByText('client.amend_order(', { exact: false }).waitFor();
    expect(await axeFindings(page, '#amendOrder')).toEqual([]);
  });

  test('has no accessibility fault, and leads back', async () => {
    const page = await site.open();
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'API documentation' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Try requests in the browser' }).click();
    await page.waitForURL('**/docs/try');
    await page.getByRole('link', { name: '← API documentation' }).click();
    await page.waitForURL('**/docs');
    await page.getByRole('link', { name: 'Trade', exact: true }).first().click();
    await page.waitForURL('**/trade');
  });
});

const missing = suite('a path without a page', (site) => {
  test('says so, and leads on', async () => {
    const page = await site.open({ width: 390, height: 844 });
    const response = await page.goto('/markets/btc');
    expect(response?.status()).toBe(404);
    // The browser reports the status of the page as an error, which every other test fails for.
    expect(site.takeErrors()).toEqual([expect.stringContaining('404 (Not Found)')]);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText('We could not find /markets/btc.', { exact: false }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(isWiderThan(390))).toBe(false);
    await page.locator('.site-footer').getByRole('link', { name: 'API documentation' }).click();
    await page.waitForURL('**/docs');
  });
});

describePages([docs, missing]);
