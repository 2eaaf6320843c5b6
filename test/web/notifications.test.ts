import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { describeWherePossible } from '../describe-where-possible.ts';
import { axeFindings } from './axe.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { applyReviewed } from './review.ts';
import { Site } from './site.ts';

/** The bell, price alerts, channels of notifications, and the pages about fees. */

const TIMEOUT_MS = 60_000;
const problem = chromiumPath() === undefined ? 'Chromium is not installed' : undefined;

describeWherePossible('in a browser', problem, 'install one or set CHROMIUM_PATH', () => {
  setDefaultTimeout(TIMEOUT_MS);
  const site = new Site();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    await site.start(browser, { BUTTONWOOD_MAKERS: 'off' });
  }, TIMEOUT_MS);
  afterAll(async () => {
    expect(await site.closePages()).toEqual([]);
    await site.close();
    await browser.close();
  }, TIMEOUT_MS);

  const check = async (page: Page) => {
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  /** Trades at a price. */
  const trade = async (price: number) => {
    const order = { symbol: 'BTC/USDT', type: 'limit', price, amount: 0.001 };
    await site.send('bob', 'POST', '/api/orders', { ...order, side: 'sell' });
    await site.send('alice', 'POST', '/api/orders', { ...order, side: 'buy' });
  };

  test.each(['light', 'dark'] as const)(
    'a price alert is created on the trade page, rings the bell and is deleted (%s)',
    async (scheme) => {
      const page = await site.open({ as: 'alice', scheme });
      await page.goto('/trade/BTC-USDT');
      await trade(100_000);
      await page.locator('.last', { hasText: '100,000.00' }).waitFor();
      await page.getByRole('button', { name: 'Price alert', exact: true }).press('Enter');
      const dialog = page.getByRole('dialog');
      const price = dialog.getByLabel('Price', { exact: true });
      await price.fill('many');
      await price.press('Enter');
      await dialog.getByText('Enter a number, such as 0.015.').waitFor();
      // The direction follows from the last price, unless the user chooses it.
      const direction = dialog.getByLabel('When the price');
      await price.fill('90000');
      expect(await direction.inputValue()).toBe('below');
      await price.fill('110000');
      expect(await direction.inputValue()).toBe('above');
      await price.fill('90000');
      await direction.selectOption('above');
      await price.press('Enter');
      await dialog.getByText('The last price has reached this price already.').waitFor();
      await price.fill('100100');
      await dialog.getByLabel('Note (optional)').fill('sell half');
      await price.press('Enter');
      await dialog.getByRole('cell', { name: 'Rises to 100,100' }).waitFor();
      await price.fill('200000');
      await price.press('Enter');
      await dialog.getByRole('cell', { name: 'Rises to 200,000' }).waitFor();
      expect(await dialog.getByRole('columnheader', { name: 'Market' }).count()).toBe(0);
      const table = dialog.locator('.table-box');
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
      await check(page);
      await page.keyboard.press('Escape');

      await trade(100_200);
      const bell = page.getByRole('button', { name: 'Notifications, 1 unread' });
      await bell.waitFor();
      await page
        .locator('.toast', { hasText: 'is above 100,100 (last 100,200)' })
        .waitFor({ state: 'attached' });
      await bell.press('Enter');
      await page.locator('#notices').getByText('(last 100,200)').first().waitFor();
      await check(page);
      await page.setViewportSize({ width: 390, height: 844 });
      const box = (await page.locator('#notices').boundingBox())!;
      expect(box.x >= 0 && box.x + box.width <= 390).toBe(true);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
      await page.getByRole('link', { name: 'All notifications' }).click();

      await page.waitForURL('**/settings#notifications');
      await page
        .getByRole('cell', { name: /^Price alert: BTC\/USDT is above 100,100/ })
        .first()
        .waitFor();
      await check(page);
      await page.getByRole('button', { name: 'Delete alert BTC/USDT 200000' }).click();
      await page.getByRole('cell', { name: 'Rises to 200,000' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Delete alert BTC/USDT 100100' }).click();
      await page.getByText('No price alerts yet').waitFor();
      expect(await page.getByRole('button', { name: 'Notifications', exact: true }).count()).toBe(
        1,
      );
    },
  );

  test('chosen events appear as notices, and channels are kept', async () => {
    const page = await site.open({ as: 'bob' });
    await page.goto('/settings#notifications');
    await page.getByRole('checkbox', { name: 'Order filled: on this site' }).check();
    expect(await page.getByLabel('Price alert: on this site').isDisabled()).toBe(true);
    await page.locator('.toast', { hasText: 'Notification channels updated' }).waitFor();
    await trade(100_000);
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await page.locator('#notices').getByText('Order filled: sell 0.001 BTC/USDT').waitFor();
    await page.reload();
    expect(await page.getByLabel('Order filled: on this site').isChecked()).toBe(true);
    expect(await page.getByLabel('Order canceled: on this site').isChecked()).toBe(false);
    await page.getByLabel('Price alert: email').press('Space');
    await page.locator('.toast', { hasText: 'Notification channels updated' }).waitFor();
    await page.reload();
    expect(await page.getByLabel('Price alert: email').isChecked()).toBe(true);
    expect(await page.getByLabel('Order filled: on this site').isChecked()).toBe(true);
    await check(page);
  });

  test('a user without channels turns the usual events on with one button', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/settings#notifications');
    const button = page.getByRole('button', { name: 'Turn on', exact: true });
    await button.waitFor();
    const settings = page.getByRole('heading', { name: 'Price alerts' });
    expect((await button.boundingBox())!.y).toBeLessThan((await settings.boundingBox())!.y);
    await button.click();
    await page.locator('.toast', { hasText: 'Notification channels updated' }).waitFor();
    expect(await button.count()).toBe(0);
    await page.reload();
    for (const event of ['Order filled', 'Order rejected', 'Deposit', 'Withdrawal'])
      expect(await page.getByLabel(`${event}: on this site`).isChecked()).toBe(true);
    expect(await page.getByLabel('Order canceled: on this site').isChecked()).toBe(false);
  });

  test('an operator sets a discount and a referral, and the user sees them', async () => {
    const customer = await site.open({ as: 'alice' });
    const answer = customer.waitForResponse('**/api/referrals?*');
    await customer.goto('/settings#fees');
    await (await answer).finished();
    await customer.getByRole('heading', { name: 'Your fees' }).waitFor();
    expect(await customer.getByRole('heading', { name: 'Referrals' }).count()).toBe(0);
    const operator = await site.open({ as: 'operator' });
    await operator.goto('/operator#fees');
    // Nothing has changed yet, so there is nothing to apply.
    const apply = operator.getByRole('button', { name: /^Apply/ });
    await apply.nth(2).waitFor();
    expect(await Promise.all([0, 1, 2].map((index) => apply.nth(index).isDisabled()))).toEqual([
      true,
      true,
      true,
    ]);
    await operator.getByLabel('Asset', { exact: true }).selectOption('SOL');
    await operator.getByLabel('Minimum balance').fill('0.5');
    await operator.getByLabel('Discount').fill('120');
    await operator.getByRole('button', { name: 'Apply discount' }).click();
    await applyReviewed(operator);
    await operator.getByText('rate must be from 0 to 1.').waitFor();
    await operator.getByLabel('Discount').fill('25');
    await operator.getByRole('button', { name: 'Apply discount' }).click();
    await applyReviewed(operator, 'Discount none 25%');
    await operator.locator('.toast', { hasText: 'Fee discount updated' }).waitFor();
    await operator.getByLabel('Referral share').fill('20');
    await operator.getByRole('button', { name: 'Apply share' }).click();
    await applyReviewed(operator, 'Referral share 0% 20%');
    await operator.locator('.toast', { hasText: 'Referral share updated' }).waitFor();
    // A large volume has separators, typed or not.
    await operator.getByRole('button', { name: 'Add tier' }).click();
    const volume = operator.getByLabel('Minimum volume, Tier 1');
    await volume.fill('250,000');
    const [maker, taker] = ['Maker', 'Taker'].map((rate) => operator.getByLabel(`${rate}, Tier 1`));
    await maker!.fill('0.06');
    // Rates have the same number of decimals, except the one that is edited.
    await taker!.fill('0.1250');
    expect([await maker!.inputValue(), await taker!.inputValue()]).toEqual(['0.060', '0.1250']);
    await taker!.blur();
    expect(await taker!.inputValue()).toBe('0.125');
    // As in any field the tabulator key selects the text, which typing replaces.
    await maker!.press('Tab');
    await operator.keyboard.type('0.09');
    await volume.fill('1250000');
    await volume.blur();
    expect(await volume.inputValue()).toBe('1,250,000');
    await operator.getByRole('button', { name: 'Apply tiers' }).click();
    await applyReviewed(operator, 'Tier 1 none from 1,250,000 USDT: maker 0.06%, taker 0.09%');
    await operator.locator('.toast', { hasText: 'Fee tiers updated' }).waitFor();
    await check(operator);
    await operator.goto('/operator#accounts/bob');
    await operator.getByRole('button', { name: 'Settings…' }).click();
    await operator.getByLabel('Referred by (optional)').fill('unknown');
    await operator.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await applyReviewed(operator);
    await operator.getByText('Unknown account "unknown".').waitFor();
    await operator.getByLabel('Referred by (optional)').fill('alice');
    await operator.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await applyReviewed(operator, 'Referred by none alice');
    await operator.getByText('Referred by').locator('..').getByText('alice').waitFor();

    await trade(100_000);
    for (const scheme of ['light', 'dark'] as const) {
      const page = await site.open({ as: 'alice', scheme });
      await page.goto('/settings#fees');
      await page.getByText('25%, for owning 0.5 SOL').waitFor();
      const rates = page.getByRole('table', { name: 'Your fees by market' });
      const row = rates.getByRole('row', { name: /^BTC\/USDT/ });
      expect(await row.innerText()).toMatch(/0\.06%\s+0\.075%/);
      expect(await rates.getByRole('row', { name: /^SOL\/USDT/ }).innerText()).toMatch(
        /0\.08%\s+0\.10%/,
      );
      // A fifth of bob's maker fee of 0.08 % less a quarter of 100 USDT.
      await page.getByRole('cell', { name: '0.012 USDT' }).waitFor();
      await check(page);
    }
  });
});
